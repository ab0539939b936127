"""What judging a value would take, before it is judged."""

from collections.abc import Iterator
from decimal import Decimal

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.schema.effort import AT_ONCE, SMALL, Size, effort, exact, is_small, measure
from openplaybook.tools.schema.errors import Unjudged
from openplaybook.tools.schema.expansion import cost_of
from openplaybook.tools.schema.tally import CheckTally, Uncounted
from openplaybook.tools.schema.validator import Validator


def estimated(schema: JsonObject, value: JsonValue) -> int:
    size = measure(value)
    assert size is not None
    return effort(cost_of(schema), size)


def test_values_levels_and_texts_are_measured() -> None:
    assert measure({"a": ["xyz", 1, None], "bc": 2**70}) == Size(6, 2, 3, 6, 3, 1, 25)
    assert measure("x") == Size(1, 0, 1, 1, 1, 0, 0)
    assert measure([1] * 30_000) is None
    assert measure("x" * 300_000) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, True),
        ({"petId": 7, "name": "Rex", "weight": 2.5, "is_tame": True, "owner": None}, True),
        ({str(at): at for at in range(32)}, True),
        ({str(at): at for at in range(33)}, False),
        ({"a": "x" * 2_000}, True),
        ({"a": "x" * 2_001}, False),
        ({"x" * 2_001: 1}, False),
        ({"a": "x" * 1_400, "b": "x" * 1_400, "c": "x" * 1_400}, False),
        ({"a": 2**70}, False),
        ({"a": []}, False),
        (["a"], False),
        ("a", False),
    ],
)
def test_small_values_are_told_from_others(value: JsonValue, expected: bool) -> None:
    assert is_small(value) == expected
    size = measure(value)
    assert not expected or size is not None
    if expected and size is not None:
        assert all(getattr(size, each) <= getattr(SMALL, each) for each in Size.__slots__)


def test_a_small_value_is_not_judged_at_once_by_a_schema_that_takes_long() -> None:
    slow: JsonObject = {"properties": {"a": {"pattern": "^(?=(a+)+$)b"}}}
    assert effort(cost_of(slow), SMALL) > AT_ONCE
    assert not Validator({"type": "object"}).problems({"a": "x"})


def test_an_ordinary_value_takes_few_checks() -> None:
    schema: JsonObject = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
    assert estimated(schema, {"id": 1, "name": "Rex"}) < 100


def test_schemas_within_schemas_multiply() -> None:
    both: list[JsonValue] = [{"items": {"$ref": "#/$defs/n"}}] * 2
    schema: JsonObject = {"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": both}}}
    deep: JsonValue = 1
    for _ in range(30):
        deep = [deep]
    assert estimated(schema, deep) > 100_000_000


def test_what_an_estimate_makes_too_large_is_counted_part_by_part() -> None:
    kinds: list[JsonValue] = [
        {"properties": {"kind": {"const": at}, "inner": {"type": "object", "properties": {f"p{at}": {}}}}}
        for at in range(60)
    ]
    schema: JsonObject = {"anyOf": kinds}
    value: JsonValue = {"kind": 1, "inner": {"p1": {"x": 1}}}
    size = measure(value)
    assert size is not None
    counted = exact(schema, size, value)
    assert estimated(schema, value) > AT_ONCE > (counted or AT_ONCE)
    assert Validator(schema).fits(value)


@pytest.mark.parametrize("pattern", [r"(a*)*\1b", r"(?=.*x)y", r"(?<!a)b", r"(?>a+)b", r"a++b", r"(?P=x)"])
def test_a_pattern_that_looks_about_costs_more_than_its_text_is_long(pattern: str) -> None:
    assert estimated({"pattern": pattern}, "a" * 10) > 1_000
    assert estimated({"pattern": "^[a-z]+$"}, "a" * 10) < 50


def test_definitions_are_found_by_any_path_and_circles_are_seen() -> None:
    inner: JsonObject = {"allOf": [{"type": "string"}] * 50}
    found = cost_of({"$ref": "#/$defs/a/properties/b~1c", "$defs": {"a": {"properties": {"b/c": inner}}}})
    assert (found.worst.schemas, found.circles) == (52, False)
    assert cost_of({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}}).circles
    assert not cost_of({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}}).circles


def test_what_may_take_long_is_not_judged_at_once() -> None:
    with pytest.raises(Unjudged, match="takes too long"):
        Validator({"items": {"anyOf": [{"const": at} for at in range(300)]}}).fits([1] * 1_000)
    with pytest.raises(Unjudged):
        Validator({"pattern": r"(a*)*\1b"}).fits("a" * 5_000)


def test_members_that_many_schemas_go_through_are_not_counted_one_by_one() -> None:
    branches = [{"properties": {f"k{number}": {"type": "integer"}}} for number in range(200)]
    schema: JsonObject = {"type": "object", "anyOf": branches, "unevaluatedProperties": False}
    value: JsonObject = {f"k{number}": number for number in range(10_000)}

    size = measure(value)
    assert size is not None
    assert exact(schema, size, value) is None


