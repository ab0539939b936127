"""The stored form of events: one row each, its kind and JSON, with the version of that form beside it.

What a field is called in a row, and how its value is written, follows from its name and type. A field with a default is
written only where it differs, or stands beside one that does. A new type of field needs its two functions in `_VALUES`,
and nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import partial
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from openplaybook.models.base import DecisionFacts, DecisionFault, Entry, Usage
from openplaybook.resources.guardrails import GuardStage
from openplaybook.storage.base import Step
from openplaybook.tools.base import Exchange
from openplaybook.turns.base import TurnInput
from openplaybook.turns.errors import NewerData
from openplaybook.turns.journal import events
from openplaybook.turns.journal.events import Event, ToolDecision, TurnBegun
from openplaybook.turns.journal.journal_messages import entry_json, entry_of, input_json, input_of
from openplaybook.turns.journal.lifts import FORM, VERSION, lifted
from openplaybook.turns.journal.session_state import CallKind, PendingCall

_E = TypeVar("_E")


def row_of(event: Event) -> tuple[str, bytes]:
    """The row of an event: its kind, and JSON."""
    row = stored_form(event)
    row[FORM] = VERSION
    return event.KIND, dumps(row)


def event_of(step: Step) -> Event:
    """The event of a row, written by this version or an earlier one. Raises `NewerData`."""
    kind = _KINDS.get(step.kind)
    if kind is None:
        raise NewerData(f"The session has an event of kind {step.kind!r}, which this server does not know.")
    stored: JsonObject = loads(step.payload)
    return _FORMS[kind].read(lifted(step.kind, stored, stored.pop(FORM, 1)))


def begin_of(happened: Sequence[Event]) -> TurnBegun:
    """The first event of a turn. Raises `ValueError` where that is another one."""
    begin = happened[0]
    if not isinstance(begin, TurnBegun):
        raise ValueError(f"a turn's journal begins with {begin.KIND}")
    return begin


def stored_form(event: Event) -> JsonObject:
    """What the row of an event says, in today's form and without its version."""
    return _FORMS[type(event)].write(event)


@dataclass(frozen=True, slots=True)
class _Value:
    """How values of a type are stored."""

    dump: Callable[[Any], JsonValue]
    load: Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class _Field:
    attribute: str
    name: str
    """In the row."""
    value: _Value | None
    """None: as it is."""
    default: object
    """`MISSING`: the field is always written."""
    beside: str
    """Name of the member beside which it is written also where it has its default; empty: none."""


class _Form(Generic[_E]):
    """The stored form of a dataclass, made from the names and types of its fields."""

    def __init__(self, kind: type[_E]) -> None:
        self._kind = kind
        self._fields = _fields_of(kind)
        # Most of a row is written as it stands: these members are taken together.
        plain = [each for each in self._fields if each.value is None and each.default is MISSING]
        self._plain = tuple(each.name for each in plain)
        self._plain_values = attrgetter(*(each.attribute for each in plain)) if len(plain) > 1 else None
        self._others = [each for each in self._fields if self._plain_values is None or each not in plain]

    def write(self, event: _E) -> JsonObject:
        """The members of the row."""
        row: JsonObject = (
            {} if self._plain_values is None else dict(zip(self._plain, self._plain_values(event), strict=True))
        )
        for each in self._others:
            value = getattr(event, each.attribute)
            if each.default is MISSING or value != each.default or each.beside in row:
                row[each.name] = value if each.value is None else each.value.dump(value)
        return row

    def read(self, row: JsonObject) -> _E:
        """The inverse of `write`; members that no field has are passed over."""
        attributes: dict[str, object] = {}
        for each in self._fields:
            if each.default is MISSING or each.name in row:
                stored = row[each.name]
                attributes[each.attribute] = stored if each.value is None else each.value.load(stored)
        return self._kind(**attributes)


def _fields_of(kind: type) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    row_fields: list[_Field] = []
    for each in fields(kind):
        default = each.default
        if default is MISSING and each.default_factory is not MISSING and each.name != "at":
            default = each.default_factory()
        beside = _camel_case(each.metadata.get(events.BESIDE, ""))
        row_fields.append(_Field(each.name, _camel_case(each.name), _value_of(hints[each.name]), default, beside))
    return tuple(row_fields)


