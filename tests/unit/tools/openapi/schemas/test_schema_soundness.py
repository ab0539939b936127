"""Definitions are compiled once, and every operation gets the verdict that it would get alone."""

from collections.abc import Callable
from functools import partial

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.openapi.description.operation_index import index
from openplaybook.tools.openapi.description.source_text import load_document
from openplaybook.tools.openapi.description_report import Inspection
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.operation_compiler import compile_operation
from openplaybook.tools.openapi.schemas.document_schemas import DocumentSchemas
from openplaybook.tools.openapi.schemas.schema_soundness import SchemaSoundness
from openplaybook.tools.openapi.tool_settings import ToolSettings
from openplaybook.tools.schema.errors import InvalidSchema
from tests.kit.openapi import description

TOO_FAR = "the schema of its inputs is not valid: refers to more than 20,000 schemas in place of one"


def ref(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}


def wide(count: int, name: str) -> JsonObject:
    return {"anyOf": [{"anyOf": [ref(name)] * 10}] * count}


SCHEMAS: JsonObject = {
    "Leaf": {"type": "string"},
    "Wide": wide(100, "Leaf"),
    "Wider": wide(3, "Wide"),
    "Broken": wide(20, "Wide"),
}


def operations(*bodies: JsonObject) -> JsonObject:
    paths: JsonObject = {
        f"/{number}": {"post": {"requestBody": {"content": {"application/json": {"schema": body}}}}}
        for number, body in enumerate(bodies)
    }
    return description(paths, components={"schemas": SCHEMAS})


def verdicts(root: JsonObject) -> list[list[str]]:
    inspection = Inspection(dumps(root).decode(), "spec")
    return [[problem.message for problem in each.problems] for each in inspection.operations]


@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_definition_that_is_not_sound_refuses_all_that_need_it_and_no_others(is_reversed: bool) -> None:
    bodies = [ref("Wide"), ref("Broken"), {"properties": {"a": ref("Broken")}}, ref("Leaf")]
    expected = [[], [TOO_FAR], [TOO_FAR], []]
    if is_reversed:
        bodies, expected = bodies[::-1], expected[::-1]
    assert verdicts(operations(*bodies)) == expected


def test_sound_definitions_that_multiply_in_one_operation_are_refused_there() -> None:
    together: JsonObject = {"allOf": [wide(1, "Wide"), wide(1, "Wide")]}
    assert verdicts(operations(ref("Wide"), together, {"properties": {"a": together}}, ref("Wide"))) == [
        [],
        [TOO_FAR],
        [TOO_FAR],
        [],
    ]


def compiled(root: JsonObject) -> list[Operation]:
    document = load_document(dumps(root).decode())
    entries, _ = index(document.root)
    schemas = DocumentSchemas(document.root)
    return [compile_operation(entry, schemas, ToolSettings()) for entry in entries]


def test_the_verdicts_are_those_of_every_operations_own_validator() -> None:
    bodies = [ref("Wide"), ref("Wider"), ref("Broken"), {"oneOf": [ref("Leaf"), wide(2, "Wide")]}, ref("Wide")]
    own: list[bool] = []
    shared: list[bool] = []
    made = compiled(operations(*bodies))
    soundness = SchemaSoundness(made[0].schemas)
    for operation in made:
        own.append(_is_sound(operation.validator.compile))
        shared.append(_is_sound(partial(soundness.check, operation)))
    assert own == shared
    assert True in own
    assert False in own


def _is_sound(check: Callable[[], None]) -> bool:
    try:
        check()
    except InvalidSchema:
        return False
    return True
