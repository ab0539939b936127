"""When the values of a property are few because only few are allowed."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from openplaybook.drafting.api_words import words_of
from openplaybook.jsonvalues import JsonValue
from openplaybook.telemetry.redaction import is_secret_name

SeenValue: TypeAlias = tuple[int, JsonValue]
"""A value, and the number of the sample it was seen in."""

_MIN_SAMPLES = 3
_MIN_VALUES = 8
_MAX_OPTIONS = 6
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}", re.ASCII)
_FREE = frozenset(
    {"id", "ids", "name", "title", "description", "text", "message", "comment", "note", "query", "search", "user"}
    | {"username", "city", "street", "country", "author", "owner", "label", "key", "value", "url", "email", "phone"}
)


def options_of(seen: Sequence[SeenValue], name: str) -> list[str]:
    """The values allowed for a text called `name`, sorted; empty without good evidence.

    That is: several samples, many values, few different ones, each met again, all of them words as programs write
    them, under a name that does not promise anything a person may write.
    """
    words = words_of(name)
    if not words or words[-1] in _FREE or is_secret_name(name):
        return []
    if len(seen) < _MIN_VALUES or len({sample for sample, _ in seen}) < _MIN_SAMPLES:
        return []
    counts = Counter(str(value) for _, value in seen)
    if not 1 < len(counts) <= min(_MAX_OPTIONS, len(seen) // 3) or min(counts.values()) < 2:
        return []
    return sorted(counts) if all(map(_TOKEN.fullmatch, counts)) else []
