import gc
import weakref

import pytest

from openplaybook.egress.base import HttpResponse
from openplaybook.egress.errors import (
    AddressRefused,
    BadResponse,
    ConnectFailed,
    EgressError,
    TimedOut,
)
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.base import Action, Call, Failure, InDoubt, Success, ToolContext
from openplaybook.tools.openapi.description.document_bundle import DocumentBundle
from tests.kit.openapi import TOOL, description, harness, json_body, operation, responds

GET, POST = operation(), operation(body=json_body({}))
BEARER: JsonObject = {"bearerTokenConfig": {"token": "$session.params.token"}}
KEY: JsonObject = {"apiKeyConfig": {"keyName": "k", "apiKey": "very secret/key", "requestLocation": "QUERY_STRING"}}


def test_an_operation_is_an_action() -> None:
    document = operation(
        [{"in": "query", "name": "q", "description": "Words", "schema": {"type": "string", "nullable": True}}],
        summary="Finds things",
        description="All of them.",
        responses={
            "200": {"description": "d", "content": {"application/json": {"schema": {"type": "integer"}}}},
            "404": {"description": "d"},
        },
    )
    assert harness(document).tool.actions() == [
        Action(
            name="act",
            action="act",
            tool=TOOL,
            tool_display_name="things",
            description="Finds things\nAll of them.",
            input_schema={
                "type": "object",
                "properties": {"q": {"type": ["string", "null"], "description": "Words"}},
                "additionalProperties": False,
            },
            is_read_only=True,
            safe_to_repeat=True,
            method="GET",
            path="/things",
        )
    ]
    assert harness(document).action().output_schema == {"type": "object", "properties": {"200": {"type": "integer"}}}


def test_shared_and_recursive_schemas_are_definitions() -> None:
    node: JsonObject = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
    document = operation(body=json_body({"$ref": "#/components/schemas/Node"}))
    schema = harness({**document, "components": {"schemas": {"Node": node}}}).action().input_schema
    assert schema["properties"] == {"requestBody": {"$ref": "#/$defs/Node"}}
    assert schema["$defs"] == {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}}


def test_schemas_of_the_same_name_in_two_places_do_not_mix() -> None:
    inner: JsonObject = {"type": "string"}
    document = operation(
        [
            {"in": "query", "name": "a", "schema": {"$ref": "#/components/schemas/X"}},
            {"in": "query", "name": "b", "schema": {"$ref": "#/components/x-more/X"}},
        ]
    )
    components: JsonObject = {"schemas": {"X": {"type": "integer"}}, "x-more": {"X": inner}}
    schema = harness({**document, "components": components}).action().input_schema
    first, second = (schema["properties"][name]["$ref"].rpartition("/")[2] for name in "ab")
    assert first == "X"
    assert schema["$defs"] == {"X": {"type": "integer"}, second: inner}


def test_a_broken_operation_does_not_touch_the_others() -> None:
    paths: JsonObject = {
        "/good": {"get": {"operationId": "good", "responses": {}}},
        "/bad": {"get": {"operationId": "bad", "parameters": [{"$ref": "#/nowhere"}], "responses": {}}},
        "/odd": {"get": "not an operation"},
        "/gone": {"$ref": "#/nowhere"},
    }
    assert [action.action for action in harness(description(paths)).tool.actions()] == ["good"]


async def test_a_broken_operation_that_is_called_all_the_same_says_why() -> None:
    paths: JsonObject = {"/bad": {"get": {"operationId": "bad", "parameters": [{"$ref": "#/nowhere"}]}}}
    tool = harness(description(paths)).tool
    called = Call("c", Action("bad", "bad", TOOL, "things", "", {}), {})
    outcome = await tool.invoke(called, ToolContext("s"))
    assert outcome == Failure("BROKEN_OPERATION", "bad cannot be called: #/nowhere does not exist in the document")
    unknown = Call("c", Action("nope", "nope", TOOL, "things", "", {}), {})
    assert await tool.invoke(unknown, ToolContext("s")) == Failure("NO_SUCH_ACTION", "things has no operation nope")


def test_operations_without_an_id_are_named_by_method_and_path() -> None:
    paths: JsonObject = {"/pets/{id}": {"get": {"responses": {}}, "delete": {"responses": {}}}}
    actions = harness(description(paths)).tool.actions()
    assert [(action.name, action.action) for action in actions] == [
        ("get_pets_id", "get_pets_id"),
        ("delete_pets_id",) * 2,
    ]


def test_parameters_of_the_path_are_shared_and_overridden() -> None:
    shared: list[JsonObject] = [
        {"in": "query", "name": "a", "schema": {"type": "string"}},
        {"in": "query", "name": "b", "schema": {"type": "string"}},
    ]
    own: list[JsonObject] = [{"in": "query", "name": "b", "schema": {"type": "integer"}}]
    paths: JsonObject = {"/x": {"parameters": shared, "get": {"operationId": "act", "parameters": own}}}
    properties = harness(description(paths)).action().input_schema["properties"]
    assert properties == {"a": {"type": "string"}, "b": {"type": "integer"}}


