"""Many agents in one store: latency with 10 of them beside 10,000, in one run.

    python -m benchmarks.agents [--agents 10000]

Two servers are asked by turns, each over one REST connection, for the same: a page of the list, an agent, the first
turn that an agent ever has (it is compiled then) and a later one, on the offline model. Prints a row per measure (see
`benchmarks.rows`); the peer is the server that has 10 agents.
"""

import argparse
import random
import sys
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from benchmarks.figures import quantile
from benchmarks.rows import NO_GOAL, Goal, cost, report
from benchmarks.serving import served
from benchmarks.turns.client import Connection
from openplaybook.jsonvalues import JsonObject

_FEW = 10
_WARM = 30
_ASKED = 300
"""How often each request is made."""
_LOCATION = "projects/bench/locations/global"
_START = "00000000-0000-0000-0000-000000000000"
_FLAT = Goal(times_at_most=1.5)
_TURN: JsonObject = {"queryInput": {"text": {"text": "Hello."}, "languageCode": "en"}}


async def make(connection: Connection, count: int) -> list[str]:
    """The names of so many new agents, each with a playbook to start with."""
    agent: JsonObject = {
        "displayName": "Shop",
        "defaultLanguageCode": "en",
        "timeZone": "Etc/UTC",
        "startPlaybook": f"{_LOCATION}/agents/-/playbooks/{_START}",
    }
    return [(await connection.must("POST", f"/v3/{_LOCATION}/agents", agent))["name"] for _ in range(count)]


class Side:
    """A server with so many agents."""

    def __init__(self, connection: Connection, agents: Sequence[str]) -> None:
        self._connection = connection
        self._agents = agents
        self._chance = random.Random(0)
        self.measures: Mapping[str, Callable[[], Awaitable[float]]] = {
            "a page of the list": lambda: self._timed("GET", f"/v3/{_LOCATION}/agents?pageSize=10"),
            "get an agent": lambda: self._timed("GET", f"/v3/{self._chance.choice(self._agents)}"),
            "an agent's first turn": self._first_turn,
            "a later turn": lambda: self._turn(self._agents[0]),
        }
        """By what is asked, what asks it and gives the milliseconds that it took."""

    async def _first_turn(self) -> float:
        """Of an agent that is made for it and goes again, so that there are no more than there are to be."""
        [agent] = await make(self._connection, 1)
        taken = await self._turn(agent)
        await self._connection.must("DELETE", f"/v3/{agent}")
        return taken

    async def _turn(self, agent: str) -> float:
        return await self._timed("POST", f"/v3/{agent}/sessions/{uuid.uuid4()}:detectIntent", _TURN)

    async def _timed(self, method: str, path: str, body: JsonObject | None = None) -> float:
        begun = time.perf_counter()
        await self._connection.must(method, path, body)
        return (time.perf_counter() - begun) * 1000


async def alternately(one: Callable[[], Awaitable[float]], other: Callable[[], Awaitable[float]]) -> list[list[float]]:
    """What each gives, asked by turns, so that what else the machine does befalls both."""
    pairs = [(await one(), await other()) for _ in range(_ASKED + _WARM)][_WARM:]
    return [list(side) for side in zip(*pairs, strict=True)]


async def compare(folder: Path, beside: Path, count: int) -> None:
    """Print the rows; the folders take the data of the two servers."""
    async with served(folder) as connection:
        begun = time.perf_counter()
        many = Side(connection, await make(connection, count))
        sys.stderr.write(f"{count:,} agents after {time.perf_counter() - begun:.0f} s\n")
        async with served(beside) as other:
            await _ask(many, Side(other, await make(other, _FEW)), count)


async def _ask(many: Side, few: Side, count: int) -> None:
    for name, ask in many.measures.items():
        ours, peer = await alternately(ask, few.measures[name])
        for share, word in ((0.5, "p50"), (0.99, "p99")):
            figures = quantile(ours, share), quantile(peer, share)
            goal = _FLAT if share == 0.5 else NO_GOAL
            report(cost(f"agents: {name}, {word}, {count:,} agents", "ms", *figures, f"the same with {_FEW}", goal))


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=10_000, help="how many are many (default 10000)")
    count = parser.parse_args().agents
    with TemporaryDirectory(prefix="agents-") as folder, TemporaryDirectory(prefix="agents-") as beside:
        uvloop.run(compare(Path(folder), Path(beside), count))


if __name__ == "__main__":
    main()
