"""Numbers and forms that Google's reference states."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.names import LOCATIONS
from openplaybook.services import documented_bounds
from openplaybook.wire.api import Api, load_api
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage

BETA = "google.cloud.dialogflow.cx.v3beta1"
GOOD: JsonObject = {"displayName": "a", "defaultLanguageCode": "en", "timeZone": "Europe/Paris"}


@pytest.fixture(scope="module")
def api() -> Api:
    return load_api()


def made(api: Api, kind: str, **fields: object) -> ApiMessage:
    return api.codec.from_json(fields, api.message(f"{BETA}.{kind}")())


def agent(api: Api, **fields: object) -> ApiMessage:
    return made(api, "Agent", **{**GOOD, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"timeZone": "UTC"},
        {"defaultLanguageCode": "pt-BR", "supportedLanguageCodes": ["zh-hant-TW", "fil"]},
        {"description": "x" * 500},
    ],
)
def test_what_is_as_documented_passes(api: Api, fields: JsonObject) -> None:
    documented_bounds.check_agent(agent(api, **fields), None)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"timeZone": "Mars/Base"}, "agent.time_zone: 'Mars/Base' is not a time zone; name one such as Europe/Paris"),
        (
            {"defaultLanguageCode": "english"},
            "agent.default_language_code: 'english' is not a language tag; write one such as en or pt-BR",
        ),
        (
            {"supportedLanguageCodes": ["de", "d e"]},
            "agent.supported_language_codes[1]: 'd e' is not a language tag; write one such as en or pt-BR",
        ),
        ({"description": "x" * 501}, "agent.description: is longer than 500 characters"),
    ],
)
def test_what_is_not_is_refused_and_may_stay_where_it_is_stored(api: Api, fields: JsonObject, message: str) -> None:
    wrong = agent(api, **fields)
    with pytest.raises(RpcError) as refused:
        documented_bounds.check_agent(wrong, None)
    assert refused.value.message == message
    documented_bounds.check_agent(agent(api, **fields, avatarUri="x"), wrong)


def test_a_description_of_an_example_is_short(api: Api) -> None:
    documented_bounds.check_example(made(api, "Example", description="x" * 200, languageCode="en"), None)
    with pytest.raises(RpcError, match=r"example\.description: is longer than 200 characters"):
        documented_bounds.check_example(made(api, "Example", description="x" * 201), None)
    with pytest.raises(RpcError, match=r"example\.language_code: 'e_n' is not a language tag"):
        documented_bounds.check_example(made(api, "Example", languageCode="e_n"), None)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a"] * 11, "answer_feedback.rating_reason.reason_labels: are more than 10"),
        (["a", "b" * 129], r"answer_feedback.rating_reason.reason_labels\[1\]: is longer than 128 characters"),
    ],
)
def test_reasons_of_feedback_are_few_and_short(api: Api, labels: list[str], message: str) -> None:
    with pytest.raises(RpcError, match=message):
        documented_bounds.check_feedback(made(api, "AnswerFeedback", ratingReason={"reasonLabels": labels}))


@pytest.mark.parametrize("location", ["global", "us", "europe-west1", "l"])
def test_a_location_has_the_form_of_googles(location: str) -> None:
    documented_bounds.check_location(LOCATIONS.child("projects/p", location))


@pytest.mark.parametrize("location", ["Global", "eu_west", "us-", "1", "europe.west1"])
def test_another_form_is_refused(location: str) -> None:
    with pytest.raises(RpcError, match="is not a location: lower-case letters"):
        documented_bounds.check_location(LOCATIONS.child("projects/p", location))
