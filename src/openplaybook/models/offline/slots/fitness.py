"""How well a recognised span suits a slot by type alone, and the value it would give."""

import re

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.language.tokenizer import key_of
from openplaybook.models.offline.slots.slot_schema import Slot
from openplaybook.models.offline.slots.slot_values import fits
from openplaybook.models.offline.spans.measures import COUNT
from openplaybook.models.offline.spans.typed_span import Span, SpanKind

_ISO_HINT = re.compile(r"yyyy-mm-dd|iso[ -]?8601|\biso\b", re.IGNORECASE)
_CLOCK_HINT = re.compile(r"hh:mm|24[ -]?h", re.IGNORECASE)


def _topic(words: str) -> frozenset[str]:
    return frozenset(map(key_of, words.split()))


_DATES = _topic("date day when birthday")
_TIMES = _topic("time hour clock when")
_PAST = _topic("since past previous born birth birthday birthdate bought purchase happened occurred incident history")
_PAST_NAMES = _PAST | _topic("order ordered placed created posted published")
"""The day an order is for may lie ahead, but a parameter called `order_date` is about one that was made."""
_CODES = _topic("id number code zip postal reference key sku serial account phone order")
_STREETS = _topic("street address addresses straße strasse adresse anschrift calle dirección rue")
_EMAILS = _topic("email mail")
_PHONES = _topic("phone telephone mobile")
_URLS = _topic("url link website uri")

_MARKED = {
    SpanKind.EMAIL: (_EMAILS, "email"),
    SpanKind.PHONE: (_PHONES, "phone"),
    SpanKind.URL: (_URLS, "uri"),
}


def fitness(slot: Slot, span: Span) -> tuple[JsonValue, float] | None:
    """The slot's value from a span and how likely it is meant, 0 to 1; None when it cannot be."""
    if slot.type in ("integer", "number"):
        return _number(slot, span)
    if slot.type != "string" or slot.options:
        return None
    value, score = _text(slot, span)
    return (value, score) if score > 0 and fits(slot, value) else None


def _number(slot: Slot, span: Span) -> tuple[JsonValue, float] | None:
    value = span.value
    if span.kind is not SpanKind.NUMBER or not _may_measure(slot, span):
        return None
    if slot.type == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    return (value, 0.05 if span.is_weak else 0.45) if fits(slot, value) else None


def _may_measure(slot: Slot, span: Span) -> bool:
    """Whether a number that measures something may stand in the slot: never where something is identified by it."""
    return span.measure in ("", COUNT) or not slot.is_identifier


def _text(slot: Slot, span: Span) -> tuple[JsonValue, float]:
    if span.kind in _MARKED:
        topic, format_name = _MARKED[span.kind]
        return span.value, 0.9 if slot.cue_keys & topic or slot.schema.get("format") == format_name else 0.0
    if span.kind in (SpanKind.DATE, SpanKind.TIME):
        return _moment(slot, span)
    if slot.schema.get("format") in ("date", "time", "date-time", "email", "uri"):
        return "", 0.0
    return span.text, _free_text_score(slot, span)


def _moment(slot: Slot, span: Span) -> tuple[JsonValue, float]:
    is_date = span.kind is SpanKind.DATE
    wanted = "date" if is_date else "time"
    hint = _ISO_HINT if is_date else _CLOCK_HINT
    value = span.past if span.past is not None and _is_past(slot) else span.value
    if slot.schema.get("format") == wanted or hint.search(slot.description):
        return value, 0.9
    if slot.name_keys & (_DATES if is_date else _TIMES):
        return value if is_date else span.text, 0.8
    return span.text, 0.5 if slot.cue_keys & (_DATES if is_date else _TIMES) else 0.0


def _free_text_score(slot: Slot, span: Span) -> float:
    is_code = bool(slot.name_keys & _CODES or "pattern" in slot.schema)
    scores = {
        SpanKind.QUOTED: 0.5,
        SpanKind.CODE: 0.75 if is_code else 0.3,
        SpanKind.ADDRESS: 0.9 if slot.cue_keys & _STREETS else 0.3,
        SpanKind.NUMBER: 0.45 if is_code and _is_number_of(slot, span) else 0.0,
        SpanKind.NAME: 0.25 if span.is_weak or is_code or slot.name_keys & (_DATES | _TIMES) else 0.35,
    }
    return scores.get(span.kind, 0.0)


def _is_number_of(slot: Slot, span: Span) -> bool:
    return not span.is_weak and span.text.isdigit() and span.measure in ("", COUNT) and _may_measure(slot, span)


def _is_past(slot: Slot) -> bool:
    """Whether a slot's name or description speaks of something that has happened."""
    return bool(slot.cue_keys & _PAST or slot.name_keys & _PAST_NAMES)
