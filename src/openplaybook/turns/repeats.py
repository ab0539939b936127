"""Requests that were made before: what makes two of them one, and what the second is answered."""

import hashlib

from openplaybook.jsonvalues import JsonObject, dumps_sorted
from openplaybook.storage.base import Store
from openplaybook.turns.base import TurnResult
from openplaybook.turns.events import Event
from openplaybook.turns.finishing import load_result, stored_turn
from openplaybook.turns.sessions import Sessions
from openplaybook.turns.snapshots import Snapshots
from openplaybook.turns.trace import trace_of

_NOT_INPUT = ("at", "snapshot", "sealed")
"""Of a BEGIN row: what two equal requests do not have in common."""


def fingerprint_of(begin: JsonObject) -> str:
    """Digest of what a request says, from its BEGIN row: equal for equal requests, over either transport.

    Secret parameters are left out: a digest of theirs could be tried out, and a client that gets a new token between
    two tries still says the same.
    """
    said = {name: value for name, value in begin.items() if name not in _NOT_INPUT}
    said["parameters"] = {name: value for name, value in said["parameters"].items() if name not in begin["sealed"]}
    return hashlib.sha256(dumps_sorted(said)).hexdigest()


class Repeats:
    """Gives stored answers again."""

    def __init__(self, store: Store, sessions: Sessions, snapshots: Snapshots) -> None:
        self._store = store
        self._sessions = sessions
        self._snapshots = snapshots

    async def of_settled(self, session: str, begin: JsonObject) -> bytes | None:
        """The response to an earlier tool result equal to this one, with or without the id of its call."""
        response = await self._store.answered(session, fingerprint_of(begin))
        if response is None and begin["input"].get("call"):
            without_id = {**begin, "input": {**begin["input"], "call": ""}}
            response = await self._store.answered(session, fingerprint_of(without_id))
        return response

    async def result(self, agent: str, session: str, response: bytes) -> tuple[TurnResult, JsonObject]:
        """What was said then, its trace derived again; and the BEGIN row of that turn."""
        number = stored_turn(response)
        steps = await self._store.history(session, turns=1, before=number + 1)
        happened = [Event.from_step(step) for step in steps]
        begin = happened[0].data
        frames = await self._sessions.frames_before(session, number)
        snapshot = await self._snapshots.by_digest(agent, begin["snapshot"])
        return load_result(response, trace_of(happened, snapshot, frames, number)), begin
