"""Counts our own files that a warm turn runs through: `python -m scripts.warm_way [--limit 100] [--json]`.

The turn is a `detectIntent` over REST of an agent with one OpenAPI tool: a model call that asks for the tool, the
tool's HTTP call, a model call that answers. Model and API are the loopback peers of `benchmarks/turns`; the server runs
in this process, without gRPC and with its access log. Earlier turns of the same agent have loaded and compiled
everything. What runs is noted in all threads, during the first turns of two new sessions, one after the other: what the
first leaves for after its answer is done while the second is answered.

A file counts when one of its functions ran that has more than one statement, docstrings aside. Others only name a value
or pass a call on, and who follows a turn need not open them; their files are listed apart.
"""

import argparse
import ast
import asyncio
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

import uvloop

import openplaybook
from benchmarks.processes import cores
from benchmarks.turns.client import Connection
from benchmarks.turns.ours import Ours
from benchmarks.turns.peers import Peers, running_peers
from openplaybook.server.lifecycle import RunningServer, serve
from openplaybook.server.settings import Settings
from openplaybook.telemetry.logs import configure_logging

PACKAGE = Path(openplaybook.__file__).parent

_VARIABLES = {"OPENAI_API_KEY": "fake", "OPENPLAYBOOK_MASTER_KEY": "A" * 43 + "="}
_WARM_UP_TURNS, _TRACED_TURNS = 8, 2


@dataclass(frozen=True, slots=True)
class Way:
    """The files of a package that a turn ran through, as paths below the package, sorted."""

    files: Sequence[str]
    passed: Sequence[str]
    """Those of which only functions of one statement ran; they do not count."""

    @property
    def rooms(self) -> Mapping[str, int]:
        """How many of the files that count each room has, the most first; a file outside all rooms is its own."""
        return dict(Counter(path.partition("/")[0] for path in self.files).most_common())

    def report(self) -> str:
        """For people."""
        lines: list[str] = []
        for room, count in self.rooms.items():
            lines.append(f"{room}: {count}")
            lines += [f"    {path}" for path in self.files if path.partition("/")[0] == room]
        passed = [f"    {path}" for path in self.passed]
        return "\n".join([*lines, "functions of one statement, not counted:", *passed, f"{len(self.files)} files"])


class Trace:
    """The functions that run while it is on, in this thread and in those that start after it was made."""

    def __init__(self) -> None:
        self.ran: set[CodeType] = set()
        self.is_on = False
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if self.is_on and event == "call":
            self.ran.add(frame.f_code)


def way_of(ran: Iterable[CodeType], package: Path) -> Way:
    """The way through the files below the folder `package`."""
    first_lines: dict[Path, set[int]] = {}
    for code in ran:
        path = Path(code.co_filename)
        if path.is_relative_to(package):
            first_lines.setdefault(path, set()).add(code.co_firstlineno)
    counted = {path for path, lines in first_lines.items() if lines & long_functions(path.read_text("utf-8"))}
    return Way(_below(counted, package), _below(first_lines.keys() - counted, package))


def long_functions(source: str) -> set[int]:
    """The first lines, decorators included, of functions with more than one statement, docstrings aside."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = [part for part in ast.walk(node) if isinstance(part, ast.stmt) and part is not node]
            if len(inner) - (ast.get_docstring(node, clean=False) is not None) > 1:
                found.add(min(part.lineno for part in (node, *node.decorator_list)))
    return found


def _below(paths: Collection[Path], package: Path) -> list[str]:
    return sorted(str(path.relative_to(package)) for path in paths)


async def warm_way(peers: Peers, folder: Path) -> Way:
    """The way of warm turns, of a server whose data are in `folder`. Raises `RuntimeError` when a turn fails."""
    os.environ.update(_VARIABLES, OPENAI_BASE_URL=f"{peers.addresses.model}/v1")
    settings = Settings(port=0, data_dir=folder, model="openai:fake", egress_allow="127.0.0.0/8", code_executor="off")
    trace = Trace()

    ready: asyncio.Future[RunningServer] = asyncio.get_running_loop().create_future()

    async def on_ready(running: RunningServer) -> None:
        ready.set_result(running)

    serving = asyncio.create_task(serve(settings, on_ready, with_grpc=False))
    await asyncio.wait([serving, ready], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        await serving
    try:
        await _hold(int(ready.result().http.rpartition(":")[2]), peers, trace)
    finally:
        ready.result().stop()
        await serving
    return way_of(trace.ran, PACKAGE)


async def _hold(port: int, peers: Peers, trace: Trace) -> None:
    system, connection = Ours(Path(sys.executable).parent, ""), await Connection.open(port)
    await system.prepare(connection, peers.addresses)
    for number in range(_WARM_UP_TURNS + _TRACED_TURNS):
        path, body = system.turn(await system.session(connection), f"What is the name of pet {number}?")
        trace.is_on = number >= _WARM_UP_TURNS
        answer = await connection.must("POST", path, body)
        trace.is_on = False
        if f"Pet-{number}" not in system.said(answer):
            raise RuntimeError(f"the agent did not find pet {number}: {answer}")
    connection.close()


def main() -> int:
    """Trace and print; 1 when there are more files than the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, help="exit with 1 when there are more files")
    parser.add_argument("--json", action="store_true", help="print an object: files, passed, rooms, total")
    arguments = parser.parse_args()
    log = configure_logging("info", form="json", stream=StringIO())
    with TemporaryDirectory(prefix="warm-way-") as folder, running_peers(cores()[1]) as peers:
        way = uvloop.run(warm_way(peers, Path(folder)))
    log.close()
    total = len(way.files)
    print(json.dumps({**asdict(way), "rooms": way.rooms, "total": total}) if arguments.json else way.report())
    if arguments.limit is not None and total > arguments.limit:
        print(f"A warm turn may run through {arguments.limit} files at most.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
