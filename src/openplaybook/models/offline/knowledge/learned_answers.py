"""Learning answer templates from examples: which words of an agent's answer came from the call and its result."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from openplaybook.jsonvalues import JsonValue, as_list
from openplaybook.models.offline.knowledge.answer_templates import Facts, Hole, Items, Part, fill, middle_separator
from openplaybook.models.offline.knowledge.result_outcome import ResultOutcome, items_in
from openplaybook.models.offline.language.local_forms import LocalForms
from openplaybook.models.offline.language.local_tables import ENGLISH_FORMS
from openplaybook.models.offline.language.tokenizer import is_unspaced, read
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import leaves, pick, spoken
from openplaybook.models.offline.slots.value_contexts import find_words
from openplaybook.models.offline.spans.date_time_spans import find_dates
from openplaybook.models.offline.spans.number_spans import number_word
from openplaybook.models.offline.spans.typed_span import Span

_JOINTS = (" and ", ", and ", " or ", " und ", " y ", " et ", ", ", " & ")
_SENTENCE_END = frozenset(".!?:\"'“(-•\n*")


@dataclass(frozen=True, slots=True)
class AnswerTemplate:
    """How an example answered after a call."""

    parts: tuple[Part, ...]
    status: str
    is_error: bool
    size: str
    """`object`, `empty`, `one` or `many`: what the result held."""
    argument_paths: frozenset[Path]
    """Which arguments the call had."""
    example: str
    """Display name of the example."""


def size_of(outcome: ResultOutcome) -> str:
    """`empty`, `one` or `many` items, or `object` for a body without a list."""
    items = items_in(outcome.body)
    if items is None:
        return "object"
    return ("empty", "one")[len(items)] if len(items) < 2 else "many"


def facts_of(arguments: JsonValue, outcome: ResultOutcome, forms: LocalForms = ENGLISH_FORMS) -> Facts:
    """What can be told about a call and its outcome, in the language with these forms."""
    return Facts(arguments, outcome.body, items_in(outcome.body), forms=forms)


def learn(
    text: str,
    arguments: JsonValue,
    outcome: ResultOutcome,
    example: str,
    known_names: frozenset[str],
    forms: LocalForms = ENGLISH_FORMS,
) -> AnswerTemplate | None:
    """The template behind an example's answer, or None.

    None when the answer cannot be given back exactly from its own values, or states something that comes
    from neither call nor result: a number, a day such as "tomorrow", or a name outside `known_names` (casefolded
    words).
    """
    facts = facts_of(arguments, outcome, forms)
    parts = tuple(_cut(text, facts, is_error=outcome.is_error))
    if any(_day_words(part, facts) for part in parts if isinstance(part, str)):
        dated = _with_days(text, facts)
        if dated is None:
            return None
        text, parts = dated, tuple(_cut(dated, facts, is_error=outcome.is_error))
    if fill(parts, facts) != text or not _is_general(parts, facts, known_names):
        return None
    paths = frozenset(path for path, _ in leaves(arguments))
    return AnswerTemplate(parts, outcome.status, outcome.is_error, size_of(outcome), paths, example)


def _with_days(text: str, facts: Facts) -> str | None:
    """The text with the day of the call in place of words such as "tomorrow", which mean another day every day; None
    where no single day is known that they may stand for."""
    days = {value for _, value in leaves(facts.arguments) if isinstance(value, str) and _DAY.fullmatch(value)}
    written = facts.forms.own(next(iter(days))) if len(days) == 1 else None
    if written is None:
        return None
    for span in reversed(_day_words(text, facts)):
        text = text[: span.start] + written + text[span.end :]
    return text


def _day_words(text: str, facts: Facts) -> list[Span]:
    """Words of a text that name a day by the day on which they are said, today apart, and are no value."""
    told = {value.casefold() for _, value in (*leaves(facts.arguments), *leaves(facts.body)) if isinstance(value, str)}
    return [
        span
        for span in find_dates(read(text), _NO_DAY)
        if not any(map(str.isdigit, span.text))
        and span.value != _NO_DAY.isoformat()
        and span.text.casefold() not in told
    ]


_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_NO_DAY = date(2000, 1, 1)


def _cut(text: str, facts: Facts, *, is_error: bool) -> Iterator[Part]:
    items_place = _find_items(text, facts.items or [], facts.forms)
    holes = list(_holes(facts, is_error=is_error))
    if items_place is None:
        yield from _replaced(text, holes)
        return
    start, end, items = items_place
    yield from _replaced(text[:start], holes)
    yield items
    yield from _replaced(text[end:], holes)


def _holes(facts: Facts, *, is_error: bool) -> Iterator[tuple[str, Hole]]:
    """What may be cut out, in the order in which it is tried: the source that is right more often first."""
    arguments = [(path, value, "argument") for path, value in leaves(facts.arguments)]
    result = [(path, value, "result") for path, value in leaves(facts.body)]
    holes: list[tuple[str, Hole]] = []
    for path, value, source in [*arguments, *result] if is_error else [*result, *arguments]:
        if isinstance(value, list):
            holes.extend(_list_holes(as_list(value), source, path))
        elif not isinstance(value, bool):
            holes.extend(_scalar_holes(value, Hole(source, path), facts.forms))
    if facts.items is not None:
        count = len(facts.items)
        holes.append((str(count), Hole("count")))
        holes.append((number_word(count), Hole("count", in_words=True)))
    yield from sorted(holes, key=lambda hole: -len(hole[0]))


def _scalar_holes(value: JsonValue, hole: Hole, forms: LocalForms) -> Iterator[tuple[str, Hole]]:
    """A value as it is, and as the language writes it."""
    yield spoken(value), hole
    for form, text in forms.writings(value):
        if text != spoken(value):
            yield text, replace(hole, form=form)


def _list_holes(values: Sequence[JsonValue], source: str, path: Path) -> Iterator[tuple[str, Hole]]:
    words = [spoken(value) for value in values]
    if len(words) == 1:
        # How several are joined is unknown here, so the plainest way is taken.
        yield words[0], Hole(source, path, " and ")
        return
    for joint in _JOINTS:
        yield ", ".join(words[:-1]) + joint + words[-1], Hole(source, path, joint)


def _replaced(text: str, holes: Sequence[tuple[str, Hole]]) -> Iterator[Part]:
    for words, hole in holes:
        is_told = words in text and (len(words) > 1 or words.isdigit() or is_unspaced(words))
        place = find_words(words, text) if is_told else None
        if place and text[place[0] : place[1]] == words:
            yield from _replaced(text[: place[0]], holes)
            yield hole
            yield from _replaced(text[place[1] :], holes)
            return
    if text:
        yield text


def _find_items(text: str, items: Sequence[JsonValue], forms: LocalForms) -> tuple[int, int, Items] | None:
    """Where the items are told, and how: start and end in characters, and the pattern."""
    anchors = _anchors(text, items)
    if not anchors:
        return None
    windows = [*(start for start, _ in anchors), len(text)]
    ends: list[int] = []
    first: tuple[Part, ...] = ()
    for index, item in enumerate(items):
        window = text[windows[index] : windows[index + 1]]
        holes = [
            hole
            for path, value in leaves(item)
            if not isinstance(value, list)
            for hole in _scalar_holes(value, Hole("item", path), forms)
        ]
        parts = list(_replaced(window, sorted(holes, key=lambda hole: -len(hole[0]))))
        tail = parts.pop() if parts and isinstance(parts[-1], str) else ""
        ends.append(windows[index + 1] - len(tail if isinstance(tail, str) else ""))
        first = first or tuple(parts)
    between = [text[end:start] for end, start in zip(ends, windows[1:-1], strict=False)]
    pattern = tuple(part for part in first if not isinstance(part, Items))
    return windows[0], ends[-1], _pattern(pattern, between)


def _pattern(parts: tuple[str | Hole, ...], between: Sequence[str]) -> Items:
    if not between:
        return Items(parts, None, "")
    middle = between[0] if len(between) > 1 else middle_separator(between[0])
    return Items(parts, middle, between[-1])


def _anchors(text: str, items: Sequence[JsonValue]) -> list[tuple[int, int]]:
    """Where one member of every item stands, in order: words rather than numbers, the earliest such member."""
    candidates: list[tuple[bool, int, list[tuple[int, int]]]] = []
    for path, value in leaves(items[0]) if items else ():
        places = list(_in_order(text, [pick(item, path) for item in items]))
        if len(places) == len(items):
            candidates.append((not isinstance(value, str), places[0][0], places))
    return min(candidates)[2] if candidates else []


def _in_order(text: str, values: Sequence[JsonValue]) -> Iterator[tuple[int, int]]:
    begin = 0
    for value in values:
        usable = value is not None and not isinstance(value, bool | dict | list)
        place = find_words(spoken(value), text, begin) if usable else None
        if place is None:
            return
        yield place
        begin = place[1]


def _is_general(parts: Sequence[Part], facts: Facts, known_names: frozenset[str]) -> bool:
    before = ""
    for part in parts:
        if isinstance(part, Items):
            item = next(iter(facts.items or []), None)
            if not all(_is_plain(piece, "x", known_names) for piece in part.parts if isinstance(piece, str)):
                return False
            before = fill((part,), facts, item) or ""
        elif isinstance(part, Hole):
            before = fill((part,), facts) or ""
        else:
            if not _is_plain(part, before, known_names):
                return False
            before = part
    return True


def _is_plain(text: str, before: str, known_names: frozenset[str]) -> bool:
    return not re.search(r"\d", text) and not any(_unknown_names(text, before, known_names))


def _unknown_names(text: str, before: str, known_names: frozenset[str]) -> Iterator[str]:
    """Capitalised words inside a sentence that the agent's own texts do not have."""
    for token in read(text).words:
        preceding = (before + text[: token.start]).rstrip(" ")
        begins = not preceding or preceding[-1] in _SENTENCE_END or text[token.end : token.end + 1] == "$"
        if token.text[0].isupper() and not begins and token.text != "I" and token.text.casefold() not in known_names:
            yield token.text
