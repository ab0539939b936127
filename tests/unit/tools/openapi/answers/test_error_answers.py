"""Answers that are no success, told so that the model can act on them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.tools.base import Failure, Outcome, ToolContext
from openplaybook.tools.openapi.answers.error_answers import message_of
from tests.kit.openapi import harness, operation, responds

API_KEY: JsonObject = {"apiKeyConfig": {"keyName": "X-Key", "requestLocation": "HEADER", "apiKey": "abcdef-123456"}}


TOOL = harness(operation())


async def refused_with(body: JsonValue) -> Outcome:
    TOOL.transport.reply = responds(dumps(body), 400)
    return await TOOL.call({})


async def told(body: JsonValue, status: int = 400, responses: JsonObject | None = None) -> str:
    """What follows the status in the message."""
    outcome = await harness(operation(responses=responses or {}), responds(dumps(body), status)).call({})
    assert isinstance(outcome, Failure)
    assert (outcome.code, outcome.output) == ("HTTP_ERROR", {str(status): body})
    return outcome.message.removeprefix(f"the API answered {status} Bad Request").lstrip(":; ")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"type": "about:blank", "title": "Out of stock", "detail": "No pets left."}, "Out of stock: No pets left."),
        ({"error": {"code": 404, "message": "no pet 9", "status": "NOT_FOUND"}}, "no pet 9"),
        ({"errors": [{"status": "422", "title": "Invalid", "detail": "Too long"}]}, "Invalid: Too long"),
        ({"error": "invalid_grant", "error_description": "The code expired"}, "invalid_grant: The code expired"),
        ({"error": "invalid_grant"}, "invalid_grant"),
        ({"timestamp": 1, "error": "Bad Request", "message": "no such pet", "path": "/pets"}, "no such pet"),
        ({"errors": [{"message": "Cannot query field x", "locations": []}], "data": None}, "Cannot query field x"),
        ({"Message": "Access denied", "__type": "X"}, "Access denied"),
        ({"errorMessages": ["no issue X-1"], "errors": {}}, "no issue X-1"),
        ({"fault": {"faultstring": "x", "detail": {"errorcode": "y"}}}, ""),
        ("plain words", "plain words"),
        ("<Error><Code>NoSuchKey</Code><Message>No such key.</Message></Error>", "No such key."),
        ("<html><head><title> Gone </title>", "Gone"),
        ("<html>", ""),
        ([{"message": "first"}, {"message": "second"}], "first"),
        ({"message": "", "detail": "the rest"}, "the rest"),
        ({"error": {"error": {"error": {"error": {"message": "too deep"}}}}}, ""),
        (None, ""),
        (5, ""),
    ],
)
def test_the_sentence_of_an_error_is_found_wherever_apis_put_it(body: JsonValue, message: str) -> None:
    assert message_of(body) == message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            {"title": "Invalid", "errors": {"name": ["is required", "is short"], "age": ["is negative"]}},
            "Invalid; name: is required; name: is short; age: is negative",
        ),
        (
            {
                "error": {
                    "message": "bad",
                    "details": [
                        {"@type": "…BadRequest", "fieldViolations": [{"field": "pet.name", "description": "is empty"}]}
                    ],
                }
            },
            "bad; pet.name: is empty",
        ),
        ({"detail": [{"loc": ["body", "age"], "msg": "not a number", "type": "int"}]}, "body.age: not a number"),
        (
            {"errors": [{"title": "Bad", "detail": "is long", "source": {"pointer": "/data/attributes/name"}}]},
            "Bad: is long; /data/attributes/name: is long",
        ),
        (
            {"message": "Validation Failed", "errors": [{"resource": "Pet", "field": "name", "code": "missing"}]},
            "Validation Failed; name: missing",
        ),
        (
            {"message": "bad", "errors": [{"field": "age", "defaultMessage": "must be 0 or more"}]},
            "bad; age: must be 0 or more",
        ),
        (
            {"title": "Bad", "invalid-params": [{"name": "age", "reason": "must be positive"}]},
            "Bad; age: must be positive",
        ),
        (
            {"message": "invalid", "details": {"kind": "Pod", "causes": [{"field": "spec", "message": "is required"}]}},
            "invalid; spec: is required",
        ),
        ({"name": ["This field is required."]}, "name: This field is required."),
        ({"errors": ["one", "two"]}, "one; two"),
        (
            {"message": "m", "errors": [{"field": f"f{at}", "message": "x"} for at in range(8)]},
            "m; f0: x; f1: x; f2: x; f3: x; f4: x; and 3 more",
        ),
    ],
)
@pytest.mark.proves("O6")
async def test_what_is_wrong_with_each_input_is_told(body: JsonValue, message: str) -> None:
    assert await told(body) == message


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        ({"400": {"description": "The pet has no name."}}, "no; its description says of 400: The pet has no name."),
        ({"4XX": {"description": "Your fault"}}, "no; its description says of 400: Your fault"),
        ({"default": {"description": "Any fault"}}, "no; its description says of 400: Any fault"),
        ({"default": {"description": "Any"}, "400": {"description": "This"}}, "no; its description says of 400: This"),
        ({"400": {"description": "Bad request"}}, "no"),
        ({"400": {"description": "No."}}, "no"),
        ({"400": {}}, "no"),
        ({"400": {"$ref": "#/components/responses/Missing"}}, "no"),
        ({"500": {"description": "Ours"}}, "no"),
    ],
)
@pytest.mark.proves("O6")
async def test_what_the_description_says_of_a_status_is_told(responses: JsonObject, message: str) -> None:
    assert await told({"message": "no"}, responses=responses) == message


def answer(status: int, **headers: str) -> HttpResponse:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return HttpResponse(status, named, b"", False, 0.001)


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (answer(429, Retry_After="30"), "429 Too Many Requests; it may be tried again after 30 s"),
        (answer(503), "503 Service Unavailable; it may be tried again later"),
        (
            answer(503, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT"),
            "503 Service Unavailable; it may be tried again after Wed, 21 Oct 2026 07:28:00 GMT",
        ),
        (answer(503, Retry_After="soon"), "503 Service Unavailable; it may be tried again later"),
        (answer(429, Retry_After="9" * 5000), "429 Too Many Requests; it may be tried again after 999999999 s"),
        (answer(500), "500 Internal Server Error"),
        (answer(403), "403 Forbidden; the request carried no credential: set the tool's authentication"),
    ],
)
async def test_what_can_be_done_about_a_status_is_told(response: HttpResponse, message: str) -> None:
    outcome = await harness(operation(), response).call({})
    assert outcome == Failure("HTTP_ERROR", f"the API answered {message}", {str(response.status): None})


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (
            answer(401, WWW_Authenticate='Bearer realm="pets", error="invalid_token", error_description="it expired"'),
            "the tool's credential was not accepted (invalid_token: it expired): check the tool's authentication, or "
            "renew its secret",
        ),
        (
            answer(403, WWW_Authenticate='Bearer error="insufficient_scope"'),
            "the tool's credential may not do this (insufficient_scope): give it the right or the scope",
        ),
        (
            answer(401, WWW_Authenticate='Bearer error_description="abcdef-123456 is not a key"'),
            "the tool's credential was not accepted ([redacted] is not a key): check the tool's authentication, or "
            "renew its secret",
        ),
    ],
)
@pytest.mark.proves("A3")
async def test_a_refused_credential_is_told_with_what_to_fix_and_without_the_credential(
    response: HttpResponse, message: str
) -> None:
    outcome = await harness(operation(), response, authentication=API_KEY).call({})
    assert isinstance(outcome, Failure)
    assert message in outcome.message
    assert "abcdef" not in repr(outcome)


BASIC: JsonObject = {"basicAuthConfig": {"username": "kim", "password": "abcdef"}}
NO_CREDENTIAL = "the request carried no credential: set the tool's authentication"
REFUSED = "the tool's credential was not accepted: check the tool's authentication, or renew its secret"


@pytest.mark.parametrize(("spec", "hint"), [({}, NO_CREDENTIAL), ({"authentication": BASIC}, REFUSED)])
async def test_a_secret_that_was_not_sent_is_no_credential(spec: JsonObject, hint: str) -> None:
    context = ToolContext("s", secrets=("known-123456",))
    outcome = await harness(operation(), answer(401), **spec).call({}, context)
    assert isinstance(outcome, Failure)
    assert hint in outcome.message


BODIES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["error", "errors", "details", "message", "detail", "field", "x"]), inner)
    ),
    max_leaves=20,
)


@given(BODIES)
async def test_whatever_the_body_is_the_message_is_one_short_line_or_a_few(body: JsonValue) -> None:
    outcome = await refused_with(body)
    assert isinstance(outcome, Failure)
    assert outcome.message.startswith("the API answered 400 Bad Request")
    assert len(outcome.message) <= 2_000
