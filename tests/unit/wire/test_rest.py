"""The REST application, called as an ASGI server calls it."""

import asyncio
import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import unquote

import pytest
from starlette.types import Message, Receive

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.wire.api import Api
from openplaybook.wire.bytes_in_flight import SMALL, BytesInFlight
from openplaybook.wire.context import RpcContext, RpcLimit
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry
from openplaybook.wire.rest import RestApp

BETA = "google.cloud.dialogflow.cx.v3beta1"
AGENTS = "/v3/projects/p/locations/l/agents"
LIMIT = 10_000
T = TypeVar("T")


@dataclass
class Server:
    """Calls the application with one request after another, and keeps what its handlers saw."""

    app: RestApp
    requests: list[ApiMessage] = field(default_factory=list[ApiMessage])
    contexts: list[RpcContext] = field(default_factory=list[RpcContext])

    async def call(
        self,
        verb: str,
        target: str,
        body: JsonValue = None,
        *,
        headers: dict[str, str] | None = None,
        root_path: str = "",
    ) -> tuple[int, JsonValue, dict[str, str]]:
        """Status, body and headers of the answer; a body of bytes is sent as it is."""
        path, _, query = target.partition("?")
        data = body if isinstance(body, bytes) else b"" if body is None else dumps(body)
        scope = {
            "type": "http",
            "method": verb,
            "path": unquote(path),
            "raw_path": path.encode(),
            "root_path": root_path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in (headers or {}).items()],
        }
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(scope, _receive(data), send)
        content = b"".join(message.get("body", b"") for message in sent[1:])
        answer_headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        if answer_headers.get("content-encoding") == "gzip":
            content = gzip.decompress(content)
        return sent[0]["status"], json.loads(content) if content else None, answer_headers


def _receive(data: bytes) -> Receive:
    events: list[Message] = [
        {"type": "http.request", "body": data[:5], "more_body": True},
        {"type": "http.request", "body": data[5:]},
    ]

    async def receive() -> Message:
        return events.pop(0) if events else {"type": "http.disconnect"}

    return receive


@pytest.fixture
def server(api: Api) -> Server:
    registry = Registry(api)
    made = Server(RestApp(registry, max_body_bytes=LIMIT))

    def note(request: ApiMessage, context: RpcContext) -> None:
        made.requests.append(request)
        made.contexts.append(context)

    async def get(request: ApiMessage, context: RpcContext) -> ApiMessage:
        note(request, context)
        return api.message(f"{BETA}.Agent")(name=request.name, paused_input="REFUSE")

    async def create(request: ApiMessage, context: RpcContext) -> ApiMessage:
        note(request, context)
        return request.agent

    async def delete(request: ApiMessage, context: RpcContext) -> ApiMessage:
        note(request, context)
        return api.message("google.protobuf.Empty")()

    async def export(request: ApiMessage, context: RpcContext) -> ApiMessage:
        note(request, context)
        return api.message("google.longrunning.Operation")(name="o")

    async def operation(request: ApiMessage, context: RpcContext) -> ApiMessage:
        note(request, context)
        found = api.message("google.longrunning.Operation")(name=request.name, done=True)
        found.response.Pack(api.message(f"{BETA}.Agent")(display_name="a"))
        return found

    async def unreadable(request: ApiMessage, context: RpcContext) -> ApiMessage:
        found = api.message(f"{BETA}.Tool")()
        found.function_spec.input_schema.fields["n"].number_value = float("nan")
        return found

    registry.unary(f"{BETA}.Agents.GetAgent", get)
    registry.unary(f"{BETA}.Agents.CreateAgent", create)
    registry.unary(f"{BETA}.Agents.UpdateAgent", create)
    registry.unary(f"{BETA}.Agents.DeleteAgent", delete)
    registry.unary(f"{BETA}.Agents.ExportAgent", export)
    registry.unary(f"{BETA}.Tools.GetTool", unreadable)
    registry.unary("google.longrunning.Operations.GetOperation", operation)
    return made


