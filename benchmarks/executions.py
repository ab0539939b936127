"""Executing one operation of GitHub's document, against the same on a document that has no other.

    OPENPLAYBOOK_CORPUS=… python -m benchmarks.executions [--rounds 7] [--calls 300]

A server of its own on one core holds a tool of GitHub's whole document and one of what of it the operation needs. The
service, which answers at once, and the client have the other core. Both tools are asked for the same, one call after
the other, in rounds that take turns, after a first call of each. Prints a row per measure (see `benchmarks.rows`).
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import uvloop

from benchmarks.figures import median
from benchmarks.openapi_load.documents import github
from benchmarks.processes import Process
from benchmarks.rows import NO_GOAL, Goal, cost, report
from benchmarks.serving import running
from benchmarks.turns.client import Connection
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads

PATH, OPERATION = "/repos/{owner}/{repo}", "repos/get"
_ASKED: JsonObject = {"action": OPERATION, "inputParameters": {"owner": "octocat", "repo": "hello"}}
_BODY = dumps({"id": 1, "name": "hello", "full_name": "octocat/hello", "private": False})
_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
_AGENTS = "/v3/projects/bench/locations/global/agents"
_LARGE, _SMALL = "github", "one operation"


@dataclass(slots=True)
class Costs:
    """What calls of one tool took, a figure a round."""

    tool: str
    """Resource name."""
    cpu_ms: list[float] = field(default_factory=list[float])
    """Of the server, a call."""
    time_ms: list[float] = field(default_factory=list[float])
    """Of the client, a call."""


class _Service(asyncio.Protocol):
    """Answers every request that has no body."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._transport.write(_ANSWER * data.count(b"\r\n\r\n"))


def one_operation(document: JsonObject) -> JsonObject:
    """What of a document its operation needs."""
    operation = document["paths"][PATH]["get"]
    kept: JsonObject = {**document, "paths": {PATH: {"get": operation}}, "components": {}}
    left = list(_references(operation))
    while left:
        _, components, group, name = left.pop().split("/")
        members = kept[components].setdefault(group, {})
        if name not in members:
            members[name] = document[components][group][name]
            left += _references(members[name])
    return {name: value for name, value in kept.items() if name not in ("tags", "x-webhooks", "webhooks")}


def _references(value: JsonValue) -> Iterator[str]:
    found = as_object(value).get("$ref")
    if isinstance(found, str):
        yield found
    for part in (*as_object(value).values(), *as_list(value)):
        yield from _references(part)


async def _tool(connection: Connection, agent: str, name: str, document: JsonObject, url: str) -> str:
    """The resource name of a new tool."""
    spec = {"textSchema": dumps(document).decode(), "settings": {"serverUrl": url}}
    tool: JsonObject = {"displayName": name, "description": "Repositories.", "openApiSpec": spec}
    return (await connection.must("POST", f"/v3/{agent}/tools", tool))["name"]


async def _first_ms(connection: Connection, tool: str) -> float:
    """Milliseconds of the first call. `RuntimeError` unless it gives what the service said."""
    begun = time.perf_counter()
    answer = await connection.must("POST", f"/v3/{tool}:execute", _ASKED)
    taken = (time.perf_counter() - begun) * 1000
    if as_object(answer.get("outputParameters")).get("200") != loads(_BODY):
        raise RuntimeError(f"{tool} answered {str(answer)[:300]}")
    return taken


async def _measure(server: Process, connection: Connection, costs: Costs, calls: int) -> None:
    cpu, begun = server.cpu_s(), time.perf_counter()
    for _ in range(calls):
        await connection.must("POST", f"/v3/{costs.tool}:execute", _ASKED)
    costs.time_ms.append((time.perf_counter() - begun) / calls * 1000)
    costs.cpu_ms.append((server.cpu_s() - cpu) / calls * 1000)


async def compare(folder: Path, rounds: int, calls: int) -> None:
    """Measure both tools in turn, and print the rows."""
    document = as_object(loads(github(folder).text.read_bytes()))
    service = await asyncio.get_running_loop().create_server(_Service, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{service.sockets[0].getsockname()[1]}"
    async with running(folder, {"OPENPLAYBOOK_EGRESS_ALLOW": "127.0.0.0/8"}) as (server, connection):
        about = {"displayName": "bench", "defaultLanguageCode": "en", "timeZone": "Europe/Berlin"}
        agent: str = (await connection.must("POST", _AGENTS, about))["name"]
        large = Costs(await _tool(connection, agent, _LARGE, document, url))
        small = Costs(await _tool(connection, agent, _SMALL, one_operation(document), url))
        firsts = await _first_ms(connection, large.tool), await _first_ms(connection, small.tool)
        for number in range(1, rounds + 1):
            for costs in (large, small):
                await _measure(server, connection, costs, calls)
            sys.stderr.write(f"round {number}: {large.cpu_ms[-1]:.3f} ms and {small.cpu_ms[-1]:.3f} ms of CPU\n")
    service.close()
    goal = Goal(times_at_most=1.5)
    _print("CPU of :execute on GitHub's document, after the first", median(large.cpu_ms), median(small.cpu_ms), goal)
    _print("time of :execute on GitHub's document, after the first", median(large.time_ms), median(small.time_ms), goal)
    _print("time of the first :execute on GitHub's document", *firsts, NO_GOAL)


def _print(what: str, own: float, peer: float, goal: Goal) -> None:
    report(cost(f"executions: {what}", "ms", own, peer, "a document of this operation alone", goal))


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="rounds to take the medians of (default 7)")
    parser.add_argument("--calls", type=int, default=300, help="calls of a round (default 300)")
    arguments = parser.parse_args()
    with TemporaryDirectory(prefix="executions-") as folder:
        try:
            uvloop.run(compare(Path(folder), arguments.rounds, arguments.calls))
        except LookupError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
