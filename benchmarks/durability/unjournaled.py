"""Our server with a store that keeps resources and forgets turns: `python -m benchmarks.durability.unjournaled …`.

Takes the arguments of `openplaybook`. What it leaves out is what the journal costs.
"""

from collections.abc import Sequence

from openplaybook.cli.main import main
from openplaybook.server import stores
from openplaybook.storage.base import BeginTurn, Begun, Lease, Session, Started, Step, TurnState
from openplaybook.storage.sqlite import SqliteStore


class Unjournaled(SqliteStore):
    """Resources in SQLite; of a session only its state, in memory. No lease, no row, no stored answer."""

    _states: dict[str, tuple[int, bytes]]

    async def open(self) -> None:
        self._states = {}
        await super().open()

    async def begin_turn(self, begin: BeginTurn) -> Begun:
        session = await self.session(begin.session)
        number = session.turns + 1 if session else 1
        return Started(Lease(begin.session, begin.turn_id, number, begin.owner, number), session)

    async def append(self, lease: Lease, steps: Sequence[tuple[str, bytes]]) -> None:
        return None

    async def renew(self, lease: Lease, lease_us: int) -> None:
        return None

    async def finish_turn(
        self,
        lease: Lease,
        *,
        state: TurnState,
        steps: Sequence[tuple[str, bytes]] = (),
        response: bytes | None = None,
        session_state: bytes | None = None,
    ) -> None:
        if session_state is not None:
            self._states[lease.session] = (lease.number, session_state)

    async def mark_delivered(self, turns: Sequence[tuple[str, int]]) -> None:
        return None

    async def session(self, name: str) -> Session | None:
        if name not in self._states:
            return None
        number, state = self._states[name]
        return Session(name, state, number, expires_us=2**62)

    async def history(self, session: str, *, turns: int = 1000, before: int | None = None) -> Sequence[Step]:
        return ()


if __name__ == "__main__":
    stores.SqliteStore = Unjournaled
    main()
