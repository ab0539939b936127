"""Sessions paused and resumed, several at once or at a given rate."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.pauses.systems import Pausing, question, said_blue
from benchmarks.turns.client import Connection
from openplaybook.jsonvalues import JsonObject

Resume = tuple[str, JsonObject]
"""Path and body that end one pause."""


@dataclass(slots=True)
class PauseLoad:
    """Brings a running server's sessions to their pauses and out of them."""

    system: Pausing
    port: int

    async def pause(self, count: int, at_once: int = 16) -> list[Resume]:
        """So many new sessions, each waiting for its client; how to resume them. `RuntimeError` when one does not."""
        left = iter(range(count))
        waiting: list[Resume] = []

        async def hold() -> None:
            connection = await Connection.open(self.port)
            for _ in left:
                session = await self.system.session(connection)
                answer = await connection.must("POST", *self.system.turn(session, question()))
                resume = self.system.resume(session, answer)
                if resume is None:
                    raise RuntimeError(f"{self.system.title} did not pause: {str(answer)[:300]}")
                waiting.append(resume)
            connection.close()

        await asyncio.gather(*(hold() for _ in range(at_once)))
        return waiting

    async def closed(self, waiting: Sequence[Resume], at_once: int = 16) -> float:
        """Resumes a second, as many at once as that."""
        left = iter(waiting)

        async def work() -> None:
            connection = await Connection.open(self.port)
            for resume in left:
                await self._resume(connection, resume)
            connection.close()

        begun = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(at_once)))
        return len(waiting) / (time.perf_counter() - begun)

    async def open(self, waiting: Sequence[Resume], per_s: float) -> list[float]:
        """Seconds that each resume took from the moment it was due, begun at that rate whatever the others do."""
        connections = [await Connection.open(self.port) for _ in waiting]
        begun = time.perf_counter() + 0.05

        async def one(number: int, resume: Resume) -> float:
            due = begun + number / per_s
            await asyncio.sleep(max(due - time.perf_counter(), 0))
            await self._resume(connections[number], resume)
            return time.perf_counter() - due

        taken = await asyncio.gather(*(one(number, resume) for number, resume in enumerate(waiting)))
        for connection in connections:
            connection.close()
        return list(taken)

    async def _resume(self, connection: Connection, resume: Resume) -> None:
        answer = await connection.must("POST", *resume)
        if not said_blue(answer):
            raise RuntimeError(f"{self.system.title} did not go on: {str(answer)[:300]}")
