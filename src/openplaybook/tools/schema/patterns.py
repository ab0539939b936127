"""Regular expressions in schemas: which the validator takes, and how many.

Compiled, one may take megabytes, whatever its length; those of a validator stay as long as it does. What is left out
is the service's to check.
"""

from functools import lru_cache

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_MAX_BYTES = 50_000
"""Of one compiled expression, whose engines take some times as much; 190 of 198 in real descriptions take less."""

MAX_PATTERNS = 200
"""In one validator."""

OPTIONS = jsonschema_rs.FancyRegexOptions(size_limit=_MAX_BYTES, dfa_size_limit=_MAX_BYTES)


@lru_cache(maxsize=1024)
def is_usable(pattern: str) -> bool:
    """Whether the validator takes a regular expression."""
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True, pattern_options=OPTIONS)
    except ValueError:
        return False
    return True


def with_few_patterns(schema: JsonObject) -> JsonObject:
    """`schema`, or one without the patterns that are too many for a validator."""
    return schema if _count(schema) <= MAX_PATTERNS else as_object(_Pruner().pruned(schema))


def _count(schema: JsonObject) -> int:
    count, waiting = 0, list[JsonValue]([schema])
    while waiting:
        value = waiting.pop()
        members = as_object(value)
        count += isinstance(members.get("pattern"), str) + len(as_object(members.get("patternProperties")))
        waiting.extend((*members.values(), *as_list(value)))
    return count


class _Pruner:
    """Keeps the first patterns it meets."""

    def __init__(self) -> None:
        self._left = MAX_PATTERNS

    def pruned(self, value: JsonValue) -> JsonValue:
        """A copy of a value with at most as many patterns as are left."""
        if isinstance(value, list):
            return [self.pruned(item) for item in as_list(value)]
        if not isinstance(value, dict):
            return value
        members = dict(as_object(value))
        if isinstance(members.get("pattern"), str) and not self._take(1):
            del members["pattern"]
        if "patternProperties" in members and not self._take(len(as_object(members["patternProperties"]))):
            del members["patternProperties"]
            members.pop("additionalProperties", None)
        return {key: self.pruned(item) for key, item in members.items()}

    def _take(self, patterns: int) -> bool:
        self._left -= patterns
        return self._left >= 0