@pytest.mark.parametrize("header", ["Content-Type", "accept", "Authorization", "Host", "Transfer-Encoding"])
def test_headers_that_are_not_the_models_business_are_hidden(header: str) -> None:
    document = operation([{"in": "header", "name": header, "required": True, "schema": {"type": "string"}}])
    assert harness(document).action().input_schema["properties"] == {}


async def test_an_authorization_header_that_the_session_supplies_is_sent() -> None:
    schema: JsonObject = {"type": "string", "x-agent-input-parameter": "token"}
    tool = harness(operation([{"in": "header", "name": "Authorization", "schema": schema}]))
    context = ToolContext("s", parameters={"token": "Bearer abc"})
    await tool.call({}, context)
    assert ("Authorization", "Bearer abc") in tool.sent.headers
    assert "Bearer abc" not in repr(context.exchanges)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConnectFailed("nobody there"), "CONNECTION_FAILED"),
        (TimedOut("too slow", which="connect", sent=False), "TIMEOUT"),
        (AddressRefused("private", rule="private"), "ADDRESS_REFUSED"),
    ],
)
@pytest.mark.parametrize("document", [GET, POST], ids=["GET", "POST"])
async def test_what_was_not_sent_is_a_failure(document: JsonObject, error: EgressError, code: str) -> None:
    assert await harness(document, error).call({}) == Failure(code, str(error))


@pytest.mark.parametrize("error", [TimedOut("too slow", which="read", sent=True), BadResponse("cut off", sent=True)])
async def test_what_may_have_acted_is_in_doubt_unless_repeating_is_safe(error: EgressError) -> None:
    assert await harness(GET, error).call({}) == Failure(error.code, str(error))
    assert await harness(POST, error).call({}) == InDoubt(f"it is unknown whether act was carried out: {error}")


async def test_the_time_left_limits_the_exchange() -> None:
    tool = harness(GET)
    await tool.call({}, ToolContext("s", timeout_s=7.5))
    await tool.call({}, ToolContext("s", timeout_s=900))
    assert [limits.total_s for limits in tool.transport.limits] == [7.5, 60.0]


@pytest.mark.proves("A6")
async def test_a_credential_is_sent_and_seen_nowhere_else() -> None:
    echo = dumps({"headers": {"authorization": "Bearer tok-12345"}})
    tool = harness(GET, responds(echo), authentication=BEARER)
    context = ToolContext("s", parameters={"token": "tok-12345"})
    outcome = await tool.call({}, context)
    assert ("Authorization", "Bearer tok-12345") in tool.sent.headers
    assert outcome == Success({"200": {"headers": {"authorization": "Bearer [redacted]"}}})
    assert "tok-12345" not in repr(context.exchanges)


@pytest.mark.proves("A3")
async def test_an_api_key_in_the_query_is_masked_however_it_is_called() -> None:
    tool = harness(GET, responds(b'"very secret/key"'), authentication=KEY)
    context = ToolContext("s")
    await tool.call({}, context)
    assert tool.sent.url == "https://api.example/v1/things?k=very%20secret%2Fkey"
    assert context.exchanges[0].url == "https://api.example/v1/things?k=[redacted]"
    assert context.exchanges[0].response_body == '"[redacted]"'


async def test_without_its_credential_no_call_is_made() -> None:
    tool = harness(GET, authentication=BEARER)
    outcome = await tool.call({})
    assert isinstance(outcome, Failure)
    assert (outcome.code, tool.transport.sent) == ("CREDENTIAL_MISSING", [])


async def test_a_private_service_nobody_can_look_up_is_not_called_at_its_public_name() -> None:
    tool = harness(GET, serviceDirectoryConfig={"service": "projects/p/locations/l/namespaces/n/services/s"})
    outcome = await tool.call({})
    assert isinstance(outcome, Failure)
    assert (outcome.code, tool.transport.sent) == ("CREDENTIAL_UNSUPPORTED", [])


async def test_an_exchange_is_kept_for_the_trace() -> None:
    tool = harness(POST, responds(b'{"ok":true}', 201))
    context = ToolContext("s")
    await tool.call({"requestBody": {"a": 1}}, context)
    (exchange,) = context.exchanges
    assert (exchange.method, exchange.url) == ("POST", "https://api.example/v1/things")
    assert exchange.request_headers["Content-Type"] == "application/json"
    assert (exchange.request_body, exchange.response_body) == ('{"a":1}', '{"ok":true}')
    assert (exchange.status, exchange.elapsed_ms, exchange.error) == (201, 1.0, "")


async def test_an_exchange_that_failed_is_kept_with_its_error() -> None:
    context = ToolContext("s")
    await harness(GET, ConnectFailed("nobody there")).call({}, context)
    assert [(exchange.status, exchange.error) for exchange in context.exchanges] == [(0, "nobody there")]


async def test_a_trace_keeps_the_beginning_of_a_large_body() -> None:
    context = ToolContext("s")
    await harness(GET, responds(b'"' + b"x" * 100_000 + b'"')).call({}, context)
    assert len(context.exchanges[0].response_body) == 8_001


