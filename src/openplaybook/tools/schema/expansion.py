"""How much work a schema makes of a value: schemas that apply in place multiply, and so do those of parts of parts.

JSON Schema 2020-12 core §10.2: `allOf`, `anyOf`, `oneOf`, `not`, `if` and their like, and `$ref`, judge the value
itself, and no validator remembers what it has judged. A small description can ask for 2^40.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import cast
from urllib.parse import unquote

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.tools.schema.patterns import backtracks, steps_a_character

MAX_EXPANSION = 20_000
"""Schemas that one value is judged by. Real descriptions reach some hundreds."""

IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
"""Keywords whose schemas judge what their own schema judges."""
_OF_MEMBERS = frozenset({"additionalProperties", "propertyNames", "unevaluatedProperties"})
_OF_ITEMS = frozenset({"items", "contains", "unevaluatedItems"})
_UNHEARD = frozenset(
    {"not", "if", "contains", "patternProperties", "oneOf", "unevaluatedProperties", "unevaluatedItems"}
)
"""Keywords for which a pattern that was given up counts as one that does not match, without an error."""
_PREFIX = "#/$defs/"
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_LOOKED_UP = frozenset({str, bool, type(None)})
_WORD = 2**63
_LARGE_FLOAT, _SMALL_FLOAT = 1e18, 1e-18
_LARGE_BOUND, _FRACTION, _LONG_FLOAT = 20, 25, 150
"""Checks that take as long: with a long bound, with a fraction, with the digits of a double that is huge or tiny."""
_SQUARED = 1_500
"""Digits times digits that take as long as a check."""


@dataclass(slots=True)
class Expansion:
    """What one value is judged by, at the worst place of a schema; in a sum, what it is judged by at one place."""

    schemas: int = 0
    """Schemas that judge it."""
    checks: int = 0
    """The same, and options of enumerations and names of members that are compared one by one."""
    of_members: int = 0
    """Schemas that apply to one member of an object."""
    of_items: int = 0
    """Schemas that apply to one item of a list."""
    steps: int = 0
    """Steps for each character of a text, by patterns that run in linear time."""
    backtracking: int = 0
    """Patterns that may backtrack."""
    numbers: int = 0
    """Numbers that a number is compared with."""

    def add(self, other: "Expansion") -> None:
        """Both judge the value."""
        self.schemas += other.schemas
        self.checks += other.checks
        self.of_members += other.of_members
        self.of_items += other.of_items
        self.steps += other.steps
        self.backtracking += other.backtracking
        self.numbers += other.numbers

    def reach(self, other: "Expansion") -> None:
        """Either judges the value: the worse one, in each respect."""
        self.schemas = max(self.schemas, other.schemas)
        self.checks = max(self.checks, other.checks)
        self.of_members = max(self.of_members, other.of_members)
        self.of_items = max(self.of_items, other.of_items)
        self.steps = max(self.steps, other.steps)
        self.backtracking = max(self.backtracking, other.backtracking)
        self.numbers = max(self.numbers, other.numbers)


@dataclass(frozen=True, slots=True)
class ValidationCost:
    """What is known of a schema before it is compiled."""

    worst: Expansion
    expands_too_far: bool
    """Whether a value, or a part of it at any depth, is judged by more than `MAX_EXPANSION` schemas at once."""
    circles: bool
    """Whether definitions refer to each other without leaving the value: their paths multiply."""
    compares_items: bool
    """Whether items of lists are compared with each other."""
    gives_up_unheard: bool
    """Whether a pattern may backtrack whose giving up makes no error."""


def cost_of(schema: JsonObject) -> ValidationCost:
    """Look through a schema and its definitions, each part once."""
    counter = _Counter(schema)
    waiting: list[JsonValue] = [schema]
    worst = Expansion()
    try:
        while waiting:
            expansion = counter.count(as_object(waiting.pop()), waiting)
            worst.reach(expansion)
            if expansion.schemas > MAX_EXPANSION:
                break
    except RecursionError:
        worst.schemas = MAX_EXPANSION + 1
    return ValidationCost(
        worst,
        expands_too_far=worst.schemas > MAX_EXPANSION,
        circles=counter.circles,
        compares_items=counter.compares_items,
        gives_up_unheard=bool(worst.backtracking) and not _UNHEARD.isdisjoint(counter.seen),
    )


class _Counter:
    """Counts schemas, each definition once."""

    def __init__(self, schema: JsonObject) -> None:
        self._schema = schema
        self._found: dict[str, Expansion | None] = {}
        """By reference; None while it is being counted."""
        self.circles = False
        self.compares_items = False
        self.seen: set[str] = set()

    def count(self, schema: JsonObject, parts: list[JsonValue]) -> Expansion:
        """What judges that which `schema` judges; the schemas of its parts are added to `parts`."""
        total = Expansion(schemas=1, checks=1)
        self.seen.update(schema)
        members = 0
        for key, value in schema.items():
            if key == "properties":
                # A member has one name, so one of them applies, or what is said of all others.
                members = 1
                parts.extend(as_object(value).values())
            elif key in _OF_MEMBERS:
                if isinstance(value, dict):
                    members += key != "additionalProperties" or "properties" not in schema
                    parts.append(value)
            elif key in _OF_ITEMS:
                total.of_items += key != "items" or "prefixItems" not in schema
                parts.append(value)
            elif key == "prefixItems":
                total.of_items += 1
                parts.extend(as_list(value))
            elif key == "$defs":
                parts.extend(as_object(value).values())
            elif key == "$ref":
                total.add(self._of_reference(str(value)))
            elif key in IN_PLACE:
                self._add_all(children(value, key), parts, total)
            else:
                add_keyword(key, value, total, parts)
        total.of_members += members
        self.compares_items = self.compares_items or schema.get("uniqueItems") is True
        if "unevaluatedProperties" in schema or "unevaluatedItems" in schema:
            # What has been judged is found by judging it once more.
            total.checks *= 2
            total.of_members *= 2
            total.of_items *= 2
        return total

    def _add_all(self, children: Iterable[JsonValue], parts: list[JsonValue], total: Expansion) -> None:
        for child in children:
            total.add(self.count(as_object(child), parts))
            if total.schemas > MAX_EXPANSION:
                break

    def _of_reference(self, reference: str) -> Expansion:
        if reference not in self._found:
            self._found[reference] = None
            # Its parts are counted with the definitions.
            self._found[reference] = self.count(target(self._schema, reference), [])
        expansion = self._found[reference]
        if expansion is None:
            self.circles = True
            return Expansion()
        return expansion


def target(schema: JsonObject, reference: str) -> JsonObject:
    """What a reference within `schema` refers to; empty where that is nothing."""
    value: JsonValue = as_object(schema.get("$defs")).get(reference.removeprefix(_PREFIX))
    if value is not None or not reference.startswith("#"):
        return as_object(value)
    value = schema
    for step in reference.removeprefix("#").split("/")[1:]:
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            items = as_list(value)
            value = items[int(name)] if name.isdecimal() and int(name) < len(items) else None
        else:
            value = as_object(value).get(name)
    return as_object(value)


def add_keyword(key: str, value: JsonValue, total: Expansion, parts: list[JsonValue]) -> None:
    """What one of the keywords that need no others adds."""
    if key in ("enum", "const"):
        _add_options(as_list(value) if key == "enum" else [value], total)
    elif key in _BOUNDS:
        total.numbers += 1
        # A whole number is divided by fast; else fractions are made, of as many digits as the number has.
        weight = weight_of(value)
        if key != "multipleOf":
            total.checks += _LARGE_BOUND if weight else 0
        elif not isinstance(value, int) and not (isinstance(value, float) and value.is_integer()):
            total.checks += _FRACTION + weight
    elif key == "required":
        # Each name that is missing is told of.
        total.checks += len(as_list(value))
    elif key == "dependentRequired":
        total.checks += sum(1 + len(as_list(names)) for names in as_object(value).values())
    elif key == "pattern":
        _add_pattern(str(value), total)
    elif key == "patternProperties":
        for pattern in as_object(value):
            _add_pattern(pattern, total)
            total.of_members += 1
        total.checks += len(as_object(value))
        parts.extend(as_object(value).values())


def _add_options(options: list[JsonValue], total: Expansion) -> None:
    """Texts are looked up; all else is compared one by one, with everything within it."""
    others = [each for each in options if type(each) not in _LOOKED_UP]
    total.checks += 1
    while others:
        total.checks += len(others)
        total.numbers += sum(is_number(each) for each in others)
        others = [
            item for each in others for item in (as_object(each).values() if isinstance(each, dict) else as_list(each))
        ]


def weight_of(number: JsonValue) -> int:
    """Checks that take as long as comparing a number does that no machine word holds; 0 for all others.

    The validator has it as a text, of which it makes a fraction each time: that takes the square of its digits.
    """
    kind = cast(type[object], type(number))
    if kind is float:
        return 0 if _SMALL_FLOAT < abs(number) < _LARGE_FLOAT or not number else _LONG_FLOAT
    if kind is int:
        return 0 if -_WORD <= number < _WORD else _FRACTION + int(number.bit_length() / 3.3) ** 2 // _SQUARED
    if kind is Decimal:
        return _FRACTION + (len(str(number)) + abs(number.adjusted())) ** 2 // _SQUARED
    return 0


def _add_pattern(pattern: str, total: Expansion) -> None:
    if backtracks(pattern):
        total.backtracking += 1
    else:
        total.steps += steps_a_character(pattern)


def children(value: JsonValue, key: str) -> Iterable[JsonValue]:
    """The schemas that a keyword of `IN_PLACE` has."""
    if key == "dependentSchemas":
        return as_object(value).values()
    return as_list(value) if isinstance(value, list) else (value,)
