"""Turns held at a system, several at once, and the figures of a window of them."""

import asyncio
import time
from dataclasses import dataclass, field

from benchmarks.figures import quantile
from benchmarks.processes import Process
from benchmarks.turns.base import System
from benchmarks.turns.client import Connection
from benchmarks.turns.peers import Peers


@dataclass(frozen=True, slots=True)
class Window:
    """Figures of a window; milliseconds but where another unit is named."""

    turns: int
    """Turns that counted."""
    failed: int
    """Turns whose answer was an error or named another pet."""
    cpu_ms: float
    """CPU of the server a turn."""
    p50_ms: float
    p99_ms: float
    turns_per_s: float
    server_share: float
    """How busy the server kept its core, 0 to 1."""
    other_share: float
    """The same of load and peers on theirs; near 1 the load limits the rate, though not the CPU a turn."""
    model_calls: float
    """Requests a turn; one more than the pets are right."""
    tool_calls: float
    """Requests a turn; as many as the pets are right."""


@dataclass(slots=True)
class Load:
    """Holds turns at one running server."""

    system: System
    server: Process
    port: int
    peers: Peers
    pets_a_turn: int = 1
    """Tool calls of a turn, one after the other."""
    failures: list[str] = field(default_factory=list[str])
    """What failing turns were answered."""
    _asked: int = 0

    async def window(self, concurrency: int, turns: int) -> Window:
        """Hold so many turns, each in a session of its own made before the clock starts."""
        sessions = await self._sessions(turns)
        latencies: list[float] = []
        failed = len(self.failures)
        model, pets = self.peers.model.stats(), self.peers.pets.stats()
        cpu, other, begun = self.server.cpu_s(), self._other_cpu_s(), time.perf_counter()
        await asyncio.gather(*(self._hold(sessions, latencies) for _ in range(concurrency)))
        wall = time.perf_counter() - begun
        cpu, other = self.server.cpu_s() - cpu, self._other_cpu_s() - other
        if not latencies:
            raise RuntimeError(f"no turn of {self.system.title} succeeds: {self.failures[-1]}")
        return Window(
            turns=len(latencies),
            failed=len(self.failures) - failed,
            cpu_ms=cpu / len(latencies) * 1000,
            p50_ms=quantile(latencies, 0.5) * 1000,
            p99_ms=quantile(latencies, 0.99) * 1000,
            turns_per_s=len(latencies) / wall,
            server_share=cpu / wall,
            other_share=other / wall,
            model_calls=(self.peers.model.stats().requests - model.requests) / turns,
            tool_calls=(self.peers.pets.stats().requests - pets.requests) / turns,
        )

    def _other_cpu_s(self) -> float:
        return self.peers.cpu_s() + time.process_time()

    async def _sessions(self, count: int) -> list[str]:
        connection = await Connection.open(self.port)
        made = [await self.system.session(connection) for _ in range(count)]
        connection.close()
        return made

    async def _hold(self, sessions: list[str], latencies: list[float]) -> None:
        """Take sessions and hold their turns until none is left."""
        connection = await Connection.open(self.port)
        while sessions:
            pets = range(self._asked + 1, self._asked + 1 + self.pets_a_turn)
            self._asked = pets[-1]
            wanted = f"{' '.join(f'Pet-{pet}' for pet in pets)}."
            asked = " and ".join(f"pet {pet}" for pet in pets)
            path, body = self.system.turn(sessions.pop(), f"What is the name of {asked}?")
            begun = time.perf_counter()
            try:
                status, answer = await connection.request("POST", path, body)
            except ConnectionError as error:
                status, answer = 0, str(error)
            if status == 200 and wanted in self.system.said(answer):
                latencies.append(time.perf_counter() - begun)
                continue
            self.failures.append(f"{status} {str(answer)[:300]}")
            connection.close()  # a server may hang up after an error
            connection = await Connection.open(self.port)
        connection.close()
