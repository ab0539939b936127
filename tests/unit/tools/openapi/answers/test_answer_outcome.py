import gzip

import pytest

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from openplaybook.tools.base import Failure, Success
from tests.kit.openapi import harness, operation, responds

DECLARES_JSON: JsonObject = {"200": {"description": "d", "content": {"application/json": {}}}}
DECLARES_HTML: JsonObject = {"200": {"description": "d", "content": {"text/html": {}}}}
PAGE = b"<!doctype html><html><title>Sign in</title></html>"


@pytest.mark.parametrize(
    ("response", "output"),
    [
        (responds(b'{"a":1}'), {"200": {"a": 1}}),
        (responds(b"[1,2]", 201), {"201": [1, 2]}),
        (responds(b'"x"', 200, "application/problem+json; charset=utf-8"), {"200": "x"}),
        (responds(b"", 204, ""), {"204": None}),
        (responds(b"", 200, "application/json"), {"200": None}),
        (responds(b"hello", 200, "text/plain"), {"200": "hello"}),
        (responds("grüße".encode("latin-1"), 200, "text/plain; charset=iso-8859-1"), {"200": "grüße"}),
        (responds(b"hello", 200, "text/plain; charset=nonsense"), {"200": "hello"}),
        (responds(b'{"a":1}', 200, "text/plain"), {"200": {"a": 1}}),
        (responds(b'{"a":1}', 200, ""), {"200": {"a": 1}}),
        (responds(b"{not json", 200, "text/plain"), {"200": "{not json"}),
        (responds(b"<a/>", 200, "application/xml"), {"200": "<a/>"}),
        (responds(b"\xef\xbb\xbf{}", 200), {"200": {}}),
        (responds('{"a":"ü"}'.encode("utf-16"), 200, "application/json; charset=utf-16"), {"200": {"a": "ü"}}),
        (responds(b'{"a":1}', 200, "application/octet-stream"), {"200": {"a": 1}}),
        (responds(b"hello", 200, ""), {"200": "hello"}),
        (responds(b"a,b\n1,2", 200, "text/csv"), {"200": "a,b\n1,2"}),
        (responds(b"a: 1", 200, "application/yaml"), {"200": "a: 1"}),
        (responds(b'{"a":1}\n{"a":2}', 200, "application/x-ndjson"), {"200": '{"a":1}\n{"a":2}'}),
        (responds(b"<svg/>", 200, "image/svg+xml"), {"200": "<svg/>"}),
    ],
)
@pytest.mark.proves("O6")
async def test_an_answer_is_read_by_what_it_is(response: HttpResponse, output: JsonObject) -> None:
    assert await harness(operation(), response).call({}) == Success(output)


async def test_bytes_are_told_of_and_not_shown() -> None:
    outcome = await harness(operation(), responds(b"\x89PNG", 200, "image/png")).call({})
    assert outcome == Success({"200": None}, "The answer is 4 bytes of image/png, which is not shown.")


@pytest.mark.parametrize("body", [PAGE, b"{oops", gzip.compress(b"{}", mtime=0)])
async def test_what_claims_to_be_json_and_is_not_is_a_failure_with_an_excerpt(body: bytes) -> None:
    outcome = await harness(operation(), responds(body)).call({})
    assert isinstance(outcome, Failure)
    assert outcome.code == "NOT_JSON"


@pytest.mark.parametrize("declared", [{}, DECLARES_JSON])
async def test_a_page_in_place_of_an_answer_is_a_failure_with_an_excerpt(declared: JsonObject) -> None:
    reply = responds(PAGE, 200, "text/html; charset=utf-8")
    assert await harness(operation(responses=declared), reply).call({}) == Failure(
        "NOT_JSON",
        "the API answered 200, but what it sent (text/html; charset=utf-8) is not JSON. "
        "It begins: <!doctype html><html><title>Sign in</title></html>",
    )


async def test_a_page_that_was_declared_is_text() -> None:
    tool = harness(operation(responses=DECLARES_HTML), responds(PAGE, 200, "text/html"))
    assert await tool.call({}) == Success({"200": PAGE.decode()})


