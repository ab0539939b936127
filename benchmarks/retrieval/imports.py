"""How many records a second an import through the API takes in: `python -m benchmarks.retrieval.imports`.

Each way has a server of its own, which imports the same records of NDJSON into a new store: as `openplaybook datastores
ingest` sends the file, in requests of `documents:import` that hold the documents, and from a bucket. The time is from
the first request until the last operation is done, and so all is found. Beside them, in the same run, the engine alone
takes in the same texts in a process of its own, without a server. CPU is of the server with all its threads and
children, and of whoever sends; no passage gets a vector. Prints a row per measure (see `benchmarks.rows`).
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.environments import ROOT, ours
from benchmarks.figures import median
from benchmarks.processes import Process
from benchmarks.retrieval.workers.texts import Texts
from benchmarks.rows import Goal, cost, rate, report
from benchmarks.turns.peers import free_port
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads

COMMAND, INLINE, BUCKET, ENGINE = "the command", "inline", "a bucket", "the engine alone"
GOAL = Goal(ours_at_least=5000)

_COLLECTION = "/v1/projects/local/locations/global/collections/default_collection"
_STORE = f"{_COLLECTION}/dataStores/records"
_FILE = "records.ndjson"
_INLINE = 1_000
"""Documents of a request."""
_UNDER_WAY = 6
"""Requests whose operations are not done."""
_POLL_S = 0.1
"""Between two looks at an operation."""
_ENVIRONMENT = {"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}", "OPENPLAYBOOK_MASTER_KEY": "A" * 43 + "="}
_FILLED = ROOT / "benchmarks" / "retrieval" / "workers" / "filled.py"


@dataclass(frozen=True, slots=True)
class Cost:
    """Of taking in records."""

    per_s: float
    cpu_ms: float
    """Of the server, or the engine, a record."""
    sent_ms: float
    """CPU of whoever sends, a record."""
    peak_mb: float


class Requests:
    """JSON to a server of this machine, each request on a connection of its own."""

    def __init__(self, port: int) -> None:
        self._port = port

    def __call__(self, method: str, path: str, body: JsonObject | None = None) -> JsonObject:
        """The answer. Raises `RuntimeError` for one that is an error."""
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=300)) as connection:
            connection.request(method, path, None if body is None else dumps(body))
            answer = connection.getresponse()
            found = as_object(loads(answer.read()))
        if answer.status != 200:
            raise RuntimeError(f"{method} {path} was answered {answer.status}: {str(found)[:500]}")
        return found

    def ended(self, operation: JsonObject) -> JsonObject:
        """The operation, once it is done. Raises `RuntimeError` where it failed."""
        while not operation.get("done"):
            time.sleep(_POLL_S)
            operation = self("GET", f"/v1/{operation['name']}")
        if "error" in operation:
            raise RuntimeError(f"the import failed: {operation['error']}")
        return operation


def write_records(path: Path, count: int) -> None:
    """A record a line, with the texts of the other measurements."""
    with path.open("wb") as file:
        for text in Texts().passages(count):
            members = {"title": text.title, "text": text.text, "category": text.category, "price": text.price}
            file.write(dumps({"id": text.id, "structData": members}) + b"\n")


def send_by_command(ask: Requests, folder: Path, file: Path) -> None:
    """With `openplaybook datastores ingest`, which finds the server by its data directory."""
    command = [str(ours() / "openplaybook"), "datastores", "ingest", "records", str(file)]
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    subprocess.run(
        [*command, "--data-dir", str(folder / "data")], env={**kept, **_ENVIRONMENT}, check=True, capture_output=True
    )


def send_inline(ask: Requests, folder: Path, file: Path) -> None:
    """In requests that hold the documents, a few under way at once."""
    under_way = deque[JsonObject]()
    with file.open("rb") as lines:
        while documents := [loads(line) for line in islice(lines, _INLINE)]:
            if len(under_way) == _UNDER_WAY:
                ask.ended(under_way.popleft())
            under_way.append(_import(ask, {"inlineSource": {"documents": documents}}))
    for operation in under_way:
        ask.ended(operation)


def send_from_bucket(ask: Requests, folder: Path, file: Path) -> None:
    """In one request that names the file."""
    ask.ended(_import(ask, {"gcsSource": {"inputUris": [f"gs://bench/{file.name}"], "dataSchema": "document"}}))


WAYS: Mapping[str, Callable[[Requests, Path, Path], None]] = {
    COMMAND: send_by_command,
    INLINE: send_inline,
    BUCKET: send_from_bucket,
}


def imported(send: Callable[[Requests, Path, Path], None], file: Path, count: int) -> Cost:
    """What an import costs in a new server."""
    with TemporaryDirectory(prefix="import-") as name:
        folder, port = Path(name), free_port()
        command = [str(ours() / "openplaybook"), "serve", "--port", str(port), "--grpc-port", "0"]
        places = ["--data-dir", str(folder / "data"), "--bucket", f"bench={file.parent}", "--embeddings", "none"]
        server = Process([*command, *places], folder / "server.log", _ENVIRONMENT, None)
        try:
            server.wait_ready(port, "/healthz")
            ask = Requests(port)
            ask.ended(ask("POST", f"{_COLLECTION}/dataStores?dataStoreId=records", _NEW_STORE))
            computed, sent, begun = server.cpu_s(), _own_cpu_s(), time.perf_counter()
            send(ask, folder, file)
            took, computed, sent = time.perf_counter() - begun, server.cpu_s() - computed, _own_cpu_s() - sent
            _check(ask, count)
            return Cost(count / took, computed / count * 1000, sent / count * 1000, server.peak_mb())
        finally:
            server.stop()


_NEW_STORE: JsonObject = {
    "displayName": "Records",
    "industryVertical": "GENERIC",
    "contentConfig": "NO_CONTENT",
    "languageInfo": {"languageCode": "en"},
}


def engine_alone(count: int) -> Cost:
    """What the same texts cost the engine, in a process of its own."""
    command = [str(ours() / "python"), str(_FILLED), str(count)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **_ENVIRONMENT}, stdout=subprocess.PIPE, check=True)
    return Cost(**json.loads(done.stdout), sent_ms=0.0)


def _import(ask: Requests, source: JsonObject) -> JsonObject:
    return ask("POST", f"{_STORE}/branches/0/documents:import", source)


def _check(ask: Requests, count: int) -> None:
    """Raise `RuntimeError` unless all records are found."""
    everything: JsonObject = {"query": "", "filter": "price >= 0", "pageSize": 1}
    found = ask("POST", f"{_STORE}/servingConfigs/default_search:search", everything)
    if found.get("totalSize") != count:
        raise RuntimeError(f"{count} records were imported, and {found.get('totalSize')} are found")


def _own_cpu_s() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval.imports", description=__doc__)
    parser.add_argument("--records", type=int, default=40_000)
    parser.add_argument("--ways", default=",".join(WAYS), help=f"some of {', '.join(WAYS)}")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the medians of (default 3)")
    arguments = parser.parse_args()
    ways = [way for way in WAYS if way in arguments.ways.split(",")]
    costs: dict[str, list[Cost]] = {way: [] for way in (*ways, ENGINE)}
    with TemporaryDirectory(prefix="records-") as name:
        file = Path(name) / _FILE
        write_records(file, arguments.records)
        for _ in range(arguments.rounds):
            for way, found in costs.items():
                is_engine = way == ENGINE
                each = engine_alone(arguments.records) if is_engine else imported(WAYS[way], file, arguments.records)
                found.append(each)
                sys.stderr.write(
                    f"  {way}: {each.per_s:,.0f} a second, {each.cpu_ms:.3f} ms of CPU a record, and "
                    f"{each.sent_ms:.3f} of who sends; {each.peak_mb:,.0f} MiB at most\n"
                )
    for way in ways:
        _report(way, costs[way], costs[ENGINE])


def _report(way: str, own: Sequence[Cost], engine: Sequence[Cost]) -> None:
    def both(of: Callable[[Cost], float]) -> tuple[float, float]:
        return median([of(each) for each in own]), median([of(each) for each in engine])

    report(rate(f"import: records, {way}", "/s", *both(lambda each: each.per_s), ENGINE, GOAL))
    report(cost(f"import: CPU of a record, {way}", "ms", *both(lambda each: each.cpu_ms), ENGINE))
    report(cost(f"import: memory, at most, {way}", "MiB", *both(lambda each: each.peak_mb), ENGINE))


if __name__ == "__main__":
    main()
