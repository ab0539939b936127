"""Data store tools: checked when they are stored, declared, not run."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import ExecutionPlace, InvalidTool
from openplaybook.tools.unimplemented.data_store import build
from tests.kit.openapi import PARTS, TOOL

STORE = "projects/p/locations/l/collections/c/dataStores/d"


def connection(kind: str = "UNSTRUCTURED", store: str = STORE) -> JsonObject:
    return {"dataStoreType": kind, "dataStore": store}


def problems(*connections: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidTool) as caught:
        build({}, {"dataStoreConnections": list(connections)}, PARTS)
    prefix = "$.dataStoreSpec.dataStoreConnections"
    return [(problem.path.removeprefix(prefix), problem.message) for problem in caught.value.problems]


@pytest.mark.parametrize(
    "kinds", [["PUBLIC_WEB"], ["STRUCTURED", "UNSTRUCTURED"], ["PUBLIC_WEB", "STRUCTURED", "UNSTRUCTURED"]]
)
def test_one_store_of_each_type_makes_one_action(kinds: list[str]) -> None:
    resource: JsonObject = {"name": TOOL, "displayName": "Help pages", "description": "Searches the help"}
    spec: JsonObject = {"dataStoreConnections": [connection(kind) for kind in kinds]}
    (action,) = build(resource, spec, PARTS).actions()
    assert (action.name, action.action, action.tool, action.tool_display_name) == (
        "Help_pages",
        "Help pages",
        TOOL,
        "Help pages",
    )
    assert (action.description, action.place, action.safe_to_repeat) == (
        "Searches the help",
        ExecutionPlace.SERVER,
        True,
    )
    assert action.input_schema["required"] == ["requestBody"]


@pytest.mark.parametrize(
    ("connections", "expected"),
    [
        ([], [("", "at least one data store is required")]),
        ([connection("")], [("[0].dataStoreType", "must be one of PUBLIC_WEB, UNSTRUCTURED, STRUCTURED, got ''")]),
        (
            [connection("web")],
            [("[0].dataStoreType", "must be one of PUBLIC_WEB, UNSTRUCTURED, STRUCTURED, got 'web'")],
        ),
        (
            [connection(), connection("STRUCTURED"), connection()],
            [("[2].dataStoreType", "a second UNSTRUCTURED; one of each type is allowed")],
        ),
        ([connection(store="")], [("[0].dataStore", "is required (projects/…/dataStores/NAME)")]),
        (
            ["text"],
            [
                ("[0].dataStoreType", "must be one of PUBLIC_WEB, UNSTRUCTURED, STRUCTURED, got ''"),
                ("[0].dataStore", "is required (projects/…/dataStores/NAME)"),
            ],
        ),
    ],
)
def test_every_problem_is_told_with_its_place(connections: list[object], expected: list[tuple[str, str]]) -> None:
    assert problems(*connections) == expected
