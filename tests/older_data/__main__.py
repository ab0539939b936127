"""Writes the data of the version that is checked out: `python -m tests.older_data FOLDER`.

Run it before a change of what is stored, and commit the folder beneath `tests/fixtures/older_data`. It holds

* `sqlite.tar.gz`, a data directory, and `postgres.sql.gz`, a dump of the database that a server had instead,
* `sqlite.json` and `postgres.json`: what `stories.Written` says of each.

The master key of both is `stories.MASTER_KEY`.
"""

import gzip
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from openplaybook.jsonvalues import dumps_indented
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import clean_environment, killed
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer, http_peer
from tests.kit.postgres import running_cluster
from tests.kit.preloaded.commands import COMMAND
from tests.older_data.script import SCRIPT
from tests.older_data.stories import HOST, KEPT_KEY, MASTER_KEY, PORT, SECRET, Story, Written, charge, reply

_KILLED_S = 30


def main(folder: Path) -> None:
    """Write all that is kept."""
    folder.mkdir(parents=True)
    background = Background()
    background.start()
    try:
        with background.entered(http_peer(reply, host=HOST, port=PORT)) as peer:
            _sqlite(folder, peer)
            _postgres(folder, peer)
    finally:
        background.stop()


def _sqlite(folder: Path, peer: HttpPeer) -> None:
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        written = _live(place, {"OPENPLAYBOOK_MASTER_KEY": MASTER_KEY}, peer)
        (folder / "sqlite.json").write_text(dumps_indented(written.to_json()) + "\n")
        with tarfile.open(folder / "sqlite.tar.gz", "w:gz") as tar:
            tar.add(place / "data", "data")


def _postgres(folder: Path, peer: HttpPeer) -> None:
    with tempfile.TemporaryDirectory() as made, running_cluster() as cluster:
        database = {"OPENPLAYBOOK_DATABASE_URL": cluster.url(), "OPENPLAYBOOK_MASTER_KEY": MASTER_KEY}
        written = _live(Path(made), database, peer)
        (folder / "postgres.json").write_text(dumps_indented(written.to_json()) + "\n")
        command = [cluster.bin / "pg_dump", "--no-owner", "--no-privileges", cluster.url()]
        dump = subprocess.run(command, capture_output=True, check=True)
        (folder / "postgres.sql.gz").write_bytes(gzip.compress(dump.stdout, mtime=0))


def _live(place: Path, variables: Mapping[str, str], peer: HttpPeer) -> Written:
    """A server's life, which ends in the midst of a call that must not be made twice."""
    (place / "script.yaml").write_text(SCRIPT)
    environment = {**clean_environment(), **variables}
    command = [COMMAND, "secrets", "set", SECRET, "--data-dir", place / "data"]
    subprocess.run(command, input=KEPT_KEY, text=True, env=environment, check=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    clock = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    flags = ["--model", f"scripted:{place / 'script.yaml'}"]
    with killed(place, *flags, OPENPLAYBOOK_EGRESS_ALLOW=f"{HOST}/32", **variables) as server:
        rest = Rest(server.http)
        written = Story(rest).begin(clock, commit.stdout.strip())
        before = len(peer.requests)
        caller = threading.Thread(target=_charged, args=(rest, written.agent))
        caller.start()
        while len(peer.requests) == before:
            caller.join(0.05)
        server.process.kill()
        caller.join(_KILLED_S)
    return written


def _charged(rest: Rest, agent: str) -> None:
    try:
        charge(rest, agent)
    except ConnectionError:
        return
    raise AssertionError("the charge was answered")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
