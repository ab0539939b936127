"""RPCs, counted and timed."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.server.access.principals import Principal, PrincipalKind, Role, enter
from openplaybook.server.measured_registry import MeasuredRegistry, without_paths
from openplaybook.services.errors import bad_request, to_rpc_error
from openplaybook.storage.errors import SENTENCES, StoreFault, StoreUnusable
from openplaybook.telemetry.metrics import Metrics
from openplaybook.telemetry.own_paths import SHOWN, hide_own
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

API = load_api()
GET = "google.cloud.dialogflow.cx.v3beta1.Agents.GetAgent"
STREAM = "google.cloud.dialogflow.cx.v3beta1.Sessions.ServerStreamingDetectIntent"


async def get_agent(request: ApiMessage, context: RpcContext) -> ApiMessage:
    match request.name:
        case "missing":
            raise RpcError(Code.NOT_FOUND, "none")
        case "broken":
            raise LookupError("a fault of ours")
        case name:
            return API.message("google.cloud.dialogflow.cx.v3beta1.Agent")(name=name)


async def detect(request: ApiMessage, context: RpcContext) -> AsyncIterator[ApiMessage]:
    yield API.message("google.cloud.dialogflow.cx.v3beta1.DetectIntentResponse")()
    if request.session == "broken":
        raise RpcError(Code.ABORTED, "busy")
    yield API.message("google.cloud.dialogflow.cx.v3beta1.DetectIntentResponse")()


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def registry(metrics: Metrics) -> MeasuredRegistry:
    registry = MeasuredRegistry(API, metrics)
    registry.unary(GET, get_agent)
    registry.server_streaming(STREAM, detect)
    return registry


def counted(metrics: Metrics) -> list[tuple[str, str]]:
    """(method, code) of every count of one."""
    lines = re.findall(r"^openplaybook_rpc_total\{(.*)\} 1\.0$", metrics.render()[0].decode(), re.MULTILINE)
    labels = [dict(re.findall(r'(\w+)="([^"]*)"', line)) for line in lines]
    return [(label["method"], label["code"]) for label in labels]


def context(method: str) -> RpcContext:
    return RpcContext(method, "v3beta1", "grpc")


@pytest.mark.parametrize(("name", "code"), [("missing", "NOT_FOUND"), ("broken", "INTERNAL")])
async def test_a_refused_request_counts_under_its_code(
    registry: MeasuredRegistry, metrics: Metrics, name: str, code: str
) -> None:
    method = API.methods[GET]
    with pytest.raises(RpcError):
        await registry.call(method, API.message(method.input.full_name)(name=name), context(GET))
    assert counted(metrics) == [(GET, code)]


async def test_an_answered_request_counts_under_the_method_as_it_was_called(
    registry: MeasuredRegistry, metrics: Metrics
) -> None:
    stable = API.methods[GET.replace("v3beta1", "v3")]
    request = API.message(stable.input.full_name)(name="a")
    assert (await registry.call(stable, request, context(stable.full_name))).name == "a"
    assert counted(metrics) == [(stable.full_name, "OK")]


@pytest.mark.parametrize(("session", "heard", "code"), [("s", 2, "OK"), ("broken", 1, "ABORTED")])
async def test_a_stream_counts_when_it_has_ended(
    registry: MeasuredRegistry, metrics: Metrics, session: str, heard: int, code: str
) -> None:
    method = API.methods[STREAM]
    responses: list[ApiMessage] = []
    try:
        async for response in registry.call_streaming(
            method, API.message(method.input.full_name)(session=session), context(STREAM)
        ):
            assert counted(metrics) == []
            responses.append(response)
    except RpcError as error:
        ended = error.code.name
    else:
        ended = "OK"
    assert (len(responses), ended, counted(metrics)) == (heard, code, [(STREAM, code)])


async def test_a_stream_whose_listener_leaves_counts_as_cancelled(registry: MeasuredRegistry, metrics: Metrics) -> None:
    method = API.methods[STREAM]
    stream = registry.call_streaming(method, API.message(method.input.full_name)(session="s"), context(STREAM))
    await anext(stream)
    await stream.aclose()
    assert counted(metrics) == [(STREAM, "CANCELLED")]


BIDI = "google.cloud.dialogflow.cx.v3beta1.Sessions.StreamingDetectIntent"
TRACE = "0af7651916cd43dd8448eb211c80319c"


async def talk(requests: AsyncIterator[ApiMessage], context: RpcContext) -> AsyncIterator[ApiMessage]:
    async for request in requests:
        if request.session == "broken":
            raise RpcError(Code.ABORTED, "busy")
        response = {"response_id": f"response-{request.session}"}
        yield API.message("google.cloud.dialogflow.cx.v3beta1.StreamingDetectIntentResponse")(
            detect_intent_response=response
        )


async def given(*sessions: str) -> AsyncIterator[ApiMessage]:
    for session in sessions:
        yield API.message(API.methods[BIDI].input.full_name)(session=session)


def logged(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    """Fields of the access log's lines, without the time that a call took."""
    names = ("rpc", "code", "transport", "session", "response_id", "trace", "principal", "principal_kind", "client")
    lines = [vars(record) for record in caplog.records if record.name == "openplaybook.access"]
    return [{name: line[name] for name in names if name in line} for line in lines]