async def test_a_body_may_be_one_field_and_the_path_replaces_what_it_says(server: Server) -> None:
    body = {"name": "other", "displayName": "a", "gitIntegrationSettings": None}

    status, answer, _ = await server.call("PATCH", f"{AGENTS}/a?updateMask=displayName", body)

    assert (status, answer) == (200, {"name": f"{AGENTS[4:]}/a", "displayName": "a"})
    assert list(server.requests[0].update_mask.paths) == ["display_name"]
    assert server.contexts[0].sent_fields == {"name", "display_name", "git_integration_settings"}
    assert (server.contexts[0].version, server.contexts[0].method) == (
        "v3",
        "google.cloud.dialogflow.cx.v3.Agents.UpdateAgent",
    )


async def test_a_body_may_be_the_whole_request(server: Server) -> None:
    status, answer, _ = await server.call("POST", f"{AGENTS}/a:export", {"dataFormat": "JSON_PACKAGE"})

    assert (status, answer) == (200, {"name": "o"})
    assert (server.requests[0].name, server.requests[0].data_format) == (f"{AGENTS[4:]}/a", 4)


@pytest.mark.parametrize("body", [None, b"", b" \n", {}])
async def test_an_empty_body_is_an_empty_object(server: Server, body: JsonValue) -> None:
    status, _, _ = await server.call("POST", AGENTS, body)

    assert status == 200
    assert server.requests[0].parent == AGENTS[4:].removesuffix("/agents")
    assert server.contexts[0].sent_fields == frozenset()


async def test_an_empty_answer_is_an_empty_object(server: Server) -> None:
    assert (await server.call("DELETE", f"{AGENTS}/a"))[:2] == (200, {})


async def test_enums_are_numbers_when_asked_for(server: Server) -> None:
    _, names, _ = await server.call("GET", f"{AGENTS}/a")
    _, numbers, _ = await server.call("GET", f"{AGENTS}/a?%24alt=json%3Benum-encoding%3Dint")

    assert (names["pausedInput"], numbers["pausedInput"]) == ("REFUSE", 2)


@pytest.mark.parametrize("form", [b"pageSize=2", b"page_size=2"])
async def test_another_method_may_stand_in_a_header(server: Server, form: bytes) -> None:
    """As Google's own servers take it: for proxies, and for queries too long for a URL."""
    status, agent, _ = await server.call("POST", f"{AGENTS}/a", b"", headers={"x-http-method-override": "GET"})
    assert (status, agent["name"]) == (200, f"{AGENTS[4:]}/a")
    patch = {"X-HTTP-Method-Override": "patch"}
    status, agent, _ = await server.call("POST", f"{AGENTS}/a", {"displayName": "b"}, headers=patch)
    assert (status, agent["displayName"]) == (200, "b")
    long = {"x-http-method-override": "GET", "content-type": "application/x-www-form-urlencoded"}
    status, told, _ = await server.call("POST", f"{AGENTS}/a", form, headers=long)
    assert (status, told["error"]["message"]) == (400, _UNKNOWN.format(form.partition(b"=")[0].decode()))


_UNKNOWN = "Invalid JSON payload received. $.{}: unknown parameter; the request has the fields name"


async def test_a_method_that_is_none_is_refused(server: Server) -> None:
    status, told, _ = await server.call("POST", AGENTS, {}, headers={"x-http-method-override": "LINK"})
    message = "X-HTTP-Method-Override must be one of GET, POST, PUT, PATCH, DELETE."
    assert (status, told["error"]["message"]) == (400, message)


async def test_a_get_does_not_become_another_method(server: Server) -> None:
    status, agent, _ = await server.call("GET", f"{AGENTS}/a", headers={"x-http-method-override": "DELETE"})
    assert (status, agent["name"]) == (200, f"{AGENTS[4:]}/a")


