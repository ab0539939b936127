import pytest

from openplaybook.credentials.base import AuthContext, CredentialSources, NoAuthentication
from openplaybook.credentials.builder import authenticator_for, secret_parameters
from openplaybook.credentials.errors import (
    CredentialError,
    CredentialMissing,
    CredentialUnsupported,
    InvalidAuthentication,
)
from openplaybook.egress.base import HttpRequest
from openplaybook.jsonvalues import JsonObject
from tests.kit.openapi import Remembering

SOURCES = CredentialSources(Remembering())
REQUEST = HttpRequest("GET", "https://api.example/pets?a=b", (("Accept", "*/*"), ("x-key", "forged")))


def api_key(location: str, **more: str) -> JsonObject:
    return {"apiKeyConfig": {"keyName": "X-Key", "apiKey": "a key&", "requestLocation": location, **more}}


async def applied(authentication: JsonObject, **parameters: object) -> tuple[HttpRequest, list[str]]:
    context = AuthContext(parameters)
    request = await authenticator_for(authentication, SOURCES).apply(REQUEST, context)
    return request, context.secrets


async def test_without_authentication_the_request_stays_as_it_is() -> None:
    assert isinstance(authenticator_for({}, SOURCES), NoAuthentication)
    assert await applied({}) == (REQUEST, [])


@pytest.mark.proves("A3")
async def test_an_api_key_goes_into_its_header_and_replaces_one_of_that_name() -> None:
    request, secrets = await applied(api_key("HEADER"))
    assert request.headers == (("Accept", "*/*"), ("X-Key", "a key&"))
    assert secrets == ["a key&"]


@pytest.mark.proves("A3")
async def test_an_api_key_goes_into_the_query_encoded() -> None:
    request, secrets = await applied(api_key("QUERY_STRING"))
    assert request.url == "https://api.example/pets?a=b&X-Key=a%20key%26"
    assert secrets == ["a key&", "a%20key%26"]


async def test_an_api_key_is_the_first_query_parameter_where_there_is_none() -> None:
    authenticator = authenticator_for(api_key("QUERY_STRING"), SOURCES)
    request = await authenticator.apply(HttpRequest("GET", "https://api.example/#top"), AuthContext())
    assert request.url == "https://api.example/?X-Key=a%20key%26#top"


@pytest.mark.proves("A6")
async def test_a_static_bearer_token_is_sent() -> None:
    request, secrets = await applied({"bearerTokenConfig": {"token": "abc.def"}})
    assert request.headers[-1] == ("Authorization", "Bearer abc.def")
    assert secrets == ["abc.def"]


@pytest.mark.proves("A6")
async def test_a_bearer_token_is_read_from_the_session_when_the_call_is_made() -> None:
    authentication = {"bearerTokenConfig": {"token": "$session.params.user-token"}}
    request, secrets = await applied(authentication, **{"user-token": "t1"})
    assert request.headers[-1] == ("Authorization", "Bearer t1")
    assert secrets == ["t1"]
    assert secret_parameters(authentication) == {"user-token"}


@pytest.mark.parametrize("value", [None, "", 7])
async def test_a_session_without_the_token_is_told_which_parameter_lacks_it(value: object) -> None:
    with pytest.raises(CredentialMissing, match="session parameter t holds no token"):
        await applied({"bearerTokenConfig": {"token": "$session.params.t"}}, t=value)


async def test_a_token_that_would_break_out_of_its_header_is_refused_without_being_shown() -> None:
    with pytest.raises(CredentialError) as caught:
        await applied({"bearerTokenConfig": {"token": "$session.params.t"}}, t="abc\r\nX-Evil: 1")
    assert "abc" not in str(caught.value)


@pytest.mark.parametrize(
    "authentication",
    [
        {"oauthConfig": {"oauthGrantType": "CLIENT_CREDENTIAL", "clientId": "c", "tokenEndpoint": "https://t.example"}},
        {"serviceAgentAuthConfig": {"serviceAgentAuth": "ID_TOKEN"}},
        {"serviceAgentAuthConfig": {}},
        {"serviceAccountAuthConfig": {"serviceAccount": "a@p.iam.gserviceaccount.com"}},
        api_key("HEADER", secretVersionForApiKey="projects/p/secrets/s/versions/1"),
        {"bearerTokenConfig": {"secretVersionForToken": "projects/p/secrets/s/versions/1"}},
    ],
)
async def test_a_kind_that_is_not_supported_yet_is_accepted_and_refuses_the_call(authentication: JsonObject) -> None:
    with pytest.raises(CredentialUnsupported, match="is not supported by this server yet"):
        await applied(authentication)


@pytest.mark.parametrize(
    ("authentication", "path"),
    [
        ({"apiKeyConfig": {"apiKey": "k", "requestLocation": "HEADER"}}, "$.apiKeyConfig.keyName"),
        ({"apiKeyConfig": {"keyName": "k", "apiKey": "k"}}, "$.apiKeyConfig.requestLocation"),
        ({"apiKeyConfig": {"keyName": "k", "requestLocation": "HEADER"}}, "$.apiKeyConfig.apiKey"),
        (api_key("HEADER", keyName="two words"), "$.apiKeyConfig.keyName"),
        (api_key("HEADER", apiKey="line\nbreak"), "$.apiKeyConfig.apiKey"),
        ({"bearerTokenConfig": {}}, "$.bearerTokenConfig.token"),
        ({"bearerTokenConfig": {"token": "$flow.token"}}, "$.bearerTokenConfig.token"),
        ({"bearerTokenConfig": {"token": "a\nb"}}, "$.bearerTokenConfig.token"),
        ({"oauthConfig": {"clientId": "c"}}, "$.oauthConfig.tokenEndpoint"),
        ({"serviceAccountAuthConfig": {}}, "$.serviceAccountAuthConfig.serviceAccount"),
        ({"bearerTokenConfig": {"token": "t"}, "oauthConfig": {}}, "$"),
    ],
)
def test_a_malformed_configuration_is_refused_with_its_place(authentication: JsonObject, path: str) -> None:
    with pytest.raises(InvalidAuthentication) as caught:
        authenticator_for(authentication, SOURCES)
    assert caught.value.path == path


@pytest.mark.parametrize("authentication", [api_key("HEADER"), {"bearerTokenConfig": {"token": "a key&"}}])
def test_an_authenticator_does_not_show_its_secret(authentication: JsonObject) -> None:
    assert "a key&" not in repr(authenticator_for(authentication, SOURCES))


def test_tokens_that_are_not_references_name_no_session_parameter() -> None:
    assert secret_parameters({"bearerTokenConfig": {"token": "abc"}}) == frozenset()
    assert secret_parameters({}) == frozenset()