async def test_a_stream_both_ways_counts_and_is_logged_with_its_session(
    registry: MeasuredRegistry, metrics: Metrics, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "openplaybook.access")
    registry.stream(BIDI, talk)
    method = API.methods[BIDI]
    called = RpcContext(BIDI, "v3beta1", "grpc", {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"})
    assert len([each async for each in registry.call_bidi(method, given("s", "later"), called)]) == 2
    assert counted(metrics) == [(BIDI, "OK")]
    known = {"rpc": BIDI, "transport": "grpc", "session": "s", "trace": TRACE}
    assert logged(caplog) == [{**known, "code": "OK", "response_id": "response-later"}]


async def test_a_call_is_logged_with_who_made_it_and_how_it_ended(
    registry: MeasuredRegistry, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "openplaybook.access")
    enter(Principal("shop", Role.RUNTIME, PrincipalKind.TOKEN), "127.0.0.1")
    method = API.methods[GET]
    with pytest.raises(RpcError):
        await registry.call(method, API.message(method.input.full_name)(name="missing"), context(GET))
    assert logged(caplog) == [
        {
            "rpc": GET,
            "code": "NOT_FOUND",
            "transport": "grpc",
            "principal": "shop",
            "principal_kind": "token",
            "client": "127.0.0.1",
        }
    ]


async def test_a_name_of_any_length_does_not_fill_the_log(
    registry: MeasuredRegistry, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "openplaybook.access")
    registry.stream(BIDI, talk)
    async for _ in registry.call_bidi(API.methods[BIDI], given("s" * 100_000), context(BIDI)):
        pass
    assert [len(str(line["session"])) for line in logged(caplog)] == [500]


def test_an_error_loses_paths_from_its_message_and_its_details(tmp_path: Path) -> None:
    hide_own([tmp_path / "data"])
    message = f"{tmp_path}/data/x is not there"
    error = RpcError(Code.INTERNAL, message, [bad_request([("f", message)])], {"Retry-After": "1"})
    shown = without_paths(error)
    assert (shown.code, shown.message, shown.headers) == (Code.INTERNAL, f"{SHOWN} is not there", {"Retry-After": "1"})
    assert shown.details == (bad_request([("f", f"{SHOWN} is not there")]),)


def test_an_error_that_names_none_is_the_same_one() -> None:
    error = RpcError(Code.NOT_FOUND, "Agent a/b does not exist", [bad_request([("f", "g")])])
    assert without_paths(error) is error


@pytest.mark.parametrize("fault", StoreFault)
def test_an_unusable_store_is_told_by_its_fault_alone(fault: StoreFault, caplog: pytest.LogCaptureFixture) -> None:
    error = to_rpc_error(StoreUnusable("/srv/op/data/openplaybook.db: it hurts (10.0.0.7)", fault))
    assert (error.code, error.message) == (
        Code.UNAVAILABLE,
        f"The server's database cannot be used: {SENTENCES[fault]}.",
    )
    assert "/srv/op/data/openplaybook.db: it hurts" in caplog.text, "the log has it"
