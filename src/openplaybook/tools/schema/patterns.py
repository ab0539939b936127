"""Regular expressions in schemas: which the validator takes, and how long one may look at a text.

Compiled, one may take megabytes, whatever its length. What is left out is the service's to check. Most run
in linear time; those that look around or back may take a step for every way there is to read a text, and are given up
after so many.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_MAX_BYTES = 50_000
"""Of one compiled expression, whose engines take some times as much; 190 of 198 in real descriptions take less."""

_FEW_STEPS, _MANY_STEPS = 10_000, 1_000_000
"""Of backtracking, before a pattern is given up: where others wait, and in a process of its own."""

_LOOKS_ABOUT = re.compile(r"\(\?(?![:a-zA-Z-])|\(\?P=|\\[1-9kgKGZz]|[*+?}]\+")
"""What the linear engine does not have: look-around, references back, atomic groups and what takes all it can."""

_COSTLY = 4
_SHORT = 80


def options(*, patient: bool) -> jsonschema_rs.FancyRegexOptions:
    """How patterns are compiled; `patient` where nobody else waits."""
    steps = _MANY_STEPS if patient else _FEW_STEPS
    return jsonschema_rs.FancyRegexOptions(steps, _MAX_BYTES, _MAX_BYTES)


OPTIONS = options(patient=False)


def backtracks(pattern: str) -> bool:
    """Whether a pattern may need to try many ways to read a text; false for those that run in linear time."""
    return _LOOKS_ABOUT.search(pattern) is not None


def steps_a_character(pattern: str) -> int:
    """Steps that a pattern in linear time takes for a character, roughly."""
    return _COSTLY if "{" in pattern or len(pattern) > _SHORT else 1


@lru_cache(maxsize=1024)
def is_usable(pattern: str) -> bool:
    """Whether the validator takes a regular expression."""
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True, pattern_options=OPTIONS)
    except ValueError:
        return False
    return True


def backtracking_patterns(schema: JsonObject) -> set[str]:
    """The patterns in a schema that may backtrack."""
    patterns: set[str] = set()
    waiting: list[JsonValue] = [schema]
    while waiting:
        value = waiting.pop()
        members = as_object(value)
        named = [members.get("pattern"), *as_object(members.get("patternProperties"))]
        patterns.update(pattern for pattern in named if isinstance(pattern, str) and backtracks(pattern))
        waiting.extend((*members.values(), *as_list(value)))
    return patterns


def gives_up(patterns: Iterable[str], value: JsonValue) -> bool:
    """Whether one of the patterns is given up on one of the texts in a value, names of members included."""
    judges = [
        jsonschema_rs.Draft202012Validator({"pattern": each}, offline=True, pattern_options=options(patient=True))
        for each in patterns
        if is_usable(each)
    ]
    limits = (
        jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded,
        jsonschema_rs.ValidationErrorKind.RegexEngineFailure,
    )
    texts: set[str] = set()
    waiting: list[JsonValue] = [value]
    while waiting:
        part = waiting.pop()
        texts.update(as_object(part), (part,) if isinstance(part, str) else ())
        waiting.extend((*as_object(part).values(), *as_list(part)))
    return any(
        isinstance(error.kind, limits) for judge in judges for text in texts for error in judge.iter_errors(text)
    )
