"""cxas-scrapi, unpatched: it is told where to go by its own variables, or finds the server under Google's name."""

import re
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
import trustme

from openplaybook.jsonvalues import JsonObject, loads
from tests.e2e.kit.googleapis import googleapis
from tests.e2e.kit.pets import schema_of
from tests.e2e.kit.scrapi import SCRAPI
from tests.e2e.kit.server import clean_environment, running
from tests.e2e.kit.studio import SCRIPT
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer
from tests.kit.ports import free_ports
from tests.kit.server_certificates import write_pair

PROGRAM = SCRAPI / "studio.py"

pytestmark = [pytest.mark.proves("X1"), pytest.mark.usefixtures("sandbox")]

SEEN: JsonObject = {
    "tools": ["get_weather", "pets_createPet", "pets_getPet", "pets_listPets", "tally"],
    "asked": {"name": "get_weather", "args": {"city": "Oslo"}},
    "answered": "It is 4 degrees.",
    "refused": "No refunds.",
    "schema": ["step"],
    "listed": ["pets_createPet", "pets_getPet", "pets_listPets"],
    "executed": {"ordered": 2, "agent": "desk"},
    "history": 2,
    "version": "one",
    "tool_evals": {
        "counts": ["PASSED"],
        "counts from the beginning": ["PASSED"],
        "counts in a context": ["PASSED"],
        "finds a pet": ["PASSED"],
        "is wrong about a pet": ["FAILED"],
    },
    "turn_evals": {
        "greets": ["SUCCESS", "SUCCESS"],
        "looks a pet up": ["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS"],
        "counts twice": ["SUCCESS", "SUCCESS", "SUCCESS"],
        "moves on": ["SUCCESS"],
        "goes on where another ended": ["SUCCESS"],
        "begins with an event": ["SUCCESS"],
        "is wrong": ["FAILURE"],
    },
    "again": ["billing", "desk"],
    "overwritten": "Luna belongs to Aisha.",
}


UNTIDY = {
    "V001": "a variable without a description, as its own Variables.create_variable makes them",
    "I001": "an instruction without its XML tags",
    "A005": "an agent that cannot end conversations",
    "T001": "a Python function that tells no errors",
}
"""What its linter has against the app: all of it is about what was written, nothing about how it lies in files."""


def flags(folder: Path) -> list[str]:
    """How the server is started."""
    (folder / "script.yaml").write_text(SCRIPT)
    return ["--model", f"scripted:{folder / 'script.yaml'}"]


def seen(folder: Path, pets: HttpPeer, variables: Mapping[str, str]) -> JsonObject:
    """What a user of cxas-scrapi saw."""
    ran = subprocess.run(
        [sys.executable, PROGRAM, folder],
        input=schema_of(pets),
        capture_output=True,
        text=True,
        env={**clean_environment(), **variables, "CXAS_OAUTH_TOKEN": "a-token"},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-5000:] + ran.stdout[-3000:]
    return loads(ran.stdout.splitlines()[-1])


@contextmanager
def over_tls(folder: Path) -> Generator[dict[str, str]]:
    """The variables that lead to a server whose certificate an authority of our own has signed."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    pair = write_pair(authority, folder)
    secure = ["--tls-cert", str(pair.tls_cert), "--tls-key", str(pair.tls_key)]
    with running(folder, *flags(folder), *secure, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server:
        yield {
            "CES_API_ENDPOINT": f"localhost:{server.http_port}",
            "CES_TRANSPORT": "rest",
            "CXAS_OAUTH_TOKEN": "a-token",
            "REQUESTS_CA_BUNDLE": str(folder / "ca.pem"),
        }


def test_over_grpc_under_googles_own_name(tmp_path: Path, pets: HttpPeer, background: Background) -> None:
    [port] = free_ports(1)
    named = ["--port", str(port), "--public-url", "https://ces.googleapis.com"]
    with (
        running(tmp_path, *flags(tmp_path), *named, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server,
        background.entered(googleapis(server, tmp_path, port)) as apis,
    ):
        assert seen(tmp_path, pets, apis.environment) == SEEN
    assert set(apis.dialled) == {"ces.googleapis.com"}


# In `make test` the quick start goes this way, with its commands.
@pytest.mark.proof
def test_over_rest_to_an_address_of_its_own_variables_and_by_its_command(tmp_path: Path, pets: HttpPeer) -> None:
    with over_tls(tmp_path) as variables:
        assert seen(tmp_path, pets, variables) == SEEN
        app = "projects/p/locations/global/apps/scrapi"

        def cxas(*command: str, status: int = 0) -> str:
            ran = subprocess.run(
                [Path(sys.executable).with_name("cxas"), *command],
                capture_output=True,
                text=True,
                cwd=tmp_path,
                env={**clean_environment(), **variables},
                timeout=100,
                check=False,
            )
            assert ran.returncode == status, ran.stderr[-3000:] + ran.stdout[-3000:]
            return ran.stdout

        cxas("pull", app, "--target-dir", "pulled")
        [described] = (tmp_path / "pulled").rglob("app.json")
        cxas("push", "--app-dir", str(described.parent), "--to", app)
        first = files_of(tmp_path / "pulled")
        cxas("pull", app, "--target-dir", "again")
        assert files_of(tmp_path / "again") == first
        found = cxas("lint", "--app-dir", str(described.parent), status=1)
        assert set(re.findall(r"\[E\].*\[([A-Z]\d+)\]", found)) == set(UNTIDY), found


def files_of(folder: Path) -> Mapping[str, bytes]:
    """What lies in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
