"""Partial responses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.api import Api, load_api
from openplaybook.wire.codec import JsonError
from openplaybook.wire.field_selection import FieldSelection

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
