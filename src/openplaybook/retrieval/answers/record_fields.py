"""What a structured record says to a question: the fields that the question names, else its title and its text."""

import re
from collections.abc import Sequence, Set

from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.terms import terms, topics
from openplaybook.retrieval.records.record_text import named_lines, title_of

_FEWEST_WORDS = 6
"""Of a value that is the record's text, and no mere property."""
_CASE = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_SIGNS = re.compile(r"[._\-\s]+")


def is_record(snippet: Snippet) -> bool:
    """Whether what is shown of a document is its data, a field a line."""
    return bool(snippet.data) and snippet.text.strip() == named_lines(snippet.data).strip()


def record_answer(query: str, record: Snippet, language: str, most: int) -> str:
    """Lines `name: value` of the fields that a question names; else the title with the text, up to so many characters,
    or with all fields where it has no text."""
    fields = [_field(line) for line in record.text.split("\n") if line.strip()]
    wanted = frozenset(topics(query, language))
    asked = [(name, value) for name, value in fields if name and _names(name, wanted, language)]
    if asked:
        return "\n".join(f"{name}: {value}" for name, value in asked)
    title = record.title or title_of(record.data)
    others = [(name, value) for name, value in fields if value != title]
    texts = [value for _, value in others if len(value.split()) >= _FEWEST_WORDS]
    shown = texts or [f"{name}: {value}" if name else value for name, value in others]
    return "\n".join(_within([title, *shown] if title else shown, most))


def _field(line: str) -> tuple[str, str]:
    name, mark, value = line.partition(": ")
    return (name.strip(), value.strip()) if mark else ("", line.strip())


def _names(name: str, wanted: Set[str], language: str) -> bool:
    """Whether a question has all words of a field's name, or of the last part of one with dots."""
    words = frozenset(terms(_SIGNS.sub(" ", _CASE.sub(" ", name.rpartition(".")[2])), language))
    return bool(words) and words <= wanted


def _within(lines: Sequence[str], most: int) -> Sequence[str]:
    """As many lines as there is room for, the first one in any case."""
    size, kept = 0, 0
    for line in lines:
        size += len(line) + 1
        if kept and size > most:
            break
        kept += 1
    return lines[:kept]