@pytest.mark.parametrize(
    ("response", "message", "output"),
    [
        (responds(b'{"message":"no pet 9"}', 404), "the API answered 404 Not Found: no pet 9", {"message": "no pet 9"}),
        (
            responds(b'{"error":{"message":"too many"}}', 429),
            "the API answered 429 Too Many Requests: too many; it may be tried again later",
            {"error": {"message": "too many"}},
        ),
        (
            responds(b'{"title":"Bad","status":400}', 400, "application/problem+json"),
            "the API answered 400 Bad Request: Bad",
            {"title": "Bad", "status": 400},
        ),
        (responds(b"", 500, ""), "the API answered 500 Internal Server Error", None),
        (
            responds(b"gone fishing", 503, "text/plain"),
            "the API answered 503 Service Unavailable: gone fishing; it may be tried again later",
            "gone fishing",
        ),
        (responds(b"{}", 299 + 500), "the API answered 799", {}),
        (responds(b"", 304, ""), "the API answered 304 Not Modified", None),
        (responds(PAGE, 502, "text/html"), "the API answered 502 Bad Gateway: Sign in", PAGE.decode()),
    ],
)
async def test_a_status_that_is_no_success_is_a_failure_with_what_came(
    response: HttpResponse, message: str, output: JsonValue
) -> None:
    outcome = await harness(operation(), response).call({})
    assert outcome == Failure("HTTP_ERROR", message, {str(response.status): output})


@pytest.mark.proves("O12")
async def test_a_large_answer_is_cut_to_valid_json_with_a_note() -> None:
    items = [{"id": number, "text": "x" * 100} for number in range(2_000)]
    outcome = await harness(operation(), responds(dumps({"total": 2_000, "items": items}))).call({})
    assert isinstance(outcome, Success)
    answer = outcome.output["200"]
    assert len(dumps(answer)) <= 32_000
    assert answer["total"] == 2_000
    assert answer["items"] == items[: len(answer["items"])]
    assert outcome.note == f"Cut to fit: $.items has the first {len(answer['items'])} of 2000 items."