async def test_only_the_fields_that_are_wanted_come(server: Server) -> None:
    assert (await server.call("GET", f"{AGENTS}/a?fields=pausedInput"))[:2] == (200, {"pausedInput": "REFUSE"})
    status, told, _ = await server.call("DELETE", f"{AGENTS}/a?fields=x")
    message = "Invalid system parameter: fields: the answer has no field 'x'; there are (none)."
    assert (status, told["error"]["message"]) == (400, message)
    assert [request.DESCRIPTOR.name for request in server.requests] == ["GetAgentRequest"]


async def test_an_answer_is_compressed_for_who_takes_that(server: Server) -> None:
    name = "x" * 3_000
    status, answer, headers = await server.call("GET", f"{AGENTS}/{name}", headers={"accept-encoding": "gzip"})
    assert (status, answer["name"], headers["content-encoding"]) == (200, f"{AGENTS[4:]}/{name}", "gzip")
    assert headers["vary"] == "Accept-Encoding"
    assert int(headers["content-length"]) < 300


@pytest.mark.parametrize(
    ("verb", "target", "body", "message"),
    [
        ("POST", AGENTS, {"nam": 1}, "$.nam: unknown field; did you mean name?"),
        ("POST", AGENTS, b"{", "$: line 1 column 2: Expecting property name"),
        ("POST", AGENTS, b'{"a": 1, "a": 2}', "$: the key 'a' is given twice in one object"),
        ("POST", AGENTS, [], "$: an object is expected, not an array"),
        ("GET", f"{AGENTS}/a", {"a": 1}, "$: GET /v3/{name=projects/*/locations/*/agents/*} takes no body"),
        ("GET", f"{AGENTS}/a?fancy=1", None, "$.fancy: unknown parameter; the request has the fields name"),
    ],
)
async def test_what_cannot_be_read_is_an_invalid_argument_with_its_place(
    server: Server, verb: str, target: str, body: JsonValue, message: str
) -> None:
    status, answer, _ = await server.call(verb, target, body)

    assert (status, answer["error"]["code"], answer["error"]["status"]) == (400, 400, "INVALID_ARGUMENT")
    assert answer["error"]["message"].startswith(f"Invalid JSON payload received. {message}")


@pytest.mark.parametrize(
    ("verb", "target", "headers", "message"),
    [
        ("GET", f"{AGENTS}/%ff", {}, "The path is not percent-encoded UTF-8."),
        ("GET", f"{AGENTS}/a?x=%ff", {}, "the query string is not percent-encoded UTF-8"),
        (
            "POST",
            AGENTS,
            {"content-encoding": "br"},
            "The content encoding 'br' is not supported; send JSON without it, or with gzip.",
        ),
        ("GET", f"{AGENTS}/a", {"x-server-timeout": "x"}, "The header x-server-timeout must be a number of seconds."),
    ],
)
async def test_a_malformed_request_is_an_invalid_argument(
    server: Server, verb: str, target: str, headers: dict[str, str], message: str
) -> None:
    status, answer, _ = await server.call(verb, target, headers=headers)

    assert (status, answer) == (400, {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}})


async def test_a_known_path_with_another_http_method_is_not_found_and_says_what_it_takes(server: Server) -> None:
    status, answer, _ = await server.call("PUT", f"{AGENTS}/a")

    assert (status, answer["error"]["status"]) == (404, "NOT_FOUND")
    assert answer["error"]["message"] == f"There is no RPC at PUT {AGENTS}/a. It takes DELETE, GET, PATCH."


async def test_options_says_what_a_path_takes(server: Server) -> None:
    status, answer, headers = await server.call("OPTIONS", f"{AGENTS}/a")

    assert (status, answer, headers["allow"]) == (204, None, "DELETE, GET, PATCH, OPTIONS")
    assert (await server.call("OPTIONS", "/v3/nothing"))[0] == 404


