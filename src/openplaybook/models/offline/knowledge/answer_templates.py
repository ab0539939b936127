"""An answer with holes: what an example's words become when its values are taken out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list
from openplaybook.models.offline.language.local_forms import PLAIN, LocalForms
from openplaybook.models.offline.language.local_tables import ENGLISH_FORMS
from openplaybook.models.offline.language.tokenizer import singular
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import pick, spoken
from openplaybook.models.offline.spans.number_spans import number_word

MOST_ITEMS = 5
"""Items of a list that are told; the rest is counted."""
_CLAUSE = re.compile(r"(?=[,;(] )|(?<=[.!?])(?= )|(?= \()|(?=[.!?](?: |$))")
_MARKS = (".", "!", "?")
_AND = re.compile(r",?\s+(?:and|or|und|oder|y|o|et|ou|&)\s+")


@dataclass(frozen=True, slots=True)
class Facts:
    """What an answer may tell."""

    arguments: JsonObject
    body: JsonValue
    items: list[JsonValue] | None
    """The list in the body; None when it holds none."""
    more: str = "and {} more"
    """Behind a list that is cut; the number of items left out goes in."""
    forms: LocalForms = ENGLISH_FORMS
    """How the language of the answer writes values."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A place for a value."""

    source: str
    """`argument`, `result` (of the body), `item` (of one item) or `count` (of items)."""
    path: Path = ()
    joint: str = ", "
    """What stands before the last of several values."""
    in_words: bool = False
    """A count written as a word."""
    form: str = PLAIN
    """How the value is written: as it is, or a form of `LocalForms.writings`."""


@dataclass(frozen=True, slots=True)
class Items:
    """A place for all items of the list."""

    parts: tuple["str | Hole", ...]
    """One item."""
    separator: str | None
    """Between two items; None when the example had only one."""
    last_separator: str


Part: TypeAlias = str | Hole | Items


def fill(parts: Sequence[Part], facts: Facts, item: JsonValue = None) -> str | None:
    """The words with all holes filled. Clauses that lack a value are left out; None when nothing is left to tell."""
    clauses: list[str] = []
    is_missing = is_telling = was_left_out = False
    for clause in _clauses(parts):
        words = [word for part in clause if (word := _words(part, facts, item)) is not None]
        was_left_out, follows_gap = len(words) < len(clause), was_left_out
        if was_left_out:
            is_missing = True
            if not clauses:
                return None
            continue
        text = "".join(words)
        if follows_gap and text in _MARKS and clauses[-1].endswith(_MARKS):
            # The sentence that this mark closes is gone.
            continue
        clauses.append(text)
        is_telling = is_telling or any(isinstance(part, Hole | Items) for part in clause)
    return None if is_missing and not is_telling else _agreeing("".join(clauses), parts, facts)


def _clauses(parts: Sequence[Part]) -> list[list[Part]]:
    clauses: list[list[Part]] = [[]]
    for part in parts:
        if not isinstance(part, str):
            clauses[-1].append(part)
            continue
        first, *others = _CLAUSE.split(part)
        if first:
            clauses[-1].append(first)
        clauses.extend([other] for other in others)
    return [clause for clause in clauses if clause]


def _words(part: Part, facts: Facts, item: JsonValue) -> str | None:
    if isinstance(part, str):
        return part
    if isinstance(part, Items):
        return _items(part, facts)
    if part.source == "count":
        count = len(facts.items or [])
        return (number_word(count) if part.in_words else "") or str(count)
    root = {"argument": facts.arguments, "result": facts.body, "item": item}[part.source]
    value = pick(root, part.path)
    return _value(value, part.joint) if part.form == PLAIN else facts.forms.written(value, part.form)


def _value(value: JsonValue, joint: str) -> str | None:
    if isinstance(value, list):
        words = [spoken(item) for item in as_list(value) if not isinstance(item, dict | list)]
        return join(words, ", ", joint) or None
    return None if value is None or isinstance(value, dict) else spoken(value) or None


def _items(part: Items, facts: Facts) -> str | None:
    items = facts.items or []
    if not items or (part.separator is None and len(items) > 1):
        return None
    filled_items = [fill(part.parts, facts, item) for item in items[:MOST_ITEMS]]
    words = [text for text in filled_items if text is not None]
    if len(words) < len(filled_items):
        return None
    if len(items) > MOST_ITEMS:
        return f"{(part.separator or '').join(words)} {facts.more.format(len(items) - MOST_ITEMS)}"
    return join(words, part.separator or "", part.last_separator)


def join(words: Sequence[str], separator: str, last_separator: str) -> str:
    """Words as a list in a sentence."""
    if len(words) < 2:
        return "".join(words)
    return separator.join(words[:-1]) + last_separator + words[-1]


def middle_separator(last: str) -> str:
    """What stands between two of several, from what stands before the last: `) and ` gives `), `."""
    return _AND.sub(", ", last)


def _agreeing(text: str, parts: Sequence[Part], facts: Facts) -> str:
    """The noun behind a count in the singular when the count is one."""
    counted = any(isinstance(part, Hole) and part.source == "count" for part in parts)
    if not counted or len(facts.items or []) != 1:
        return text
    return re.sub(r"\b(1|one) (\w+)", lambda match: f"{match[1]} {singular(match[2])}", text, count=1)
