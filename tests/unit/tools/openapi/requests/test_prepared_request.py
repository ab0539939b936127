from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Call, Failure, Success, ToolContext
from tests.kit.openapi import Harness, description, harness, json_body, operation


def parameter(place: str, style: str | None = None, explode: bool | None = None, **more: object) -> JsonObject:
    built: JsonObject = {"in": place, "name": "color", "required": place == "path", "schema": {}, **more}
    if style is not None:
        built["style"] = style
    if explode is not None:
        built["explode"] = explode
    return built


ARRAY, OBJECT = ["blue", "black"], {"R": 100, "G": 200}
TABLE = [
    # The style examples of OpenAPI 3.1.1 §4.8.12.4, and the defaults.
    ("path", None, None, "blue", "/blue"),
    ("path", "simple", False, ARRAY, "/blue,black"),
    ("path", "simple", True, ARRAY, "/blue,black"),
    ("path", "simple", False, OBJECT, "/R,100,G,200"),
    ("path", "simple", True, OBJECT, "/R=100,G=200"),
    ("path", "label", False, "blue", "/.blue"),
    ("path", "label", False, ARRAY, "/.blue,black"),
    ("path", "label", True, ARRAY, "/.blue.black"),
    ("path", "label", False, OBJECT, "/.R,100,G,200"),
    ("path", "label", True, OBJECT, "/.R=100.G=200"),
    ("path", "matrix", False, "blue", "/;color=blue"),
    ("path", "matrix", False, ARRAY, "/;color=blue,black"),
    ("path", "matrix", True, ARRAY, "/;color=blue;color=black"),
    ("path", "matrix", False, OBJECT, "/;color=R,100,G,200"),
    ("path", "matrix", True, OBJECT, "/;R=100;G=200"),
    ("query", None, None, "blue", "?color=blue"),
    ("query", None, None, ARRAY, "?color=blue&color=black"),
    ("query", "form", False, ARRAY, "?color=blue,black"),
    ("query", "form", True, OBJECT, "?R=100&G=200"),
    ("query", "form", False, OBJECT, "?color=R,100,G,200"),
    ("query", "form", True, "", "?color="),
    ("query", "form", True, [], ""),
    ("query", "form", False, [], ""),
    ("query", "spaceDelimited", False, ARRAY, "?color=blue%20black"),
    ("query", "spaceDelimited", True, ARRAY, "?color=blue&color=black"),
    ("query", "pipeDelimited", False, ARRAY, "?color=blue%7Cblack"),
    ("query", "deepObject", True, OBJECT, "?color%5BR%5D=100&color%5BG%5D=200"),
    ("query", "deepObject", None, {"a": {"b": 1}, "c": [1, 2]}, "?color%5Ba%5D%5Bb%5D=1&color%5Bc%5D=1&color%5Bc%5D=2"),
    ("query", None, None, True, "?color=true"),
    ("query", None, None, 1.5, "?color=1.5"),
    ("query", None, None, "a b&c=d/ü#", "?color=a%20b%26c%3Dd%2F%C3%BC%23"),
    ("query", None, None, [{"a": 1}], "?color=%7B%22a%22%3A1%7D"),
    ("path", None, None, "a/b c?d", "/a%2Fb%20c%3Fd"),
    ("path", None, None, "50%", "/50%25"),
]


@pytest.mark.proves("O4", "O5")
@pytest.mark.parametrize(("place", "style", "explode", "value", "written"), TABLE)
async def test_a_parameter_is_written_as_its_style_says(
    place: str, style: str | None, explode: bool | None, value: JsonValue, written: str
) -> None:
    path = "/c/{color}" if place == "path" else "/c"
    tool = harness(operation([parameter(place, style, explode)], path=path))
    assert isinstance(await tool.call({"color": value}), Success)
    assert tool.sent.url == f"https://api.example/v1/c{written}"


async def test_reserved_characters_stay_where_they_are_allowed() -> None:
    tool = harness(operation([parameter("query", allowReserved=True)]))
    await tool.call({"color": "a/b:c&d"})
    assert tool.sent.url.endswith("?color=a/b:c%26d")


async def test_a_parameter_described_by_a_media_type_is_json() -> None:
    described = {"in": "query", "name": "f", "content": {"application/json": {"schema": {"type": "object"}}}}
    tool = harness(operation([described]))
    await tool.call({"f": {"a": 1}})
    assert tool.sent.url.endswith("?f=%7B%22a%22%3A1%7D")


