import pytest

from openplaybook.jsonvalues import PIECE, JsonObject
from openplaybook.tools.base import NO_AGENT, AgentScope
from openplaybook.tools.fingerprints import fingerprint_of

LONG = "é" * (PIECE + 1)
SCHEMA: JsonObject = {"type": "object", "properties": {"a": {}, "b": {}}}
TOOL: JsonObject = {"name": "t", "displayName": "pets", "functionSpec": {"inputSchema": SCHEMA, "outputSchema": {}}}


def openapi(text: str, **more: object) -> JsonObject:
    return {"name": "t", "displayName": "pets", "openApiSpec": {"textSchema": text, **more}}


def is_same(one: JsonObject, other: JsonObject) -> bool:
    return fingerprint_of(one, NO_AGENT) == fingerprint_of(other, NO_AGENT)


def test_fields_may_be_in_any_order() -> None:
    spec = TOOL["functionSpec"]
    assert is_same(TOOL, {**dict(reversed(TOOL.items())), "functionSpec": dict(reversed(spec.items()))})


def test_the_order_of_a_schemas_properties_counts() -> None:
    turned = {**SCHEMA, "properties": {"b": {}, "a": {}}}
    assert not is_same(TOOL, {**TOOL, "functionSpec": {**TOOL["functionSpec"], "inputSchema": turned}})


@pytest.mark.parametrize("field", ["name", "displayName", "description", "toolFakeConfig", "timeout"])
def test_every_field_counts(field: str) -> None:
    assert not is_same(TOOL, {**TOOL, field: "another"})


@pytest.mark.parametrize("text", ["openapi: 3.0.3", LONG])
def test_the_text_and_what_is_beside_it_count(text: str) -> None:
    tool = openapi(text)
    assert is_same(tool, openapi(text))
    others = (openapi(f"{text} "), openapi(text[:-1]), openapi(text, ignoreUnknownFields=True), openapi(""))
    assert [is_same(tool, other) for other in others] == [False] * 4


def test_the_scope_counts() -> None:
    scope = AgentScope({"sslCertificate": "x"})
    for tool in (TOOL, openapi(LONG)):
        assert fingerprint_of(tool, scope) != fingerprint_of(tool, NO_AGENT)


def test_the_size_is_that_of_the_resource() -> None:
    assert fingerprint_of(openapi("x" * 10 * PIECE), NO_AGENT).size in range(10 * PIECE, 11 * PIECE)
