"""Schemas and values that are small and would take minutes, or gigabytes, to be judged together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue

SLOW = frozenset(
    {
        "the same over 30 kB",
        "what must not follow",
        "a look ahead at every character",
        "texts by a hundred patterns",
        "300 kinds of lists",
        "300 kinds of lists, wrong at the end",
        "one of 300 kinds of lists",
        "lists judged twice at each level, by anyOf",
        "lists judged twice at each level, by oneOf",
        "lists judged twice and not so",
        "definitions that are each other, by allOf",
        "30,000 large integers that differ",
        "30,000 objects that differ",
        "20,000 lists to choose from",
        "20,000 words to choose from",
        "9,000 members that are missing",
        "numbers of many steps",
    }
)
"""Names of those that take more than a moment in a process of their own: tests of a moment leave them out."""


@dataclass(frozen=True, slots=True)
class Heavy:
    """A schema and a value for it."""

    name: str
    schema: JsonObject
    value: Callable[[], JsonValue]


def _nested(levels: int, leaf: JsonValue) -> JsonValue:
    for _ in range(levels):
        leaf = [leaf]
    return leaf


def _objects(levels: int, leaf: JsonValue) -> JsonValue:
    for _ in range(levels):
        leaf = {"x": leaf}
    return leaf


def _text(pattern: str) -> JsonObject:
    return {"type": "string", "pattern": pattern}


def _refs(count: int, but: int) -> list[JsonValue]:
    return [{"$ref": f"#/$defs/d{at}"} for at in range(count) if at != but]


def _circle(count: int, keyword: str) -> JsonObject:
    return {"$ref": "#/$defs/d0", "$defs": {f"d{at}": {keyword: _refs(count, at)} for at in range(count)}}


def _twice(keyword: str, **beside: JsonValue) -> JsonObject:
    """Lists within lists, each judged twice, so that the deepest is judged by a power of two."""
    both: list[JsonValue] = [{"type": "array", "items": {"$ref": "#/$defs/n"}}] * 2
    return {"$ref": "#/$defs/n", "$defs": {"n": {keyword: both, **beside}}}


_MEMBERS: JsonObject = {"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}}}
_ALTERNATIVES: list[JsonValue] = [{"const": f"c{at}"} for at in range(300)]
_LISTS: list[JsonValue] = [{"items": {"type": "string", "minLength": at}} for at in range(300)]
_EMPTY: JsonObject = {}
_LONG = "a" * 9_000

HEAVY: Sequence[Heavy] = (
    # Patterns that try every way to read a text.
    Heavy("stars within stars and a reference back", _text(r"(a*)*\1b"), lambda: "a" * 40),
    Heavy("the same over a long text", _text(r"(a*)*\1b"), lambda: _LONG),
    Heavy("plus within plus and a reference back", _text(r"^(a+)+\1$"), lambda: f"{_LONG}b"),
    Heavy("a look ahead at every character", _text(r"(?=(a*b))c"), lambda: _LONG),
    Heavy("the same over 30 kB", _text(r"(?=(a*b))c"), lambda: "a" * 30_000),
    Heavy("what must not follow", _text(r"(?!.*b)c"), lambda: _LONG),
    Heavy("what must not stand before", _text(r"(?<!a)(?=.*b)c"), lambda: _LONG),
    Heavy("three things that must be in it", _text(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$"), lambda: _LONG),
    Heavy("alternatives that overlap", _text(r"(a|aa|aaa)+\1\1b"), lambda: "a" * 60),
    Heavy("a hundred texts by one pattern", {"items": _text(r"(a*)*\1b")}, lambda: ["a" * 40] * 100),
    Heavy("texts by a hundred patterns", {"allOf": [_text(rf"(a*)*\1b{at}") for at in range(100)]}, lambda: "a" * 40),
    Heavy("names by a pattern", {"propertyNames": _text(r"(a*)*\1b")}, lambda: {"a" * 40: 1}),
    Heavy("members by a pattern of their names", {"patternProperties": {r"(a*)*\1b": False}}, lambda: {"a" * 40: 1}),
    Heavy("a pattern that is a condition", {"if": _text(r"(a*)*\1b"), "then": False}, lambda: "a" * 40),
    Heavy("a pattern that must not hold", {"not": {"items": _text(r"(a*)*\1b")}}, lambda: ["a" * 40]),
    Heavy("one of two patterns", {"oneOf": [_text(r"(a*)*\1b"), {"minLength": 1}]}, lambda: "a" * 40),
    Heavy("a pattern that an item has to hold", {"contains": _text(r"(a*)*\1b")}, lambda: ["a" * 40]),
    Heavy("many states over a long text", _text("a[ab]{80}c"), lambda: "ab" * 100_000),
    # Alternatives times items.
    Heavy("300 constants for each item", {"items": {"anyOf": _ALTERNATIVES}}, lambda: ["x"] * 100_000),
    Heavy("300 kinds of lists", {"anyOf": _LISTS}, lambda: [1] * 100_000),
    Heavy("300 kinds of lists, wrong at the end", {"anyOf": _LISTS}, lambda: ["a" * 400] * 2_000 + [1]),
    Heavy("one of 300 kinds of lists", {"oneOf": _LISTS}, lambda: [1] * 50_000),
    Heavy("all of 300 kinds of lists", {"allOf": _LISTS}, lambda: [1] * 50_000),
    Heavy("none of 300 kinds of lists", {"not": {"allOf": _LISTS}}, lambda: ["a" * 400] * 2_000),
    Heavy("items that are 300 things at once", {"items": {"allOf": [{"minimum": 5}] * 300}}, lambda: [1] * 100_000),
    Heavy("300 things that an item may be", {"contains": {"enum": list(range(300))}}, lambda: ["x"] * 100_000),
    Heavy(
        "300 kinds of rows",
        {"items": {"anyOf": [{"required": [f"r{at}"]} for at in range(300)]}},
        lambda: [_EMPTY] * 900,
    ),
    # Powers of the depth.
    Heavy("lists judged twice at each level, by anyOf", _twice("anyOf"), lambda: _nested(60, 1)),
    Heavy("lists judged twice at each level, by oneOf", _twice("oneOf"), lambda: _nested(40, [])),
    Heavy("lists judged twice at each level, by allOf", _twice("allOf"), lambda: _nested(40, [])),
    Heavy("lists judged twice and not so", _twice("anyOf", **{"not": {"const": 1}}), lambda: _nested(100, 1)),
    Heavy(
        "objects of which nothing is left over, at each level",
        {"$ref": "#/$defs/n", "$defs": {"n": {"allOf": [_MEMBERS, _MEMBERS], "unevaluatedProperties": False}}},
        lambda: _objects(30, 1),
    ),
    Heavy("definitions that are each other, by allOf", _circle(9, "allOf"), lambda: 1),
    Heavy("definitions that are each other, by anyOf", _circle(9, "anyOf"), lambda: 1),
    Heavy("definitions that are each other, by oneOf", _circle(9, "oneOf"), lambda: [[1]]),
    # What the validator compares one by one.
    Heavy(
        "30,000 large integers that differ",
        {"uniqueItems": True},
        lambda: [2**64 + at for at in range(30_000)],
    ),
    Heavy("30,000 objects that differ", {"uniqueItems": True}, lambda: [{"a": at, "b": [at]} for at in range(30_000)]),
    Heavy("30,000 texts that differ", {"uniqueItems": True}, lambda: [f"t{at}" for at in range(30_000)]),
    Heavy(
        "20,000 lists to choose from",
        {"items": {"enum": [[at] for at in range(20_000)]}},
        lambda: [[-1]] + [[19_999]] * 20_000,
    ),
    Heavy(
        "20,000 words to choose from", {"items": {"enum": [f"w{at}" for at in range(20_000)]}}, lambda: ["x"] * 20_000
    ),
    # Deep values: the validator descends by recursion.
    Heavy(
        "a list 900 levels deep", {"items": {"$ref": "#/$defs/n"}, "$defs": {"n": _MEMBERS}}, lambda: _nested(900, 1)
    ),
    Heavy(
        "a list in a list of lists",
        {"$ref": "#/$defs/n", "$defs": {"n": {"type": "array", "items": {"$ref": "#/$defs/n"}}}},
        lambda: _nested(900, 1),
    ),
    Heavy("an object 900 levels deep", {"type": "array"}, lambda: _objects(900, 1)),
    # Many faults.
    Heavy("100,000 items that are wrong", {"items": {"type": "string"}}, lambda: [1] * 100_000),
    Heavy(
        "9,000 members that are not known",
        {"additionalProperties": False},
        lambda: {f"m{at}": 1 for at in range(9_000)},
    ),
    Heavy("9,000 members that are missing", {"required": [f"m{at}" for at in range(9_000)]}, dict),
    Heavy("numbers of many steps", {"items": {"multipleOf": 1e-300}}, lambda: [1e300 + at for at in range(50_000)]),
)
"""None of them fits, or it takes too long to be known; but those of `FITTING`."""

FITTING = frozenset(
    {
        "30,000 objects that differ",
        "30,000 texts that differ",
        "definitions that are each other, by anyOf",
        "definitions that are each other, by oneOf",
        "lists judged twice at each level, by allOf",
    }
)
"""Names of those that fit, and of those of which the validator says so."""
