"""Faults of large values are found one by one."""

import math
from itertools import islice
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.schema.compilation import Compiled, compile_schema
from openplaybook.tools.schema.expansion import cost_of
from openplaybook.tools.schema.faults import FaultSearch, ValueFault
from openplaybook.tools.schema.sentences import sentences


class Counted:
    """Counts what is asked of a compiled schema."""

    asked = 0

    def __init__(self, schema: JsonObject) -> None:
        self._compiled = compile_schema(schema, None, cost_of(schema))

    def is_valid(self, value: JsonValue) -> bool:
        Counted.asked += 1
        return self._compiled.is_valid(value)

    def iter_errors(self, value: JsonValue) -> object:
        Counted.asked += 1
        return self._compiled.iter_errors(value)


def counted(schema: JsonObject) -> Compiled:
    return cast(Compiled, Counted(schema))


def plain(schema: JsonObject) -> Compiled:
    return compile_schema(schema, None, cost_of(schema))


def found(schema: JsonObject, value: JsonValue, until: float = math.inf) -> list[ValueFault]:
    return list(islice(FaultSearch(schema, plain, until).faults(value), 5))


def test_no_more_is_judged_than_is_asked_for() -> None:
    schema: JsonObject = {"items": {"anyOf": [{"type": "string"}, {"minimum": 9}]}}
    Counted.asked = 0
    faults = list(islice(FaultSearch(schema, counted, math.inf).faults([1] * 5_000), 3))
    assert [fault.where for fault in faults] == [(0,), (1,), (2,)]
    assert Counted.asked < 20


def test_faults_lie_where_they_are_behind_references_and_parts() -> None:
    row: JsonObject = {"allOf": [{"required": ["id"]}], "additionalProperties": {"type": "integer"}}
    schema: JsonObject = {"properties": {"rows": {"items": {"$ref": "#/$defs/Row"}}}, "$defs": {"Row": row}}
    value: JsonValue = {"rows": [{"id": 1}] * 3_000 + [{"id": "x"}, {}]}
    faults = found(schema, value)
    assert [(fault.keyword, fault.where) for fault in faults] == [
        ("type", ("rows", 3_000, "id")),
        ("required", ("rows", 3_001)),
    ]
    assert sentences(faults, schema, value) == ('rows[3000].id must be integer, got "x"', "rows[3001].id is required")


def test_of_alternatives_the_one_that_is_meant_is_told() -> None:
    kinds: list[JsonValue] = [
        {"properties": {"kind": {"const": kind}, "size": {"type": "integer"}}, "required": ["size"]} for kind in "ab"
    ]
    schema: JsonObject = {"items": {"oneOf": kinds}}
    value: JsonValue = [{"kind": "a", "size": 1}] * 3_000 + [{"kind": "b", "size": "large"}]
    assert sentences(found(schema, value), schema, value) == ('[3000].size must be integer, got "large"',)


def test_a_fault_that_cannot_be_found_in_time_is_left_out() -> None:
    assert found({"items": {"type": "string"}}, [1] * 5_000, until=-math.inf) == []
