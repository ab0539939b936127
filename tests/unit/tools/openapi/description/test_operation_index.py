"""The operations of a description."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.description.operation_index import index


def operations(paths: JsonValue, **more: JsonValue) -> list[tuple[str, str, str, str]]:
    entries, _ = index({"paths": paths, **more})
    return [(entry.name, entry.operation_id, entry.method, entry.path) for entry in entries]


def problems(paths: JsonValue) -> list[tuple[str, str, bool]]:
    return [(problem.path, problem.message, problem.is_error) for problem in index({"paths": paths})[1]]


OK: JsonObject = {"responses": {}}


@pytest.mark.parametrize(
    ("operation", "name", "operation_id"),
    [
        ({"operationId": "getPet"}, "getPet", "getPet"),
        ({"operationId": "pets.get one"}, "pets_get_one", "pets.get one"),
        ({"operationId": "  "}, "get_pets_petId", "get_pets_petId"),
        ({"operationId": 5}, "get_pets_petId", "get_pets_petId"),
        ({}, "get_pets_petId", "get_pets_petId"),
    ],
)
def test_an_operation_is_named_by_its_id_or_its_place(operation: JsonObject, name: str, operation_id: str) -> None:
    assert operations({"/pets/{petId}": {"get": operation}}) == [(name, operation_id, "GET", "/pets/{petId}")]


def test_every_method_is_found_and_nothing_else() -> None:
    methods = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
    item: JsonObject = dict.fromkeys(methods, OK) | {"parameters": [], "summary": "s", "x-get": OK, "GET": OK}
    assert [method for _, _, method, _ in operations({"/a": item})] == [method.upper() for method in methods]


def test_paths_come_in_the_order_of_the_document() -> None:
    assert [
        path for *_, path in operations({"/b": {"get": OK}, "/a": {"get": OK}, "x-c": {"get": OK}, "/d": None})
    ] == [
        "/b",
        "/a",
    ]


def test_a_path_may_be_a_reference() -> None:
    shared: JsonObject = {"get": {"operationId": "shared"}}
    assert operations({"/a": {"$ref": "#/components/pathItems/A"}}, components={"pathItems": {"A": shared}}) == [
        ("shared", "shared", "GET", "/a")
    ]


def test_equal_ids_are_told_apart_by_their_place() -> None:
    same: JsonObject = {"operationId": "get"}
    names = [name for name, *_ in operations({"/a": {"get": same}, "/b": {"get": same}})]
    assert names == ["get_get_a", "get_get_b"]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ({}, []),
        ("none", []),
        ({"/a": {"get": OK}}, []),
        ({"a": {"get": OK}}, [("$.paths.a", "a path starts with /; it is used as if it did", False)]),
        (
            {"/a": {"get": "x", "put": OK}},
            [("$.paths./a.get", "an operation is an object", False)],
        ),
        (
            {"/a": 5, "/b": {"get": OK}},
            [("$.paths./a", "an object was expected, not int", False)],
        ),
        ({"/a": {"get": None, "put": OK}}, []),
    ],
)
def test_what_cannot_be_read_is_told_and_passed_over(paths: JsonValue, expected: list[tuple[str, str, bool]]) -> None:
    assert problems(paths) == expected


def test_an_entry_knows_its_place_in_the_document() -> None:
    (entry,), _ = index({"paths": {"/a": {"get": OK, "summary": "s"}}})
    assert (entry.pointer, entry.operation, entry.path_item["summary"]) == ("$.paths./a.get", OK, "s")


@pytest.mark.proves("O11")
def test_webhooks_are_no_operations_and_told() -> None:
    entries, problems = index({"webhooks": {"newPet": {"post": OK}}, "paths": {}})
    assert entries == []
    assert problems == [Problem("$.webhooks", "webhooks are calls that the service makes", is_error=False)]


def test_operations_beyond_measure_are_left_out_and_told() -> None:
    entries, found = index({"paths": {f"/{n}": {"get": OK} for n in range(30_001)}})
    assert (len(entries), entries[-1].path) == (30_000, "/29999")
    assert found == [
        Problem(
            "$.paths",
            "the description has more than 30,000 operations; those after them are left out",
            is_error=False,
        )
    ]
