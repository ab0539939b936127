"""Bodies whose schemas are composed of each other again and again cost no more than their text."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Failure, Success
from tests.kit.openapi import Harness, harness, operation

MEDIA_TYPES = [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/xml",
    "text/csv",
]
BINARY: JsonObject = {"type": "string", "format": "binary"}


def tool(media_type: str, schemas: JsonObject, *, required: bool = True) -> Harness:
    content: JsonObject = {media_type: {"schema": {"$ref": "#/components/schemas/A0"}}}
    document = operation(body={"required": required, "content": content})
    return harness({**document, "components": {"schemas": schemas}})


def tower(key: str, width: int, last: JsonObject, height: int = 14) -> JsonObject:
    """Schemas of which each is composed of the next, `width` times."""
    levels: JsonObject = {
        f"A{at}": {key: [{"$ref": f"#/components/schemas/A{at + 1}"}] * width} for at in range(height)
    }
    return {**levels, f"A{height}": last}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@pytest.mark.parametrize("key", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("width", [2, 10])
async def test_towers_are_read_once(media_type: str, key: str, width: int) -> None:
    last: JsonObject = {"type": "object", "properties": {"f": BINARY, "n": {"type": "integer", "default": 1}}}
    made = tool(media_type, tower(key, width, last))
    assert made.action().input_schema["properties"].keys() == {"requestBody"}
    outcome = await made.call({"requestBody": {"n": 1}})
    assert isinstance(outcome, Success | Failure)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@pytest.mark.parametrize("key", ["allOf", "anyOf", "oneOf"])
async def test_what_is_composed_of_itself_comes_to_an_end(media_type: str, key: str) -> None:
    members: JsonObject = {"f": BINARY, "next": {"$ref": "#/components/schemas/A0"}, "n": {"default": 1}}
    schema: JsonObject = {"type": "object", "properties": members, key: [{"$ref": "#/components/schemas/A0"}]}
    made = tool(media_type, {"A0": schema})
    assert isinstance(await made.call({"requestBody": {"next": {"next": {"n": 2}}}}), Success | Failure)


@pytest.mark.timeout(20)
async def test_files_are_found_at_the_top_of_a_tower() -> None:
    last: JsonObject = {"type": "object", "properties": {"f": BINARY}}
    made = tool("multipart/form-data", tower("allOf", 1, last, 12))
    assert isinstance(await made.call({"requestBody": {"f": {"name": "a.bin", "contents": "AAEC"}}}), Success)
    assert b'filename="a.bin"' in (made.sent.body or b"")


@pytest.mark.timeout(20)
async def test_choices_within_choices_are_filled_in_once_each() -> None:
    def node(at: int) -> JsonObject:
        child: JsonValue = {"$ref": f"#/components/schemas/A{at + 1}"}
        branches: list[JsonValue] = [
            {
                "type": "object",
                "required": ["kind", "child"],
                "properties": {"kind": {"const": kind, "default": kind}, "child": child},
            }
            for kind in range(8)
        ]
        return {"oneOf": branches}

    schemas: JsonObject = {f"A{at}": node(at) for at in range(8)}
    made = tool("application/json", {**schemas, "A8": {"type": "object"}})
    value: JsonObject = {}
    for _ in range(8):
        value = {"kind": 7, "child": value}
    assert isinstance(await made.call({"requestBody": value}), Success)
