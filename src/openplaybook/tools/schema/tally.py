"""Checks of one value by one schema, counted part by part: exact where an estimate by size alone is far too large.

Each schema is counted once for each part of the value, so that counting costs little where judging would cost much.
"""

from collections.abc import Iterable

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.schema.expansion import IN_PLACE, Expansion, add_keyword, children, target

_MAX_PAIRS = 3_000
"""Schemas with parts of the value that are looked at: a few milliseconds."""
_MAX_PARTS = 30_000
"""Members and items that are gone through meanwhile, each as often as a schema applies to what holds it."""
_BACKTRACKING = 1_500
_SQUARED = 64


def text_checks(worst: Expansion, texts: int, characters: int, longest: int) -> int:
    """Checks that take as long as the patterns of an expansion do on so many texts."""
    found = worst.steps * (characters + texts)
    if worst.backtracking:
        found += worst.backtracking * (texts * _BACKTRACKING + characters * longest // _SQUARED)
    return found


class Uncounted(Exception):
    """There are too many to be counted."""


class Tally:
    """Counts the checks of values by one schema whose definitions do not go round in circles."""

    def __init__(self, schema: JsonObject) -> None:
        self._schema = schema
        self._known: dict[tuple[int, int], tuple[JsonValue, int]] = {}
        self._expansions: dict[int, tuple[JsonObject, Expansion]] = {}
        self._left = _MAX_PAIRS
        self._parts = _MAX_PARTS

    @property
    def parts_seen(self) -> int:
        """Parts that were gone through so far; the last step may go beyond the limit."""
        return _MAX_PARTS - self._parts

    def checks(self, value: JsonValue) -> int:
        """How many checks `value` takes at most. Raises `Uncounted`."""
        try:
            return self._of(self._schema, value)
        except RecursionError as error:
            raise Uncounted from error

    def _of(self, schema: JsonValue, value: JsonValue) -> int:
        self._go_through(1)
        key = (id(schema), id(value))
        known = self._known.get(key)
        if known is not None:
            return known[1]
        self._left -= 1
        if self._left < 0:
            raise Uncounted
        members = as_object(schema)
        total = self._own(members, value)
        for word, said in members.items():
            if word == "$ref":
                total += self._of(target(self._schema, str(said)), value)
            elif word in IN_PLACE:
                total += sum(self._of(each, value) for each in children(said, word))
        if isinstance(value, dict):
            total += self._of_members(members, as_object(value))
        elif isinstance(value, list):
            total += self._of_items(members, as_list(value))
        if "unevaluatedProperties" in members or "unevaluatedItems" in members:
            total *= 2
        # With the schema, so that its identity stays its own.
        self._known[key] = (schema, total)
        return total

    def _go_through(self, parts: int) -> None:
        self._parts -= parts
        if self._parts < 0:
            raise Uncounted

    def _own(self, schema: JsonObject, value: JsonValue) -> int:
        """Checks by keywords that look into nothing."""
        own = self._keywords(schema)
        names = as_object(value)
        self._go_through(len(names))
        texts: Iterable[str] = (value,) if isinstance(value, str) else names
        lengths = [len(text) for text in texts]
        size = len(lengths) + len(as_list(value)) if schema.get("uniqueItems") is True else len(lengths)
        return own.checks + size + text_checks(own, len(lengths), sum(lengths), max(lengths, default=0))

    def _keywords(self, schema: JsonObject) -> Expansion:
        """What a schema's own keywords take, found out once."""
        known = self._expansions.get(id(schema))
        if known is None:
            own = Expansion(checks=1)
            self._go_through(len(schema))
            for word, said in schema.items():
                add_keyword(word, said, own, [])
            known = self._expansions[id(schema)] = (schema, own)
        return known[1]

    def _of_members(self, schema: JsonObject, value: JsonObject) -> int:
        properties = as_object(schema.get("properties"))
        everywhere = [*as_object(schema.get("patternProperties")).values()]
        others = [schema[word] for word in ("additionalProperties", "unevaluatedProperties") if word in schema]
        names = schema.get("propertyNames")
        total = 0
        self._go_through(len(value) * (1 + len(everywhere)))
        for name, member in value.items():
            applied = [*everywhere, *((properties[name],) if name in properties else others)]
            total += sum(self._of(each, member) for each in applied if isinstance(each, dict))
            total += self._of(names, name) if isinstance(names, dict) else 0
        return total

    def _of_items(self, schema: JsonObject, value: list[JsonValue]) -> int:
        first = as_list(schema.get("prefixItems"))
        others = [schema[word] for word in ("items", "unevaluatedItems", "contains") if word in schema]
        total = 0
        self._go_through(len(value))
        for index, item in enumerate(value):
            applied = [*others, *first[index : index + 1]]
            total += sum(self._of(each, item) for each in applied if isinstance(each, dict))
        return total
