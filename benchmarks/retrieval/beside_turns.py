"""What turns cost while data stores are filled: `python -m benchmarks.retrieval.beside_turns [--rounds 3]`.

In each round a server holds turns alone, while it imports records of NDJSON, alone, while it imports pages of HTML, and
alone again; what it does beside an import is compared with the mean of what it does before and after.
A turn's CPU is that of the server's main thread, whose event loop holds the turns; all else is what the import takes.
Server, child processes, load and peers share all cores, as on a small machine.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from benchmarks.environments import ours, versions
from benchmarks.figures import median
from benchmarks.processes import Process
from benchmarks.turns.client import Connection
from benchmarks.turns.load import Load
from benchmarks.turns.ours import Ours
from benchmarks.turns.peers import Peers, free_port, running_peers
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps

MOST_TIMES = 1.25
"""What a turn may take beside an import, in times of what it takes alone."""
CONCURRENCIES = (1, 16)
ALONE, RECORDS, PAGES = "alone", "beside NDJSON", "beside HTML"
SEQUENCE = (ALONE, RECORDS, ALONE, PAGES, ALONE)
_COLLECTION = "/v1/projects/bench/locations/global/collections/default_collection"
_FILES, _LINES = 60, 10_000
_PAGES = 6_000
_WARM_UP_TURNS, _TRIAL_TURNS, _LEAST_TURNS = 96, 48, 100
_WORDS = 65
_SETTLED_S = 2.0
"""After an import, what it has put is in the index."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of turns, in milliseconds."""

    p50: float
    p99: float
    cpu: float
    """Of the main thread, a turn."""


Costs = Sequence[Mapping[int, Cost]]
"""By how many turns there were at once, for each of `SEQUENCE`."""


def make_bucket(folder: Path) -> None:
    """Files that take longer to import than all turns together."""
    chance = random.Random(20261126)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(20_000)]

    def text() -> str:
        return " ".join(chance.choices(words, k=_WORDS))

    (folder / "records").mkdir()
    (folder / "pages").mkdir()
    lines = [text() for _ in range(_LINES)]
    for number in range(_FILES):
        records = (dumps({"id": f"{number}-{n}", "structData": {"text": line}}) for n, line in enumerate(lines))
        (folder / "records" / f"{number}.jsonl").write_bytes(b"\n".join(records))
    for number in range(_PAGES):
        body = "".join(f"<h2>{text()[:30]}</h2><p>{text()}</p><p>{text()}</p>" for _ in range(12))
        page = f"<html><head><title>{number}</title></head><body><main>{body}</main></body></html>"
        (folder / "pages" / f"{number}.html").write_text(page)


class Stores:
    """Fills data stores of a server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._made = 0

    async def begin(self, kind: str) -> str:
        """Begin to import into a new store; the operation, which is under way."""
        connection = await Connection.open(self._port)
        self._made += 1
        store = {"displayName": "D", "industryVertical": "GENERIC", "contentConfig": "CONTENT_REQUIRED"}
        path = f"{_COLLECTION}/dataStores"
        await connection.must("POST", f"{path}?dataStoreId=s{self._made}", store)
        source: JsonObject = {"inputUris": ["gs://bench/records/*"], "dataSchema": "document"}
        if kind == PAGES:
            source = {"inputUris": ["gs://bench/pages/*"], "dataSchema": "content"}
        body: JsonObject = {"gcsSource": source}
        operation = await connection.must("POST", f"{path}/s{self._made}/branches/0/documents:import", body)
        connection.close()
        name = str(as_object(operation)["name"])
        while not await self.count(name):  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.1)
        return name

    async def count(self, operation: str) -> int:
        """How many documents it has taken. `RuntimeError` where it has ended: it is to last."""
        found = await self._get(operation)
        if found.get("done"):
            raise RuntimeError(f"the import ended before the turns: {str(found)[:300]}")
        return int(as_object(found.get("metadata")).get("successCount", 0))

    async def end(self, operation: str) -> None:
        """Cancel it, and wait until it has ended."""
        connection = await Connection.open(self._port)
        await connection.must("POST", f"/v1/{operation}:cancel", {})
        connection.close()
        while not (await self._get(operation)).get("done"):  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.1)

    async def _get(self, operation: str) -> JsonObject:
        connection = await Connection.open(self._port)
        found: JsonValue = await connection.must("GET", f"/v1/{operation}")
        connection.close()
        return as_object(found)


def main_thread_s(pid: int) -> float:
    """CPU seconds of a process's main thread, to the nanosecond (proc(5), schedstat)."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9


