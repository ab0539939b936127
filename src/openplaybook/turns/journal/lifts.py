"""How what is stored grows up: older forms of events, of a session's state and of a turn's result, lifted to today's.

Each stored thing has its version beside it. A version is lifted to the next one, and so on to today's; nothing else
in the journal knows an older form. What is missing from a form beneath has its default where the types say so.

version  since               what it is
1        the first release   nothing beside a row; `version: 1` in a state, which nobody read
2        2026-11             `form` beside a row and a result, `version` in a state
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.errors import NewerData

VERSION = 2
"""Of all that is written today."""

FORM = "form"
"""Member of a row or a result that holds its version: `version` is an agent's there."""

STATE = "session state"
RESULT = "turn result"

_Lift: TypeAlias = Callable[[JsonObject], JsonObject]


def lifted(what: str, stored: JsonObject, version: int) -> JsonObject:
    """The stored form `stored` of an event (`what` is its kind), a state or a result, as today's version has it.

    Raises `NewerData`.
    """
    if version > VERSION:
        raise NewerData(f"A {what} of the session was written by a newer server (version {version}; known: {VERSION}).")
    for below in range(version, VERSION):
        lift = _LIFTS.get((what, below))
        stored = stored if lift is None else lift(stored)
    return stored


def _with(**missing: object) -> _Lift:
    """A lift that adds what an older form could lack."""

    def lift(stored: JsonObject) -> JsonObject:
        return {**missing, **stored}

    return lift


def _settlement_2(stored: JsonObject) -> JsonObject:
    """Exchanges of the first release do not say how often they were tried."""
    return {**stored, "exchanges": [{"attempts": 1, **exchange} for exchange in stored["exchanges"]]}


def _result_2(stored: JsonObject) -> JsonObject:
    """Results of the first releases count turns by the store's number alone."""
    return {"index": stored["turn"], **stored}


def _state_2(stored: JsonObject) -> JsonObject:
    """States of the first releases lack what came with client execution, sealing, handlers and moves."""
    frames = [{"preceding": 0, "answers": False, **frame} for frame in stored["frames"]]
    missing: JsonObject = {
        "began": 0,
        "sealed": [],
        "clientExecution": None,
        "useFakes": False,
        "waitsUntil": None,
        "started": [],
        "told": [],
        "ended": False,
    }
    return {**missing, **stored, "frames": frames}


_LIFTS: Mapping[tuple[str, int], _Lift] = {
    ("begin", 1): _with(sealed=[], clientExecution=None),
    ("reply", 1): _with(call={}),
    ("result", 1): _settlement_2,
    ("pop", 1): _with(summary=""),
    (STATE, 1): _state_2,
    (RESULT, 1): _result_2,
}
"""By what is lifted, and the version that it is lifted from."""
