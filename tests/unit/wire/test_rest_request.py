"""Query parameters."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.api import Api
from openplaybook.wire.codec import JsonError
from openplaybook.wire.rest_request import parse_query, query_fields, sent_fields

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
