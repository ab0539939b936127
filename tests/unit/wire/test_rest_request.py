"""Query parameters."""

import asyncio
import gzip
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire import rest_request
from openplaybook.wire.api import Api
from openplaybook.wire.bytes_in_flight import SMALL, BytesInFlight, at_once
from openplaybook.wire.codec import JsonError
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.rest_request import BodyRefused, Disconnected, RestBody, parse_query, query_fields, sent_fields

BETA = "google.cloud.dialogflow.cx.v3beta1"


def fields(api: Api, message: str, query: bytes) -> JsonObject:
    return query_fields(parse_query(query), api.message(f"{BETA}.{message}").DESCRIPTOR)


@pytest.mark.parametrize(
    ("message", "query", "expected"),
    [
        ("ListAgentsRequest", b"", {}),
        ("ListAgentsRequest", b"pageSize=2&page_token=a%20b+c", {"pageSize": "2", "pageToken": "a b c"}),
        ("UpdateAgentRequest", b"updateMask=displayName%2CtimeZone", {"updateMask": "displayName,timeZone"}),
        (
            "UpdateAgentRequest",
            b"agent.display_name=x&agent.locked=true",
            {"agent": {"displayName": "x", "locked": True}},
        ),
        (
            "UpdateAgentRequest",
            b"agent.supportedLanguageCodes=en&agent.supportedLanguageCodes=de",
            {"agent": {"supportedLanguageCodes": ["en", "de"]}},
        ),
        (
            "ListAgentsRequest",
            b"%24alt=json%3Benum-encoding%3Dint&alt=json&key=k&prettyPrint=false&fields=a&$.xgafv=2",
            {},
        ),
    ],
)
def test_parameters_are_fields_and_system_parameters_are_not(
    api: Api, message: str, query: bytes, expected: JsonObject
) -> None:
    assert fields(api, message, query) == expected


@pytest.mark.parametrize(
    ("message", "query", "error"),
    [
        ("GetAgentRequest", b"nam=x", "$.nam: unknown parameter; the request has the fields name"),
        ("GetAgentRequest", b"name.x=y", "$.name.x: name has no fields that a parameter could set"),
        ("GetAgentRequest", b"name=x&name=y", "$.name: the parameter is given twice"),
        (
            "UpdateAgentRequest",
            b"agent=x",
            "$.agent: a message cannot be given as one parameter; name the field within it",
        ),
        ("UpdateAgentRequest", b"agent.locked=yes", "$.agent.locked: true or false is expected, not 'yes'"),
    ],
)
def test_a_parameter_that_does_not_fit_is_refused(api: Api, message: str, query: bytes, error: str) -> None:
    with pytest.raises(JsonError) as caught:
        fields(api, message, query)

    assert str(caught.value) == error


@pytest.mark.parametrize("query", [b"name=%ff", b"name=\xff"])
def test_a_query_that_is_no_utf_8_is_refused(query: bytes) -> None:
    with pytest.raises(JsonError, match="not percent-encoded UTF-8"):
        parse_query(query)


def test_the_fields_of_a_body_are_named_as_in_the_message(api: Api) -> None:
    body = {
        "displayName": "a",
        "description": None,
        "functionSpec": {"inputSchema": {"fields": 1}},
        "open_api_spec": {"authentication": {"apiKeyConfig": {"keyName": "k"}}},
    }

    assert sent_fields(body, api.message(f"{BETA}.Tool").DESCRIPTOR) == {
        "display_name",
        "description",
        "function_spec",
        "function_spec.input_schema",
        "open_api_spec",
        "open_api_spec.authentication",
        "open_api_spec.authentication.api_key_config",
        "open_api_spec.authentication.api_key_config.key_name",
    }


def test_camel_case_names_are_json_names_throughout(api: Api) -> None:
    for method in api.methods.values():
        names = method.input.fields_by_camelcase_name
        assert all(names[field.json_name].number == field.number for field in method.input.fields)


BODY = b'{"displayName": "a"}'


def arriving(*pieces: bytes) -> Receive:
    """The pieces of a whole body."""
    events: list[Message] = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    events.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> Message:
        return events.pop(0)

    return receive


async def untouched() -> Message:
    raise AssertionError("the body was read")


async def read(receive: Receive, most: int = 1000, **headers: str) -> bytes | bytearray:
    return await read_within(BytesInFlight(), receive, most, **headers)


async def read_within(budget: BytesInFlight, receive: Receive, most: int, **headers: str) -> bytes | bytearray:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = RestBody(named, most, budget.reserve(), at_once)
    await body.arrive(receive)
    return await body.plain()