def test_names_that_many_schemas_may_ask_for_are_not_counted_one_by_one() -> None:
    schema: JsonObject = {"anyOf": [{"type": "object", "minProperties": 30_000 + at} for at in range(300)]}
    counted = CheckTally(schema, 0, 0)

    with pytest.raises(Uncounted):
        counted.checks({f"k{at}": at for at in range(10_000)})
    assert counted.parts_seen <= 30_001 + 10_000


def test_a_schema_that_stands_in_many_places_is_looked_at_once_for_a_value() -> None:
    shared: JsonObject = {"properties": {f"p{at}": {"type": "string"} for at in range(100)}}
    counted = CheckTally({"items": {"anyOf": [shared] * 20}}, 0, 0)

    with pytest.raises(Uncounted):
        counted.checks([{f"p{at}": "x" for at in range(10)} for _ in range(1_900)])
    assert counted.parts_seen <= 30_001 + 1_900


_LONG = 10**3_900
_EMPTY: list[JsonValue] = [{} for _ in range(5_000)]


@pytest.mark.parametrize(
    ("items", "value"),
    [
        ({"minimum": -1}, [_LONG] * 100),
        ({"maximum": _LONG}, [_LONG] * 100),
        ({"const": _LONG + 1}, [_LONG] * 100),
        ({"enum": [0.5, _LONG]}, [_LONG] * 100),
        ({"const": [_LONG] * 40}, [[_LONG] * 40] * 2),
        ({"multipleOf": Decimal("1e-3999")}, [1] * 200),
        ({"multipleOf": 1e-300}, [1e300] * 1_000),
        ({"enum": list(range(9_000))}, [0.5] * 1_000),
        ({"const": list(range(9_000))}, [list(range(9_000))] * 4),
        ({"dependentRequired": {f"k{number}": [] for number in range(4_000)}}, _EMPTY),
        ({"dependentSchemas": {f"k{number}": True for number in range(3_000)}}, _EMPTY),
        ({"minimum": Decimal("1." + "1" * 3_000)}, [Decimal("2." + "1" * 3_000)] * 20),
    ],
)
def test_what_the_validator_is_slow_at_is_not_judged_at_once(items: JsonObject, value: list[JsonValue]) -> None:
    with pytest.raises(Unjudged):
        Validator({"items": items}).fits(value)


@pytest.mark.parametrize("number", [_LONG, 1e300, Decimal("1e-3999")])
def test_an_object_with_a_long_number_is_not_taken_for_small(number: JsonValue) -> None:
    assert not is_small({"a": number})
    assert is_small({"a": 1.5, "b": 2**62, "c": None})


def test_items_with_long_numbers_are_not_compared_at_once() -> None:
    with pytest.raises(Unjudged):
        Validator({"uniqueItems": True}).fits([_LONG + number for number in range(60)])
    assert Validator({"uniqueItems": True}).fits([2**70 + number for number in range(10)])


def test_a_few_long_numbers_and_prices_are_judged_at_once() -> None:
    assert Validator({"items": {"minimum": 0, "maximum": 2**80}}).fits([2**70] * 50)
    assert Validator({"items": {"multipleOf": 0.01, "minimum": 0}}).fits([19.99] * 300)
    assert Validator({"items": {"enum": list(range(60))}}).fits([59] * 100)


@pytest.mark.parametrize(
    "items",
    [
        {"enum": [f"v{number}" for number in range(5_000)]},
        {"enum": list(range(15_000))},
        {f"x-{number}": 1 for number in range(6_000)},
        {"patternProperties": {f"a{number}": True for number in range(6_000)}},
        {"dependentSchemas": {f"a{number}": True for number in range(6_000)}},
        {"allOf": [True] * 15_000},
        {"anyOf": [{"$ref": "#/$defs/a"}] * 3_000},
    ],
)
def test_counting_looks_through_each_schema_once(items: JsonObject) -> None:
    watched = Watched(items)
    value: list[JsonValue] = [{} for _ in range(4_000)]
    size = measure(value)
    assert size is not None
    exact({"items": watched, "$defs": {"a": {"type": "string"}}}, size, value)
    assert watched.looked_at < 20


class Watched(dict[str, JsonValue]):
    """A schema that knows how often it was looked at."""

    looked_at = 0

    def __contains__(self, word: object) -> bool:
        self.looked_at += 1
        return super().__contains__(word)


def test_measuring_stops_within_a_level_that_is_too_large() -> None:
    assert measure([Endless()] * 100) is None


class Endless(list[JsonValue]):
    """A list that is long, and may be gone through once."""

    is_seen = False

    def __iter__(self) -> Iterator[JsonValue]:
        assert not self.is_seen, "the first is enough"
        self.is_seen = True
        return iter([None] * 30_000)
