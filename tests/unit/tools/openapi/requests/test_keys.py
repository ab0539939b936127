"""The key by which a service recognises a repeated request."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Success, ToolContext
from tests.kit.openapi import Harness, description, harness

KEY = ToolContext("session-1", idempotency_key="key-1")


def tool(method: str, *, setting: str = "", declared: str = "") -> Harness:
    parameters: list[JsonObject] = [{"in": "header", "name": declared, "schema": {}}] if declared else []
    act: JsonObject = {"operationId": "act", "parameters": parameters, "responses": {}}
    settings: JsonObject = {"settings": {"idempotencyKeyHeader": setting}} if setting else {}
    return harness(description({"/a": {method: act}}), **settings)


@pytest.mark.parametrize(
    ("method", "setting", "declared", "headers", "is_safe"),
    [
        ("post", "Idempotency-Key", "", [("Idempotency-Key", "key-1")], True),
        ("patch", "X-Request-Key", "", [("X-Request-Key", "key-1")], True),
        ("post", "X-Request-Key", "x-request-key", [("x-request-key", "key-1")], True),
        ("post", "", "Idempotency-Key", [("Idempotency-Key", "key-1")], True),
        ("post", "X-Request-Key", "Idempotency-Key", [("Idempotency-Key", "key-1")], True),
        ("post", "", "", [], False),
        ("put", "Idempotency-Key", "", [], True),
        ("get", "Idempotency-Key", "", [], True),
    ],
)
async def test_unsafe_requests_carry_the_key_where_the_service_honours_it(
    method: str, setting: str, declared: str, headers: list[tuple[str, str]], is_safe: bool
) -> None:
    made = tool(method, setting=setting, declared=declared)
    assert made.action().safe_to_repeat is is_safe
    assert made.action().input_schema["properties"] == {}
    assert isinstance(await made.call({}, KEY), Success)
    assert [header for header in made.sent.headers if header[0] != "Accept"] == headers


async def test_without_a_key_no_header_is_sent() -> None:
    made = tool("post", setting="Idempotency-Key")
    assert isinstance(await made.call({}), Success)
    assert made.sent.headers == (("Accept", "application/json, */*;q=0.5"),)