@pytest.mark.proves("O4")
async def test_headers_and_cookies_are_written() -> None:
    tool = harness(
        operation(
            [
                {"in": "header", "name": "X-List", "schema": {"type": "array"}},
                {"in": "cookie", "name": "id", "schema": {"type": "string"}},
                {"in": "cookie", "name": "lang", "schema": {"type": "string"}},
            ]
        )
    )
    await tool.call({"X-List": ["a b", 2], "id": "x;y", "lang": "de"})
    assert tool.sent.headers[1:] == (("X-List", "a b,2"), ("Cookie", "id=x%3By; lang=de"))


async def test_null_is_left_out() -> None:
    tool = harness(operation([parameter("query")]))
    await tool.call({"color": None})
    assert tool.sent.url == "https://api.example/v1/things"


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("path", "", "color must not be empty, since it is part of the path"),
        ("path", [], "color must not be empty, since it is part of the path"),
        ("path", "..", "the arguments must not turn a part of the path into '.' or '..'"),
        ("path", ".", "the arguments must not turn a part of the path into '.' or '..'"),
        ("path", "../../x", "the arguments must not turn a part of the path into '.' or '..'"),
        ("path", "a/../x", "the arguments must not turn a part of the path into '.' or '..'"),
        ("path", "..\\x", "the arguments must not turn a part of the path into '.' or '..'"),
        ("path", "a\\..", "the arguments must not turn a part of the path into '.' or '..'"),
        ("path", "a/..;x/y", "the arguments must not turn a part of the path into '.' or '..'"),
        ("path", "a/./x", "the arguments must not turn a part of the path into '.' or '..'"),
        ("header", "a\r\nX-Evil: 1", "color must not hold line breaks or control characters"),
    ],
)
async def test_a_value_cannot_break_out_of_its_place(place: str, value: JsonValue, message: str) -> None:
    tool = harness(operation([parameter(place)], path="/c/{color}" if place == "path" else "/c"))
    assert await tool.call({"color": value}) == Failure("INVALID_ARGUMENTS", message)
    assert tool.transport.sent == []


@pytest.mark.parametrize(
    ("declared", "sent", "value", "body"),
    [
        ("application/json", "application/json", {"a": 1.0}, b'{"a":1}'),
        ("application/merge-patch+json", "application/merge-patch+json", [1], b"[1]"),
        ("*/*", "application/json", "x", b'"x"'),
        (
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded",
            {"a": "b c", "l": [1, 2], "o": {"k": 1}, "e": []},
            b"a=b+c&l=1&l=2&o=%7B%22k%22:1%7D",
        ),
        ("text/plain", "text/plain", "hello", b"hello"),
        ("application/xml", "application/xml", "<a/>", b"<a/>"),
    ],
)
async def test_a_body_is_written_in_its_media_type(declared: str, sent: str, value: JsonValue, body: bytes) -> None:
    tool = harness(operation(body={"content": {declared: {"schema": {}}}}))
    assert isinstance(await tool.call({"requestBody": value}), Success)
    assert tool.sent.body == body
    assert tool.sent.headers[-1] == ("Content-Type", sent)


async def test_json_is_preferred_among_media_types() -> None:
    contents: JsonObject = {"text/plain": {}, "application/x-www-form-urlencoded": {}, "application/json": {}}
    tool = harness(operation(body={"content": contents}))
    await tool.call({"requestBody": {"a": 1}})
    assert tool.sent.body == b'{"a":1}'


async def test_a_body_and_a_parameter_may_share_names() -> None:
    body = json_body({"type": "object", "properties": {"id": {"type": "string"}}})
    parameters: list[JsonObject] = [
        {"in": "path", "name": "id", "required": True, "schema": {"type": "string"}},
        {"in": "query", "name": "id", "schema": {"type": "string"}},
        {"in": "query", "name": "requestBody", "schema": {"type": "string"}},
    ]
    tool = harness(operation(parameters, body, "/things/{id}"))
    assert list(tool.action().input_schema["properties"]) == ["id", "id_query", "requestBody_query", "requestBody"]
    await tool.call({"id": "1", "id_query": "2", "requestBody_query": "3", "requestBody": {"id": "4"}})
    assert tool.sent.url.endswith("/things/1?id=2&requestBody=3")
    assert tool.sent.body == b'{"id":"4"}'


async def test_the_idempotency_key_is_ours_where_the_api_takes_one() -> None:
    header: JsonObject = {"in": "header", "name": "Idempotency-Key", "required": True, "schema": {"type": "string"}}
    tool = harness(operation([header], json_body({})))
    assert list(tool.action().input_schema["properties"]) == ["requestBody"]
    assert tool.action().safe_to_repeat
    await tool.call({"requestBody": {}}, ToolContext("s", idempotency_key="turn:call"))
    assert ("Idempotency-Key", "turn:call") in tool.sent.headers