@pytest.mark.proves("O12")
async def test_an_answer_that_was_not_read_to_its_end_is_still_json() -> None:
    whole = dumps({"items": [{"id": number} for number in range(1_000)]})
    half = whole[: len(whole) // 2]
    outcome = await harness(operation(), responds(half, truncated=True)).call({})
    assert isinstance(outcome, Success)
    items = outcome.output["200"]["items"]
    assert items == loads(whole)["items"][: len(items)]
    assert len(items) > 400
    assert outcome.note == f"The answer was longer than {len(half)} bytes; the rest was not read."


@pytest.mark.timeout(10)
async def test_half_a_string_full_of_quotes_is_passed_over_once() -> None:
    body = b'[1, "' + b'\\"' * 1_000_000
    assert await harness(operation(), responds(body, truncated=True)).call({}) == Success(
        {"200": [1]},
        f"The answer was longer than {len(body)} bytes; the rest was not read. "
        "Cut to fit: $ has the first 1 of 2 items.",
    )


@pytest.mark.timeout(10)
async def test_brackets_without_end_are_passed_over_once() -> None:
    result = await harness(operation(), responds(b"[" * 64_000 + b"1," * 100_000, truncated=True)).call({})
    assert isinstance(result, Failure)
    assert result.code == "NOT_JSON"


@pytest.mark.parametrize("charset", ["punycode", "idna", "undefined", "unicode_escape", "utf-7", "hex", "../x"])
async def test_an_encoding_that_is_none_of_the_webs_is_read_as_utf_8(charset: str) -> None:
    reply = responds("grüße".encode(), 200, f"text/plain; charset={charset}")
    assert await harness(operation(), reply).call({}) == Success({"200": "grüße"})


@pytest.mark.parametrize("levels", [21, 40, 253, 900])
async def test_an_answer_nested_deeper_than_a_trace_can_carry_is_cut(levels: int) -> None:
    body = b'{"a":' * levels + b"1" + b"}" * levels
    result = await harness(operation(), responds(body)).call({})
    expected: JsonValue = "…"
    for _ in range(20):
        expected = {"a": expected}
    note = "Cut to fit: $ has 20 levels of objects and arrays, and … for what is deeper."
    assert result == Success({"200": expected}, note)


async def test_an_answer_of_too_many_values_gives_its_beginning() -> None:
    result = await harness(operation(), responds(b"[" + b"[]," * 1_000_000 + b"[]]")).call({})
    assert isinstance(result, Success)
    assert result.output["200"][:3] == [[], [], []]
    assert result.note.startswith("Only the beginning of 3000004 characters is here.")


async def test_of_an_answer_that_is_one_long_text_the_beginning_is_shown() -> None:
    body = dumps({"text": "x" * 2_100_000})
    result = await harness(operation(), responds(body)).call({})
    assert isinstance(result, Success)
    text = result.output["200"]["text"]
    assert (len(text), text[-2:]) == (31_987, "x…")
    assert result.note.startswith(f"Only the beginning of {len(body)} characters is here. Cut to fit: $.text has the")


async def test_where_nothing_can_be_kept_it_is_said() -> None:
    body = b'{"' + b"x" * 2_100_000 + b'": 1}'
    result = await harness(operation(), responds(body)).call({})
    assert isinstance(result, Success)
    assert result.output == {"200": {}}
    begins = 'Only the beginning of 2100007 characters is here. No value in it is whole. It begins: {"xxx'
    assert result.note.startswith(begins)


@pytest.mark.parametrize("spelling", ['abc/def+ghi"', 'abc/def+ghi\\"', 'abc\\/def+ghi\\"', "abc%2Fdef%2Bghi%22"])
async def test_a_key_that_comes_back_is_masked_however_it_is_spelt(spelling: str) -> None:
    api_key = {"keyName": "X-Key", "requestLocation": "HEADER", "apiKey": 'abc/def+ghi"'}
    reply = responds(f"you sent {spelling}!".encode(), 200, "text/plain")
    tool = harness(operation(), reply, authentication={"apiKeyConfig": api_key})
    assert await tool.call({}) == Success({"200": "you sent [redacted]!"})


FIELDS: JsonObject = {"responseFields": [{"operationId": "act", "fields": ["items.name", "next"]}]}


async def test_fields_that_an_answer_does_not_have_are_told() -> None:
    tool = harness(operation(), responds(b'{"pets": []}'), settings=FIELDS)
    note = "Only selected fields are here: items.name, next. The answer has none of them."
    assert await tool.call({}) == Success({"200": {}}, note)


@pytest.mark.proves("O12")
async def test_only_the_fields_that_were_selected_are_given_before_anything_is_cut() -> None:
    items = [{"name": f"pet {number}", "story": "x" * 1_000} for number in range(100)]
    tool = harness(operation(), responds(dumps({"items": items, "next": "t", "total": 100})), settings=FIELDS)
    assert await tool.call({}) == Success(
        {"200": {"items": [{"name": item["name"]} for item in items], "next": "t"}},
        "Only selected fields are here: items.name, next.",
    )


async def test_fields_are_selected_of_the_whole_of_a_long_answer() -> None:
    items = [{"name": number, "story": "x" * 5_000} for number in range(1_000)]
    tool = harness(operation(), responds(dumps({"items": items, "next": "t"})), settings=FIELDS)
    outcome = await tool.call({})
    assert isinstance(outcome, Success)
    assert outcome.output == {"200": {"items": [{"name": number} for number in range(1_000)], "next": "t"}}


@pytest.mark.parametrize("response", [responds(b'{"message":"no"}', 404), responds(b"hello", 200, "text/plain")])
async def test_fields_are_selected_of_successful_json_only(response: HttpResponse) -> None:
    with_fields, without = harness(operation(), response, settings=FIELDS), harness(operation(), response)
    assert await with_fields.call({}) == await without.call({})


async def test_a_large_error_is_cut_and_says_so() -> None:
    body = {"message": "no", "stack": ["x" * 100] * 1_000}
    outcome = await harness(operation(), responds(dumps(body), 400)).call({})
    assert isinstance(outcome, Failure)
    kept = (outcome.output or {})["400"]["stack"]
    assert kept == body["stack"][: len(kept)]
    assert outcome.message == (
        f"the API answered 400 Bad Request: no. Cut to fit: $.stack has the first {len(kept)} of 1000 items."
    )