def _camel_case(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(map(str.title, others))


def _value_of(hint: object) -> _Value | None:
    """How a field's values are stored; None: as they are. Raises `TypeError` for a type that nobody described."""
    if hint in _VALUES:
        return _VALUES[hint]
    if hint in _PLAIN or get_origin(hint) is dict:
        return None
    arguments = get_args(hint)
    if get_origin(hint) is UnionType and NoneType in arguments:
        inner = _value_of(next(each for each in arguments if each is not NoneType))
        return inner and _Value(partial(_if_any, inner.dump), partial(_if_any, inner.load))
    if get_origin(hint) is tuple:
        inner = _value_of(arguments[0])
        return _Value(list, tuple) if inner is None else _Value(partial(_each, inner.dump), partial(_all, inner.load))
    raise TypeError(f"the journal has no stored form for {hint}")


def _if_any(convert: Callable[[Any], object], value: object) -> object:
    return None if value is None else convert(value)


def _each(dump: Callable[[Any], JsonValue], values: Sequence[object]) -> list[JsonValue]:
    return [dump(each) for each in values]


def _all(load: Callable[[Any], object], stored: Sequence[JsonValue]) -> tuple[object, ...]:
    return tuple(load(each) for each in stored)


def exchange_json(exchange: Exchange) -> JsonObject:
    """The stored form of an exchange, in which diagnoses show it too."""
    document: JsonObject = {
        "method": exchange.method,
        "url": exchange.url,
        "requestHeaders": _headers(exchange.request_headers),
        "requestBody": exchange.request_body,
        "status": exchange.status,
        "responseHeaders": _headers(exchange.response_headers),
        "responseBody": exchange.response_body,
        "elapsedMs": exchange.elapsed_ms,
        "error": exchange.error,
        "attempts": exchange.attempts,
    }
    return {**document, "responseFile": exchange.response_file} if exchange.response_file else document


def _exchange_of(stored: JsonObject) -> Exchange:
    return Exchange(
        method=stored["method"],
        url=stored["url"],
        request_headers=stored["requestHeaders"],
        request_body=stored["requestBody"],
        status=stored["status"],
        response_headers=stored["responseHeaders"],
        response_body=stored["responseBody"],
        elapsed_ms=stored["elapsedMs"],
        error=stored["error"],
        response_file=stored.get("responseFile", ""),
        attempts=stored["attempts"],
    )


def _headers(headers: Mapping[str, str]) -> JsonObject:
    # HTTP libraries have string types of their own, which JSON does not take as keys.
    return {str(name): str(value) for name, value in headers.items()}


def _usage_json(usage: Usage) -> JsonObject:
    return {"input": usage.input_tokens, "output": usage.output_tokens}


def _usage_of(stored: JsonObject) -> Usage:
    return Usage(stored["input"], stored["output"])


_PLAIN: frozenset[object] = frozenset({str, int, float, bool, Any})
_VALUES: dict[object, _Value] = {
    frozenset[str]: _Value(sorted, frozenset),
    TurnInput: _Value(input_json, input_of),
    Entry: _Value(entry_json, entry_of),
    Usage: _Value(_usage_json, _usage_of),
    Exchange: _Value(exchange_json, _exchange_of),
    PendingCall: _Value(PendingCall.to_json, PendingCall.from_json),
    CallKind: _Value(attrgetter("value"), CallKind),
    GuardStage: _Value(attrgetter("value"), GuardStage),
}


def _described(kind: type[_E]) -> _Value:
    form = _Form(kind)
    return _Value(form.write, form.read)


# Parts before what they are parts of.
for _part in (DecisionFacts, DecisionFault, ToolDecision):
    _VALUES[_part] = _described(_part)

KINDS: tuple[type[Event], ...] = tuple(
    kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and hasattr(kind, "KIND")
)
"""Every kind that is stored."""

_KINDS: Mapping[str, type[Event]] = {kind.KIND: kind for kind in KINDS}
_FORMS: Mapping[type[Event], _Form[Event]] = {kind: _Form(kind) for kind in KINDS}
