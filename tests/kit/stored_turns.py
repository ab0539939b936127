"""Turns as a store sees them: begun, and ended."""

from openplaybook.storage.base import BeginTurn, Lease, Started, Store, TurnState

LEASE_US = 10_000_000
"""What a turn of the conformance tests is leased for."""

HOUR_US = 3_600_000_000


async def start(store: Store, begin: BeginTurn) -> Lease:
    """The lease of a turn that must start."""
    begun = await store.begin_turn(begin)
    assert isinstance(begun, Started)
    return begun.lease


async def run(store: Store, begin: BeginTurn, state: bytes = b"state", *, response: bytes = b"answer") -> None:
    """A whole turn."""
    await store.finish_turn(await start(store, begin), state=TurnState.DONE, response=response, session_state=state)