async def costs(load: Load, seconds: float) -> Costs:
    """Of one server, alone and beside each import."""
    connection = await Connection.open(load.port)
    await load.system.prepare(connection, load.peers.addresses)
    connection.close()
    await load.window(16, _WARM_UP_TURNS)
    stores, found = Stores(load.port), list[dict[int, Cost]]()
    for kind in SEQUENCE:
        found.append({})
        operation = await stores.begin(kind) if kind != ALONE else ""
        for concurrency in CONCURRENCIES:
            trial = await load.window(concurrency, _TRIAL_TURNS)
            before = await stores.count(operation) if operation else 0
            cpu = main_thread_s(load.server.pid)
            window = await load.window(concurrency, max(int(trial.turns_per_s * seconds), _LEAST_TURNS))
            cpu = main_thread_s(load.server.pid) - cpu
            taken = await stores.count(operation) - before if operation else 0
            cost = found[-1][concurrency] = Cost(window.p50_ms, window.p99_ms, cpu / window.turns * 1000)
            figures = ", ".join(f"{name} {getattr(cost, name):.2f}" for name in Cost.__slots__)
            told = f"{kind}, {concurrency} at once: {figures} ms, {window.failed} failed"
            sys.stderr.write(f"  {told}, {taken} documents in {window.turns / window.turns_per_s:.1f} s\n")
        if operation:
            await stores.end(operation)
            await asyncio.sleep(_SETTLED_S)
    return found


def measured(system: Ours, peers: Peers, bucket: Path, seconds: float) -> Costs:
    """One round with a fresh server."""
    with TemporaryDirectory(prefix="beside-") as name:
        folder, port = Path(name), free_port()
        start = system.start(port, peers.addresses, folder)
        arguments = [*start.arguments, "--bucket", f"bench={bucket}"]
        server = Process(arguments, folder / "server.log", start.environment, None)
        try:
            server.wait_ready(port, system.ready_path)
            return uvloop.run(costs(Load(system, server, port, peers), seconds))
        finally:
            server.stop()


def show(rounds: Sequence[Costs]) -> bool:
    """Print medians, and how many times what they are alone; whether all is within `MOST_TIMES`."""
    is_met = True
    for place, kind in enumerate(SEQUENCE):
        if kind == ALONE:
            continue
        for concurrency, name in product(CONCURRENCIES, Cost.__slots__):
            windows = [[getattr(each[at][concurrency], name) for at in range(place - 1, place + 2)] for each in rounds]
            alone = median([(before + after) / 2 for before, _, after in windows])
            beside = median([beside for _, beside, _ in windows])
            times = median([beside * 2 / (before + after) for before, beside, after in windows])
            is_met = is_met and (name == "p99" or times <= MOST_TIMES)
            print(f"{kind}, {concurrency:2} at once, {name}: {alone:.2f} -> {beside:.2f} ms, {times:.2f} times")
    return is_met


def main() -> None:
    """Measure what the command line asks for; the exit status is 1 where turns are slowed too much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="aimed length of a window (default 4)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the medians of (default 3)")
    arguments = parser.parse_args()
    binaries = ours()
    system = Ours(binaries, str(versions(binaries, ["openplaybook"])["openplaybook"]))
    with TemporaryDirectory(prefix="bucket-") as name, running_peers(None) as peers:
        make_bucket(Path(name))
        rounds = [measured(system, peers, Path(name), arguments.seconds) for _ in range(arguments.rounds)]
    sys.exit(not show(rounds))


if __name__ == "__main__":
    main()