async def test_an_answer_from_the_client_is_checked_where_it_is_declared() -> None:
    answers: JsonObject = {"200": {"content": {"application/json": {"schema": {"type": "integer"}}}}}
    tool = harness(operation(responses=answers))
    assert await tool.tool.check_result(tool.action(), {"200": 1}) == ()
    assert await tool.tool.check_result(tool.action(), {"200": "x"}) == ('200 must be integer, got "x"',)
    assert await tool.tool.check_result(tool.action(), {"any": 1}) == ('the value must be integer, got {"any":1}',)
    assert await harness(GET).tool.check_result(harness(GET).action(), {"200": "x"}) == ()


@pytest.mark.timeout(30)
def test_operations_that_all_need_all_of_many_schemas_are_offered_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("openplaybook.tools.openapi.openapi_tool._MAX_DEFINITIONS", 100_000)
    schemas: JsonObject = {
        f"S{at}": {"properties": {"next": {"$ref": f"#/components/schemas/S{at + 1}"}}} for at in range(1_000)
    }
    schemas["S1000"] = {"type": "object"}
    body = json_body({"$ref": "#/components/schemas/S0"})
    paths: JsonObject = {
        f"/p{at}": {"post": {"operationId": f"o{at}", "requestBody": body, "responses": {}}} for at in range(200)
    }
    tool = harness({**description(paths), "components": {"schemas": schemas}}).tool
    assert [action.action for action in tool.actions()] == [f"o{at}" for at in range(100)]


async def test_a_trace_keeps_the_beginning_of_long_headers() -> None:
    reply = HttpResponse(200, (("X-Long", "a" * 5000),), b"", False, 0.001)
    context = ToolContext("session-1")
    await harness(operation(), reply).call({}, context)
    assert context.exchanges[0].response_headers == {"X-Long": "a" * 1000 + "…"}


def test_the_output_schema_is_made_when_it_is_read_and_then_kept() -> None:
    content: JsonObject = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}
    document = operation(responses={"200": {"description": "d", "content": content}})
    pet: JsonObject = {"type": "object", "properties": {"deep": {"$ref": "#/gone"}}}
    action = harness({**document, "components": {"schemas": {"Pet": pet}}}).action()
    assert action.output_schema is action.output_schema
    assert action.output_schema is not None
    assert action.output_schema["properties"] == {"200": {"$ref": "#/$defs/Pet"}}


def test_an_output_schema_that_cannot_be_made_keeps_nobody_from_calling() -> None:
    deep: JsonObject = {}
    for _ in range(70):
        deep = {"items": deep}
    content: JsonObject = {"application/json": {"schema": deep}}
    document = operation(responses={"200": {"description": "d", "content": content}})
    assert harness(document).action().output_schema is None


async def test_without_a_server_an_operation_says_what_to_set_and_with_the_setting_it_works() -> None:
    document = operation()
    document["servers"] = []
    outcome = await harness(document).call({})
    assert isinstance(outcome, Failure)
    assert outcome.message.startswith("act cannot be called: the description names no server; set settings.serverUrl")
    found = harness(document, settings={"serverUrl": "https://mine.example/v1"})
    await found.call({})
    assert found.sent.url == "https://mine.example/v1/things"


def test_a_tool_is_freed_with_its_document_as_soon_as_nobody_has_it() -> None:
    node: JsonObject = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
    document = operation(body=json_body({"$ref": "#/components/schemas/Node"}))
    made = harness({**document, "components": {"schemas": {"Node": node}}})
    schemas = [made.action().input_schema, made.action().output_schema]
    tool = weakref.ref(made.tool)
    gc.collect()
    gc.disable()
    try:
        before = sum(isinstance(each, DocumentBundle) for each in gc.get_objects())
        del made, schemas
        assert tool() is None
        assert sum(isinstance(each, DocumentBundle) for each in gc.get_objects()) == before - 1
    finally:
        gc.enable()


@pytest.mark.proves("A9")
async def test_a_token_that_the_session_puts_into_authorization_is_masked_where_it_comes_back() -> None:
    schema = {"type": "string", "x-agent-input-parameter": "login"}
    header = {"name": "Authorization", "in": "header", "schema": schema}
    tool = harness(operation([header]), responds(dumps({"seen": "token planted-token, Bearer planted-token"})))
    outcome = await tool.call({}, ToolContext("s", {"login": "Bearer planted-token"}))
    assert tool.transport.sent[0].headers[1] == ("Authorization", "Bearer planted-token")
    assert outcome == Success({"200": {"seen": "token [redacted], [redacted]"}})


async def test_calls_are_counted_for_the_agent_that_makes_them() -> None:
    tool = harness(GET)
    await tool.call({})
    assert [limits.caller for limits in tool.transport.limits] == [TOOL.partition("/tools/")[0]]


async def test_a_failure_is_told_without_the_credential_that_the_service_put_into_it() -> None:
    error = AddressRefused("the body would go to another origin, very%20secret%2Fkey.example", rule="r", sent=False)
    tool = harness(GET, error, authentication=KEY)
    assert await tool.call({}) == Failure("ADDRESS_REFUSED", "the body would go to another origin, [redacted].example")