async def refusal(receive: Receive, most: int = 1000, **headers: str) -> tuple[Code, int | None, str]:
    with pytest.raises(RpcError) as refused:
        await read(receive, most, **headers)
    error = refused.value
    return error.code, error.http_status if isinstance(error, BodyRefused) else None, error.message


TOO_LARGE = (Code.INVALID_ARGUMENT, 413, "Request payload size exceeds the limit: 1000 bytes.")


async def test_what_is_declared_too_large_is_refused_before_a_byte_is_read() -> None:
    assert await refusal(untouched, content_length="1001") == TOO_LARGE


async def test_what_is_declared_within_the_limit_takes_its_room_before_a_byte_is_read() -> None:
    budget = BytesInFlight(large=SMALL + 1)
    budget.reserve(SMALL + 1)
    with pytest.raises(RpcError) as refused:
        await read_within(budget, untouched, 10 * SMALL, content_length=str(SMALL + 1))
    assert refused.value.code is Code.RESOURCE_EXHAUSTED


async def test_a_body_without_a_length_is_stopped_where_it_passes_the_limit() -> None:
    receive = arriving(b"x" * 600, b"x" * 401, b"never read")
    assert await refusal(receive) == TOO_LARGE
    assert (await receive())["body"] == b"never read"


@pytest.mark.parametrize("declared", ["-1", "abc", "1" * 30, "\u0662", ""])
async def test_a_length_that_is_none_changes_nothing(declared: str) -> None:
    assert await read(arriving(BODY), content_length=declared) == BODY


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=6), st.integers(0, 300), st.booleans())
def test_pieces_make_no_difference(body: bytes, cuts: Sequence[int], most: int, is_compressed: bool) -> None:
    sent = gzip.compress(body) if is_compressed else body
    edges = [0, *sorted(cuts), len(sent)]
    pieces = [sent[start:end] for start, end in pairwise(edges)]
    headers = {"content_encoding": "gzip"} if is_compressed else {}
    if len(body) <= most:
        assert asyncio.run(read(arriving(*pieces), most, **headers)) == body
    else:
        expected = (Code.INVALID_ARGUMENT, 413, f"Request payload size exceeds the limit: {most} bytes.")
        assert asyncio.run(refusal(arriving(*pieces), most, **headers)) == expected


async def test_a_bomb_is_not_inflated_beyond_the_limit() -> None:
    budget = BytesInFlight()
    bomb = gzip.compress(b"0" * 50_000_000)
    with pytest.raises(BodyRefused) as refused:
        await read_within(budget, arriving(bomb), 1_000_000, content_encoding="gzip")
    assert refused.value.message == "Request payload size exceeds the limit: 1000000 bytes."
    assert budget.held <= 1_000_000


NOT_GZIP = "The request's body is not gzip."
CUT_OFF = "The request's body ends within its gzip."
MORE = "The request's body continues after the end of its gzip."


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ([b"plain"], NOT_GZIP),
        ([gzip.compress(BODY)[:-4]], CUT_OFF),
        ([gzip.compress(BODY)[:3]], CUT_OFF),
        ([gzip.compress(BODY) + b"x"], MORE),
        ([gzip.compress(BODY), gzip.compress(BODY)], MORE),
    ],
)
async def test_gzip_that_is_none_is_refused(pieces: Sequence[bytes], message: str) -> None:
    assert await refusal(arriving(*pieces), content_encoding="gzip") == (Code.INVALID_ARGUMENT, None, message)


async def test_no_body_at_all_is_fine_with_any_encoding() -> None:
    assert await read(arriving(), content_encoding="gzip") == b""
    assert await read(arriving(), content_encoding="Identity") == b""


async def test_a_body_has_its_time_to_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest_request, "ARRIVAL_S", 0.01)

    async def receive() -> Message:
        return await asyncio.Future()

    message = "The request's body did not arrive within 0.01 s."
    assert await refusal(receive) == (Code.DEADLINE_EXCEEDED, 408, message)


async def test_a_body_that_is_only_said_to_come_has_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest_request, "ARRIVAL_S", 0.01)

    async def receive() -> Message:
        return await asyncio.Future()

    size = 100 * 1024 * 1024
    message = "The request's body did not arrive within 0.01 s."
    told = await refusal(receive, size, content_length=str(size))
    assert told == (Code.DEADLINE_EXCEEDED, 408, message)


async def test_who_is_gone_is_not_answered() -> None:
    async def receive() -> Message:
        return {"type": "http.disconnect"}

    with pytest.raises(Disconnected):
        await read(receive)
