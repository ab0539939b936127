"""Checks of one value by one schema, counted part by part: exact where an estimate by size alone is far too large.

Each schema is counted once for each part of the value, so that counting costs little where judging would cost much.
"""

from collections.abc import Iterable

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.schema.expansion import IN_PLACE, Expansion, add_keyword, children, target, weight_of

_MAX_PAIRS = 3_000
"""Schemas with parts of the value that are looked at: a few milliseconds."""
_MAX_PARTS = 30_000
"""Members and items that are gone through meanwhile, each as often as a schema applies to what holds it."""
_BACKTRACKING = 1_500
_SQUARED = 64


def text_checks(worst: Expansion, texts: int, characters: int, longest: int) -> int:
    """Checks that take as long as the patterns of an expansion do on so many texts."""
    total = worst.steps * (characters + texts)
    if worst.backtracking:
        total += worst.backtracking * (texts * _BACKTRACKING + characters * longest // _SQUARED)
    return total


class Uncounted(Exception):
    """There are too many to be counted."""


class CheckTally:
    """Counts the checks of values by one schema whose definitions do not go round in circles."""

    def __init__(self, schema: JsonObject, large_numbers: int, weight: int) -> None:
        """`large_numbers`: how many are in the value that are compared slowly, of a `weight` together."""
        self._schema = schema
        self._large_numbers = large_numbers
        self._weight = weight
        self._known: dict[tuple[int, int], tuple[JsonValue, int]] = {}
        self._plans: dict[int, _Plan] = {}
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
        plan = self._plan(schema)
        self._go_through(len(plan.in_place))
        total = self._own(plan, value) + sum(self._of(each, value) for each in plan.in_place)
        if isinstance(value, dict):
            total += self._of_members(plan, as_object(value))
        elif isinstance(value, list):
            total += self._of_items(plan, as_list(value))
        if plan.judges_twice:
            total *= 2
        # With the schema, so that its identity stays its own.
        self._known[key] = (schema, total)
        return total

    def _plan(self, schema: JsonValue) -> "_Plan":
        plan = self._plans.get(id(schema))
        if plan is None:
            members = as_object(schema)
            # A schema is looked through once, however many values it judges.
            self._go_through(len(members))
            plan = self._plans[id(schema)] = _Plan(members, self._schema)
        return plan

    def _go_through(self, parts: int) -> None:
        self._parts -= parts
        if self._parts < 0:
            raise Uncounted

    def _own(self, plan: "_Plan", value: JsonValue) -> int:
        """Checks by keywords that look into nothing."""
        own = plan.own
        names = as_object(value)
        self._go_through(len(names))
        texts: Iterable[str] = (value,) if isinstance(value, str) else names
        lengths = [len(text) for text in texts]
        total = own.checks + len(lengths)
        if own.numbers and self._weight:
            total += own.numbers * (self._weight if isinstance(value, dict | list) else weight_of(value))
        if plan.compares_items:
            total += len(as_list(value)) + self._large_numbers * self._weight
        return total + text_checks(own, len(lengths), sum(lengths), max(lengths, default=0))

    def _of_members(self, plan: "_Plan", value: JsonObject) -> int:
        total = 0
        self._go_through(len(value) * (1 + len(plan.of_each_member)))
        for name, member in value.items():
            named = (plan.properties[name],) if name in plan.properties else plan.of_other_members
            total += sum(self._of(each, member) for each in (*plan.of_each_member, *named) if isinstance(each, dict))
            total += self._of(plan.names, name) if plan.names else 0
        return total

    def _of_items(self, plan: "_Plan", value: list[JsonValue]) -> int:
        total = 0
        self._go_through(len(value))
        for index, item in enumerate(value):
            applied = (*plan.of_items, *plan.first_items[index : index + 1])
            total += sum(self._of(each, item) for each in applied if isinstance(each, dict))
        return total


class _Plan:
    """What a schema asks of each value that it judges."""

    def __init__(self, schema: JsonObject, whole: JsonObject) -> None:
        self.own = Expansion(checks=1)
        """Keywords that look into nothing."""
        self.in_place: list[JsonValue] = []
        """Schemas that judge the value itself."""
        for word, operand in schema.items():
            add_keyword(word, operand, self.own, [])
            if word == "$ref":
                self.in_place.append(target(whole, str(operand)))
            elif word in IN_PLACE:
                self.in_place += children(operand, word)
        self.properties = as_object(schema.get("properties"))
        self.of_each_member = list(as_object(schema.get("patternProperties")).values())
        self.of_other_members = _keyword_values(schema, "additionalProperties", "unevaluatedProperties")
        self.names = as_object(schema.get("propertyNames"))
        self.first_items = as_list(schema.get("prefixItems"))
        self.of_items = _keyword_values(schema, "items", "unevaluatedItems", "contains")
        self.compares_items = schema.get("uniqueItems") is True
        self.judges_twice = "unevaluatedProperties" in schema or "unevaluatedItems" in schema


def _keyword_values(schema: JsonObject, *words: str) -> list[JsonValue]:
    return [schema[word] for word in words if word in schema]
