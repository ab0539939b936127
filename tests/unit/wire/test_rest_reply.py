"""How an answer is to look."""

import gzip
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.api import Api, load_api
from openplaybook.wire.codec import JsonError
from openplaybook.wire.rest_reply import AnswerForm, FieldSelection, answer_form
from openplaybook.wire.rest_request import parse_query

AGENT = "google.cloud.dialogflow.cx.v3.Agent"


def form(
    api: Api, query: bytes = b"", headers: Mapping[str, str] | None = None, *, is_stream: bool = False
) -> AnswerForm:
    return answer_form(parse_query(query), headers or {}, api.message(AGENT).DESCRIPTOR, is_stream=is_stream)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [(b"%24alt=json%3Benum-encoding%3Dint", True), (b"$alt=json;enum-encoding=int", True), (b"alt=json", False)],
)
def test_enum_numbers_are_asked_for_with_alt(api: Api, query: bytes, wanted: bool) -> None:
    assert form(api, query).enums_as_ints is wanted


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (b"alt=proto", "alt: 'proto' is not served; it takes json, and sse for an RPC that streams"),
        (b"alt=sse", "alt: 'sse' is not served; it takes json, and sse for an RPC that streams"),
        (b"$alt=json;fast", "alt: 'fast' is not known; it takes enum-encoding=int or enum-encoding=string"),
        (b"prettyPrint=yes", "prettyPrint: true or false is expected, not 'yes'"),
        (b"fields=a", "fields: the answer has no field 'a'"),
    ],
)
def test_what_is_not_served_is_refused_by_name(api: Api, query: bytes, told: str) -> None:
    with pytest.raises(JsonError) as refused:
        form(api, query)
    assert refused.value.message.startswith(told)


def test_a_stream_may_be_events(api: Api) -> None:
    assert form(api, b"alt=sse", is_stream=True).as_events


def test_an_answer_is_compact_unless_it_is_to_be_read(api: Api) -> None:
    assert form(api).whole({"a": 1})[0] == b'{"a":1}'
    assert form(api, b"$prettyPrint=true").whole({"a": 1})[0] == b'{\n  "a": 1\n}'


def test_fields_may_stand_in_a_header(api: Api) -> None:
    asked = form(api, headers={"x-goog-fieldmask": "displayName"})
    assert asked.whole({"name": "n", "displayName": "d"})[0] == b'{"displayName":"d"}'


@pytest.mark.parametrize("accepted", ["gzip", "deflate, GZIP", "gzip;q=0.5, br", "x-gzip"])
def test_what_is_worth_it_is_compressed_for_who_takes_it(api: Api, accepted: str) -> None:
    body, headers = form(api, headers={"accept-encoding": accepted}).whole({"a": "x" * 2_000})
    assert gzip.decompress(body) == b'{"a":"' + b"x" * 2_000 + b'"}'
    assert headers == {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


@pytest.mark.parametrize("accepted", ["", "identity", "gzip;q=0", "gzip;q=0.0, br", "br"])
def test_others_get_it_as_it_is(api: Api, accepted: str) -> None:
    body, headers = form(api, headers={"accept-encoding": accepted}).whole({"a": "x" * 2_000})
    assert (len(body), headers) == (2_008, {"Vary": "Accept-Encoding"})


def test_what_is_small_is_not_compressed(api: Api) -> None:
    assert form(api, headers={"accept-encoding": "gzip"}).whole({"a": 1})[0] == b'{"a":1}'


BETA = "google.cloud.dialogflow.cx.v3beta1"
TOOLS: JsonObject = {
    "tools": [
        {"name": "t/1", "displayName": "one", "openApiSpec": {"textSchema": "{}", "authentication": {"a": 1}}},
        {"name": "t/2", "displayName": "two", "functionSpec": {"inputSchema": {"type": "object", "b": 1}}},
    ],
    "nextPageToken": "x",
}


def selected(api: Api, text: str, kind: str = "ListToolsResponse", value: JsonObject = TOOLS) -> JsonObject:
    return FieldSelection.read(text, api.message(f"{BETA}.{kind}").DESCRIPTOR).of(value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("nextPageToken", {"nextPageToken": "x"}),
        ("next_page_token", {"nextPageToken": "x"}),
        ("tools/name", {"tools": [{"name": "t/1"}, {"name": "t/2"}]}),
        ("tools.name", {"tools": [{"name": "t/1"}, {"name": "t/2"}]}),
        (
            "tools(name, openApiSpec/textSchema)",
            {"tools": [{"name": "t/1", "openApiSpec": {"textSchema": "{}"}}, {"name": "t/2"}]},
        ),
        (
            "tools/open_api_spec(text_schema),tools/function_spec/input_schema/type",
            {"tools": [{"openApiSpec": {"textSchema": "{}"}}, {"functionSpec": {"inputSchema": {"type": "object"}}}]},
        ),
        ("tools/name,tools", {"tools": TOOLS["tools"]}),
        ("tools,tools/name", {"tools": TOOLS["tools"]}),
        ("*", TOOLS),
        ("*/displayName", {"tools": [{"displayName": "one"}, {"displayName": "two"}], "nextPageToken": "x"}),
    ],
)
def test_what_is_wanted_is_left(api: Api, text: str, wanted: JsonObject) -> None:
    assert selected(api, text) == wanted


def test_keys_that_are_data_may_be_any(api: Api) -> None:
    operation = api.message("google.longrunning.Operation").DESCRIPTOR
    value: JsonObject = {"name": "o", "done": True, "response": {"@type": "a", "agentUri": "u"}}
    assert FieldSelection.read("done,response/agentUri", operation).of(value) == {
        "done": True,
        "response": {"agentUri": "u"},
    }


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("nam", "fields: the answer has no field 'nam'; there are nextPageToken, tools"),
        ("tools/nam", "fields: tools has no field 'nam'; there are "),
        ("tools/name/x", "fields: tools.name has no fields to choose from"),
        ("tools(name", "fields: the end was not expected as item 4; write a,b/c,d(e,f)"),
        ("tools)", "fields: ')' was not expected as item 2"),
        ("tools,,name", "fields: ',' was not expected as item 3"),
        (" ", "fields: the end was not expected as item 1"),
        ("a(" * 60 + "b" + ")" * 60, "fields: the selection is nested more than 50 levels deep"),
        ("a/" * 60 + "b", "fields: the selection is nested more than 50 levels deep"),
        ("a," * 5_000 + "b", "fields: the selection is longer than 8000 characters"),
    ],
)
def test_what_is_no_selection_is_refused(api: Api, text: str, error: str) -> None:
    with pytest.raises(JsonError) as refused:
        selected(api, text)
    assert refused.value.message.startswith(error)


@given(st.text("ab(),/.* ", max_size=40))
def test_any_text_is_a_selection_or_an_error(text: str) -> None:
    struct = load_api().message("google.protobuf.Struct").DESCRIPTOR
    refused, kept = "", {}
    try:
        kept = FieldSelection.read(text, struct).of({"c": 1})
    except JsonError as error:
        refused = error.message
    assert refused.startswith("fields: ") or kept in ({}, {"c": 1})