@pytest.mark.parametrize(
    ("method", "safe"),
    [
        ("get", True),
        ("head", True),
        ("put", True),
        ("delete", True),
        ("options", True),
        ("post", False),
        ("patch", False),
    ],
)
def test_repeating_is_safe_by_the_method(method: str, safe: bool) -> None:
    action = harness(description({"/a": {method: {"operationId": "act", "responses": {}}}})).action()
    assert action.safe_to_repeat is safe


SERVERS = {
    "operation": [{"url": "https://operation.example/"}],
    "path": [{"url": "https://path.example/{stage}", "variables": {"stage": {"default": "prod"}}}],
    "root": [{"url": "https://root.example/a b"}],
}


@pytest.mark.parametrize(
    ("levels", "url"),
    [
        (("operation", "path", "root"), "https://operation.example/a"),
        (("path", "root"), "https://path.example/prod/a"),
        (("root",), "https://root.example/a%20b/a"),
    ],
)
async def test_the_nearest_server_is_used(levels: tuple[str, ...], url: str) -> None:
    def servers(level: str) -> Mapping[str, JsonValue]:
        return {"servers": SERVERS[level]} if level in levels else {}

    act: JsonObject = {"operationId": "act", "responses": {}, **servers("operation")}
    document = description({"/a": {"get": act, **servers("path")}}) | {"servers": SERVERS["root"]}
    tool = harness(document)
    await tool.call({})
    assert tool.sent.url == url


VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FUZZED = harness(
    operation(
        [
            {"in": "path", "name": "id", "required": True, "schema": {"type": "integer"}},
            {"in": "query", "name": "tags", "schema": {"type": "array", "items": {"type": "string"}}},
            {"in": "query", "name": "where", "style": "deepObject", "schema": {"type": "object"}},
            {"in": "header", "name": "X-Any", "schema": {}},
            {"in": "cookie", "name": "c", "schema": {"type": "string"}},
        ],
        json_body({"type": "object", "properties": {"n": {"type": "number", "default": 1}}}, required=True),
        "/things/{id}",
    )
)


@given(
    st.dictionaries(st.sampled_from(["id", "tags", "where", "X-Any", "c", "requestBody"]) | st.text(max_size=3), VALUES)
)
async def test_any_arguments_give_an_outcome_and_wrong_ones_never_reach_the_network(arguments: JsonObject) -> None:
    FUZZED.transport.sent.clear()
    outcome = await FUZZED.call(arguments)
    if FUZZED.transport.sent:
        assert isinstance(outcome, Success)
        assert isinstance(arguments.get("id"), int | float)
        assert isinstance(arguments.get("requestBody", {}), dict)
        assert arguments.keys() <= {"id", "tags", "where", "X-Any", "c", "requestBody"}
        url = FUZZED.sent.url
        assert url.isascii()
        assert url.isprintable()
        assert url.startswith("https://api.example/v1/things/")
    else:
        assert isinstance(outcome, Failure)
        assert outcome.code == "INVALID_ARGUMENTS"


async def test_reserved_characters_stay_encoded_in_a_path_whatever_the_description_says() -> None:
    parameter: JsonObject = {"in": "path", "name": "id", "required": True, "schema": {}, "allowReserved": True}
    tool = harness(operation([parameter], path="/things/{id}"))
    await tool.call({"id": "1/admin?x=1..2/.config"})
    assert tool.sent.url == "https://api.example/v1/things/1%2Fadmin%3Fx%3D1..2%2F.config"


@pytest.mark.parametrize("style", ["simple", "label", "matrix"])
async def test_no_style_makes_a_step_of_a_value(style: str) -> None:
    tool = harness(operation([parameter("path", style)], path="/c/{color}"))
    message = "the arguments must not turn a part of the path into '.' or '..'"
    assert await tool.call({"color": "./../../x"}) == Failure("INVALID_ARGUMENTS", message)


pytestmark = pytest.mark.proves("C1")

PARAMETERS: list[JsonObject] = [
    {"in": "path", "name": "id", "required": True, "schema": {"type": "integer"}},
    {"in": "query", "name": "session", "schema": {"type": "string", "x-agent-input-parameter": "$session.id"}},
    {"in": "query", "name": "shop", "schema": {"type": "string"}, "x-agent-input-parameter": "shop"},
    {"in": "query", "name": "limit", "schema": {"type": "integer", "default": 10}},
    {"in": "header", "name": "X-Token", "required": True, "schema": {"type": "string"}},
]
PARAMETERS[-1]["x-agent-input-parameter"] = "token"


