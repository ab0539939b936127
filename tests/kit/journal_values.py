"""Values that a journal may hold, of every type that its events have, for properties."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import TypeVar, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, Usage, UserText
from openplaybook.turns.base import EventInput, NoInput, TextInput, ToolResultInput, ToolResultsInput, TurnInput

_T = TypeVar("_T")

TEXTS = st.text(max_size=5)
NUMBERS = st.integers(0, 2**53)
QUARTERS = st.integers(-99, 99).map(lambda number: number / 4)
"""Numbers that a few digits tell whole."""
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | QUARTERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=4,
)
OBJECTS: st.SearchStrategy[JsonObject] = st.dictionaries(TEXTS, VALUES, max_size=3)

RESULTS = st.one_of(
    st.builds(ToolResultInput, TEXTS, TEXTS, TEXTS, output=OBJECTS),
    st.builds(ToolResultInput, TEXTS, TEXTS, TEXTS, error=TEXTS),
)
INPUTS: st.SearchStrategy[TurnInput] = st.one_of(
    st.builds(TextInput, TEXTS),
    st.builds(EventInput, TEXTS),
    RESULTS,
    st.builds(ToolResultsInput, st.lists(RESULTS, min_size=1, max_size=3).map(tuple)),
    st.just(NoInput()),
)
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    st.builds(UserText, TEXTS),
    st.builds(AgentText, TEXTS),
    st.builds(FunctionCall, TEXTS, TEXTS, OBJECTS),
    st.builds(FunctionResult, TEXTS, TEXTS, VALUES, st.booleans()),
)

_GIVEN: Mapping[object, st.SearchStrategy[object]] = {
    str: TEXTS,
    int: NUMBERS,
    bool: st.booleans(),
    float: QUARTERS,
    JsonObject: OBJECTS,
    JsonValue: VALUES,
    frozenset[str]: st.frozensets(TEXTS, max_size=3),
    TurnInput: INPUTS,
    Entry: ENTRIES,
    # What was cached and what was reasoning stands among the facts of the decision.
    Usage: st.builds(Usage, NUMBERS, NUMBERS),
}


def events_of(kind: type[_T]) -> st.SearchStrategy[_T]:
    """Objects of a dataclass, each field with its default or any value of its type. `TypeError` for other types."""
    return st.builds(kind, **_fields_of(kind))


@cache
def _fields_of(kind: type) -> dict[str, st.SearchStrategy[object]]:
    hints = get_type_hints(kind)
    return {each.name: _values_of(hints[each.name]) for each in fields(kind)}


def _values_of(hint: object) -> st.SearchStrategy[object]:
    if hint in _GIVEN:
        return _GIVEN[hint]
    arguments, origin = get_args(hint), get_origin(hint)
    if origin is UnionType and NoneType in arguments:
        return st.none() | _values_of(next(each for each in arguments if each is not NoneType))
    if origin is tuple:
        return st.lists(_values_of(arguments[0]), max_size=3).map(tuple)
    if origin is Mapping:
        return st.dictionaries(TEXTS, TEXTS, max_size=3)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return events_of(hint)
    raise TypeError(f"no values of {hint} are known")