async def test_head_is_get_without_the_body(server: Server) -> None:
    _, _, of_get = await server.call("GET", f"{AGENTS}/a")
    status, answer, of_head = await server.call("HEAD", f"{AGENTS}/a")

    assert (status, answer, of_head["content-length"]) == (200, None, of_get["content-length"])


async def test_it_can_be_mounted_under_a_prefix(server: Server) -> None:
    assert (await server.call("GET", f"/base{AGENTS}/a", root_path="/base"))[0] == 200


async def test_the_timeout_and_the_headers_reach_the_handler(server: Server) -> None:
    await server.call("GET", f"{AGENTS}/a", headers={"X-Server-Timeout": "3", "X-Other": "y"})

    [context] = server.contexts
    assert (context.timeout_s, context.transport) == (3.0, "rest")
    assert context.metadata == {"x-server-timeout": "3", "x-other": "y"}


async def test_a_deadline_counts_while_a_large_request_waits_to_be_read(api: Api) -> None:
    async def never(work: Callable[[], T], size: int) -> T:
        await asyncio.Event().wait()
        return work()

    registry = Registry(api, lambda method: RpcLimit(seconds=30), never)
    server = Server(RestApp(registry, max_body_bytes=100_000))
    body: JsonObject = {"displayName": "x" * 50_000}
    status, answer, _ = await server.call("POST", AGENTS, body, headers={"X-Server-Timeout": "0.02"})

    assert (status, answer["error"]["status"]) == (504, "DEADLINE_EXCEEDED")
    assert answer["error"]["message"] == "The response was not ready within 0.02 s, its own deadline."


async def test_a_deadline_counts_while_a_compressed_request_waits_for_its_turn(api: Api) -> None:
    registry, in_flight = Registry(api, lambda method: RpcLimit(seconds=30)), BytesInFlight()
    await in_flight.inflating.acquire("another")
    body = gzip.compress(b"{" + b" " * (2 * SMALL) + b"}")
    server = Server(RestApp(registry, max_body_bytes=4 * SMALL, in_flight=in_flight))
    headers = {"x-server-timeout": "0.02", "content-encoding": "gzip"}
    status, answer, _ = await server.call("POST", AGENTS, body, headers=headers)

    assert (status, answer["error"]["status"]) == (504, "DEADLINE_EXCEEDED")
    assert answer["error"]["message"] == "The response was not ready within 0.02 s, its own deadline."
    assert in_flight.held == 0


@pytest.mark.parametrize("version", ["v3", "v3beta1"])
async def test_an_operation_is_in_the_version_of_its_path(server: Server, version: str) -> None:
    _, answer, _ = await server.call("GET", f"/{version}/projects/p/locations/l/operations/o")

    assert answer["response"]["@type"] == f"type.googleapis.com/google.cloud.dialogflow.cx.{version}.Agent"
    assert server.contexts[0].version == version


async def test_an_rpc_without_a_handler_is_501(server: Server) -> None:
    status, answer, _ = await server.call("GET", "/v1/openplaybook:doctor")

    assert (status, answer["error"]["status"]) == (501, "UNIMPLEMENTED")
    assert answer["error"]["message"] == "openplaybook.v1.OpenPlaybook.Doctor is not implemented by this server."


async def test_an_answer_that_json_cannot_hold_is_our_fault(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    status, answer, _ = await server.call("GET", f"{AGENTS}/a/tools/t")

    assert (status, answer["error"]["status"]) == (500, "INTERNAL")
    assert "NaN" in caplog.text


async def test_a_client_that_is_gone_before_its_body_came_gets_nothing(server: Server) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: JsonObject = {"type": "http", "method": "POST", "path": AGENTS, "query_string": b"", "headers": []}
    await server.app(scope, receive, send)

    assert (sent, server.requests) == ([], [])


async def test_a_connection_that_is_not_http_is_refused(server: Server) -> None:
    async def send(message: Message) -> None: ...

    with pytest.raises(ValueError, match="not websocket"):
        await server.app({"type": "websocket"}, _receive(b""), send)