async def asked(tool: Harness, arguments: JsonObject, **context: JsonValue) -> JsonObject | Failure:
    secret = frozenset({"token"})
    told = ToolContext("s1", secret_parameters=secret, **context)
    return await tool.tool.client_arguments(Call("c1", tool.action(), arguments), told)


def orders() -> Harness:
    return harness(operation(PARAMETERS, path="/orders/{id}"))


async def test_a_client_gets_what_session_and_defaults_give_and_no_secret() -> None:
    given = await asked(orders(), {"id": 3}, parameters={"shop": "Berlin", "token": "hidden"})
    assert given == {"id": 3, "shop": "Berlin", "limit": 10}


async def test_what_the_model_invents_in_place_of_a_secret_is_not_passed_on() -> None:
    given = await asked(orders(), {"id": 3, "X-Token": "invented"}, parameters={"token": "hidden"})
    assert given == {"id": 3, "limit": 10}


@pytest.mark.parametrize(
    ("arguments", "parameters", "message"),
    [
        ({}, {"token": "hidden"}, "id is required (integer)"),
        ({"id": "three"}, {"token": "hidden"}, 'id must be integer, got "three"'),
        ({"id": 3}, {}, "X-Token is required (string)"),
    ],
)
async def test_arguments_are_refused_as_the_server_would(
    arguments: JsonObject, parameters: JsonObject, message: str
) -> None:
    tool = orders()
    refused = await asked(tool, arguments, parameters=parameters)
    assert refused == Failure("INVALID_ARGUMENTS", message)
    assert await tool.call(arguments, ToolContext("s1", parameters=parameters)) == refused
    assert tool.transport.sent == []


async def test_a_secret_deep_in_a_body_is_left_out_alone() -> None:
    token: JsonObject = {"type": "string", "x-agent-input-parameter": "token"}
    item: JsonObject = {"type": "object", "properties": {"sku": {"type": "string"}, "token": token}}
    body: JsonObject = {
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": item},
            "auth": {"type": "object", "properties": {"t": token}},
        },
    }
    given = await asked(
        harness(operation(body=json_body(body))),
        {"requestBody": {"items": [{"sku": "a"}, {"sku": "b"}]}},
        parameters={"token": "hidden"},
    )
    assert given == {"requestBody": {"items": [{"sku": "a"}, {"sku": "b"}]}}


@given(st.recursive(st.sampled_from(["hidden", "open", 1, None]), lambda inner: st.lists(inner, max_size=3)))
async def test_no_shape_of_a_secret_reaches_a_client(secret: JsonValue) -> None:
    parameters: list[JsonObject] = [
        {"in": "query", "name": "a", "schema": {}, "x-agent-input-parameter": "token"},
        {"in": "query", "name": "b", "schema": {"default": [7]}, "x-agent-input-parameter": "token"},
    ]
    given = await asked(harness(operation(parameters)), {}, parameters={"token": secret})
    assert given in ({}, {"b": [7]})
    if secret is not None:
        assert given == {}


async def test_the_payload_of_the_request_is_the_clients_own() -> None:
    parameters: list[JsonObject] = [
        {"in": "query", "name": "a", "schema": {"type": "string"}, "x-agent-input-parameter": "$request.payload.x"}
    ]
    assert await asked(harness(operation(parameters)), {}, payload={"x": "y"}) == {"a": "y"}


async def test_a_call_whose_server_only_the_client_knows_can_be_handed_over() -> None:
    document = description({"/things": {"get": {"operationId": "act", "responses": {}}}})
    document["servers"] = []
    assert await asked(harness(document), {}) == {}


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "integer"}, 'token must be integer, got "[redacted]"'),
        ({"enum": ["x"]}, 'token must be one of "x", got "[redacted]"'),
        ({"type": "string", "maxLength": 50}, "a session parameter that holds a credential does not fit where it goes"),
        ({"type": "number", "maximum": 1}, "token: [redacted] is greater than the maximum of 1"),
    ],
)
async def test_no_message_holds_a_secret_whoever_makes_the_call(schema: JsonObject, message: str) -> None:
    parameter: JsonObject = {"in": "query", "name": "token", "schema": schema, "x-agent-input-parameter": "token"}
    tool = harness(operation([parameter]))
    secret = "123456789" if schema.get("type") == "number" else f"planted-{'x' * 100}"
    context = ToolContext("s1", parameters={"token": secret}, secrets=(secret,), secret_parameters={"token"})
    refused = Failure("INVALID_ARGUMENTS", message)
    assert await tool.tool.client_arguments(Call("c1", tool.action(), {}), context) == refused
    assert await tool.call({}, context) == refused
