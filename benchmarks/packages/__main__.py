"""Agents in and out of a running server: from the package's bytes to the operation's end, and back.

    OPENPLAYBOOK_CORPUS=… python -m benchmarks.packages [--runs 15]

The largest exported agent of the corpus (by bytes), without it the demo's. The peer is the least that has to be done:
the archive unpacked and its JSON parsed, or written and packed, by the standard library. Prints a row per measure (see
`benchmarks.rows`).
"""

import argparse
import io
import json
import os
import sys
import time
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from benchmarks.environments import ROOT
from benchmarks.figures import quantile
from benchmarks.rows import NO_GOAL, Goal, cost, report
from benchmarks.serving import served
from benchmarks.turns.client import Connection
from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.package_files import read_files, zip_of

_LOCATION = "projects/bench/locations/global"
_AT_MOST_A_SECOND = Goal(ours_at_most=1.0)
_STANDARD_LIBRARY = "zipfile and json alone"


def largest() -> tuple[str, Mapping[str, bytes]]:
    """What it is, and its files by path."""
    corpus = os.environ.get("OPENPLAYBOOK_CORPUS")
    if corpus is None:
        return "the demo's agent", read_files(ROOT / "src" / "openplaybook" / "demo" / "agent")
    found = [read_files(path.parent) for path in Path(corpus).glob("agents/*/agent.json")]
    return f"the largest of {len(found)} real agents", max(found, key=lambda files: sum(map(len, files.values())))


def parse(archive: bytes) -> dict[str, object]:
    """What a reader cannot do without."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    return {path: json.loads(content) if path.endswith(".json") else content for path, content in files.items()}


def write(parsed: Mapping[str, object]) -> bytes:
    """What a writer cannot do without."""
    return zip_of(
        {
            path: value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False, indent=2).encode()
            for path, value in parsed.items()
        }
    )


async def finished(connection: Connection, path: str, body: JsonObject) -> JsonObject:
    """A long-running operation, waited for as clients do."""
    operation = await connection.must("POST", path, body)
    while not operation.get("done"):
        operation = await connection.must("GET", f"/v3/{operation['name']}")
    if "error" in operation:
        raise RuntimeError(f"{path}: {operation['error']}")
    return operation


async def measure(folder: Path, archive: bytes, runs: int) -> tuple[list[float], list[float]]:
    """Seconds of each import and of each export."""
    agent: JsonObject = {"displayName": "Bench", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    body: JsonObject = {"agentContent": b64encode(archive).decode()}
    imports: list[float] = []
    exports: list[float] = []
    async with served(folder) as connection:
        for _ in range(runs):
            begun = time.perf_counter()
            name = (await connection.must("POST", f"/v3/{_LOCATION}/agents", agent))["name"]
            await finished(connection, f"/v3/{name}:restore", body)
            imports.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            done = await finished(connection, f"/v3/{name}:export", {"dataFormat": "JSON_PACKAGE"})
            b64decode(done["response"]["agentContent"])
            exports.append(time.perf_counter() - begun)
    return imports, exports


def times(work: Callable[[], object], runs: int) -> list[float]:
    """Seconds of each run."""
    taken: list[float] = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return taken


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="runs to take the medians of (default 15)")
    runs = parser.parse_args().runs
    what, files = largest()
    archive = zip_of(files)
    sys.stderr.write(f"{what}: {len(files)} files, {sum(map(len, files.values())):,} bytes\n")
    parsed = parse(archive)
    peers = times(lambda: parse(archive), runs), times(lambda: write(parsed), runs)
    with TemporaryDirectory(prefix="packages-") as folder:
        measured = uvloop.run(measure(Path(folder), archive, runs))
    size = f"{len(files)} files, {sum(map(len, files.values())) // 1024} KiB"
    for doing, ours, peer in zip(("import", "export"), measured, peers, strict=True):
        name = f"packages: {doing} of {what} ({size})"
        first, goal = ours[0], _AT_MOST_A_SECOND if doing == "import" else NO_GOAL
        report(cost(f"{name}, the first of a server", "s", first, quantile(peer, 0.5), _STANDARD_LIBRARY, goal))
        figures = quantile(ours, 0.5), quantile(peer, 0.5)
        report(cost(f"{name}, p50", "s", *figures, _STANDARD_LIBRARY, goal))


if __name__ == "__main__":
    main()
