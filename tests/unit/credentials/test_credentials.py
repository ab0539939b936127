import asyncio
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from openplaybook.credentials.authenticator_builder import authenticator_for
from openplaybook.credentials.base import AuthContext, CredentialSources, NoAuthentication
from openplaybook.credentials.errors import (
    CredentialError,
    CredentialMissing,
    CredentialUnavailable,
    CredentialUnsupported,
    InvalidAuthentication,
)
from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.service_identity import CLOUD_PLATFORM
from openplaybook.egress.base import HttpRequest
from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.kit.openapi import Remembering

SOURCES = CredentialSources(Remembering())
REQUEST = HttpRequest("GET", "https://api.example/pets?a=b", (("Accept", "*/*"), ("x-key", "forged")))


def api_key(location: str, **more: object) -> JsonObject:
    return {"apiKeyConfig": {"keyName": "X-Key", "apiKey": "a key&", "requestLocation": location, **more}}


def oauth(**more: object) -> JsonObject:
    return {"oauthConfig": {"clientId": "c", "clientSecret": "s", "tokenEndpoint": "https://t.example/", **more}}


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


@pytest.mark.parametrize("value", [None, "", 7])
async def test_a_session_without_the_token_is_told_which_parameter_lacks_it(value: object) -> None:
    with pytest.raises(CredentialMissing, match="session parameter t contains no token"):
        await applied({"bearerTokenConfig": {"token": "$session.params.t"}}, t=value)


async def test_a_token_that_would_break_out_of_its_header_is_refused_without_being_shown() -> None:
    with pytest.raises(CredentialError) as caught:
        await applied({"bearerTokenConfig": {"token": "$session.params.t"}}, t="abc\r\nX-Evil: 1")
    assert "abc" not in str(caught.value)


async def test_a_token_with_the_word_bearer_before_it_is_refused_without_being_shown() -> None:
    with pytest.raises(CredentialError) as caught:
        await applied({"bearerTokenConfig": {"token": "$session.params.t"}}, t="Bearer abc")
    assert str(caught.value) == "the token of t begins with the word Bearer: send only the token"


@pytest.mark.proves("A3")
async def test_an_api_key_goes_into_a_cookie_beside_the_others_and_replaces_one_of_that_name() -> None:
    request = HttpRequest("GET", "https://api.example/", (("Cookie", "a=1; X-Key=old; b=2"),))
    context = AuthContext()
    applied = await authenticator_for(api_key("HEADER", inCookie=True, apiKey="k%=="), SOURCES).apply(request, context)
    assert applied.headers == (("Cookie", "a=1; b=2; X-Key=k%=="),)
    assert context.secrets == ["k%=="]


async def test_a_key_that_no_cookie_can_carry_is_refused_without_being_shown() -> None:
    with pytest.raises(CredentialError) as caught:
        await applied(api_key("HEADER", inCookie=True, apiKey="one;two"))
    assert "one" not in str(caught.value)


async def test_a_user_name_and_password_are_sent_in_utf_8() -> None:
    request, secrets = await applied({"basicAuthConfig": {"username": "test", "password": "123£"}})
    assert request.headers[-1] == ("Authorization", "Basic dGVzdDoxMjPCow==")
    assert secrets == ["123£", "dGVzdDoxMjPCow=="]


async def test_a_key_sent_as_user_name_needs_no_password() -> None:
    request, secrets = await applied({"basicAuthConfig": {"username": "sk_test"}})
    assert request.headers[-1] == ("Authorization", f"Basic {b64encode(b'sk_test:').decode()}")
    assert secrets == ["c2tfdGVzdDo="]


VERSION = "projects/p/secrets/s/versions/latest"


@dataclass
class Rotating:
    """A store of secrets whose one secret has a new version at each access."""

    asked: list[str] = field(default_factory=list[str])

    async def access(self, version: str) -> str:
        self.asked.append(version)
        return f"value-{len(self.asked)}"


@pytest.mark.proves("A9")
@pytest.mark.parametrize(
    ("authentication", "sent"),
    [
        (api_key("HEADER", secretVersionForApiKey=VERSION), "value-{}"),
        ({"bearerTokenConfig": {"token": "unused", "secretVersionForToken": VERSION}}, "Bearer value-{}"),
        ({"basicAuthConfig": {"username": "u", "password": "unused", "secretVersionForPassword": VERSION}}, "Basic {}"),
    ],
)
async def test_a_secret_version_goes_before_the_value_and_is_read_at_each_call(
    authentication: JsonObject, sent: str
) -> None:
    secrets = Rotating()
    authenticator = authenticator_for(authentication, CredentialSources(Remembering(), secrets=secrets))
    found = [(await authenticator.apply(REQUEST, AuthContext())).headers[-1][1] for _ in range(2)]
    values = ["dTp2YWx1ZS0x", "dTp2YWx1ZS0y"] if sent.startswith("Basic") else [1, 2]
    assert found == [sent.format(value) for value in values]
    assert secrets.asked == [VERSION, VERSION]


@pytest.mark.parametrize(
    "authentication",
    [
        api_key("HEADER", apiKey="{}"),
        {"bearerTokenConfig": {"token": "{}"}},
        {"basicAuthConfig": {"username": "u", "password": "{}"}},
    ],
)
async def test_a_sealed_value_is_opened_when_it_is_sent(authentication: JsonObject) -> None:
    sealer = Sealer([bytes(32)])
    text = dumps(authentication).decode().replace("{}", sealer.seal("plain-value", "tool"))
    authenticator = authenticator_for(loads(text), CredentialSources(Remembering(), sealed=sealer.at("tool")))
    context = AuthContext()
    await authenticator.apply(REQUEST, context)
    assert context.secrets[0] == "plain-value"


@pytest.mark.parametrize(
    ("authentication", "message"),
    [
        ({"serviceAgentAuthConfig": {}}, "service agent is not configured here"),
        ({"serviceAgentAuthConfig": {"serviceAgentAuth": "ACCESS_TOKEN"}}, "service agent is not configured here"),
        ({"serviceAccountAuthConfig": {"serviceAccount": "a@p.example"}}, "service accounts are not configured here"),
        (api_key("HEADER", secretVersionForApiKey=VERSION), "no store of secrets is configured here"),
    ],
)
async def test_a_source_that_is_not_set_up_refuses_the_call(authentication: JsonObject, message: str) -> None:
    with pytest.raises(CredentialUnsupported, match=message):
        await applied(authentication)


@pytest.mark.parametrize(
    ("authentication", "path"),
    [
        ({"apiKeyConfig": {"apiKey": "k", "requestLocation": "HEADER"}}, "$.apiKeyConfig.keyName"),
        ({"apiKeyConfig": {"keyName": "k", "apiKey": "k"}}, "$.apiKeyConfig.requestLocation"),
        ({"apiKeyConfig": {"keyName": "k", "requestLocation": "HEADER"}}, "$.apiKeyConfig.apiKey"),
        (api_key("HEADER", keyName="two words"), "$.apiKeyConfig.keyName"),
        (api_key("HEADER", keyName="Content-Length", apiKey="500"), "$.apiKeyConfig.keyName"),
        (api_key("HEADER", keyName="transfer-encoding", apiKey="chunked"), "$.apiKeyConfig.keyName"),
        (api_key("HEADER", keyName="Host", apiKey="internal.example"), "$.apiKeyConfig.keyName"),
        (api_key("HEADER", apiKey="line\nbreak"), "$.apiKeyConfig.apiKey"),
        ({"bearerTokenConfig": {}}, "$.bearerTokenConfig.token"),
        ({"bearerTokenConfig": {"token": "$flow.token"}}, "$.bearerTokenConfig.token"),
        ({"bearerTokenConfig": {"token": "a\nb"}}, "$.bearerTokenConfig.token"),
        ({"bearerTokenConfig": {"token": "Bearer abc"}}, "$.bearerTokenConfig.token"),
        ({"bearerTokenConfig": {"token": "Bearer $session.params.t"}}, "$.bearerTokenConfig.token"),
        (api_key("HEADER", secretVersionForApiKey="s"), "$.apiKeyConfig.secretVersionForApiKey"),
        (api_key("HEADER", apiKey="$session.params.key"), "$.apiKeyConfig.apiKey"),
        (api_key("HEADER", inCookie=True, keyName="a b"), "$.apiKeyConfig.keyName"),
        ({"basicAuthConfig": {}}, "$.basicAuthConfig.username"),
        ({"basicAuthConfig": {"username": "a:b", "password": "p"}}, "$.basicAuthConfig.username"),
        ({"basicAuthConfig": {"username": "u", "password": "$session.params.p"}}, "$.basicAuthConfig.password"),
        ({"oauthConfig": {"clientId": "c"}}, "$.oauthConfig.tokenEndpoint"),
        (oauth(tokenEndpoint="ftp://t.example"), "$.oauthConfig.tokenEndpoint"),
        (oauth(tokenEndpoint="https://t.example/#here"), "$.oauthConfig.tokenEndpoint"),
        (oauth(clientSecret=""), "$.oauthConfig.clientSecret"),
        (oauth(oauthGrantType="PASSWORD"), "$.oauthConfig.oauthGrantType"),
        ({"serviceAgentAuthConfig": {"serviceAgentAuth": "NONE"}}, "$.serviceAgentAuthConfig.serviceAgentAuth"),
        (
            {"serviceAccountAuthConfig": {"serviceAccount": "no address"}},
            "$.serviceAccountAuthConfig.serviceAccount",
        ),
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


@dataclass
class Known:
    """An identity that writes down for whom its tokens are."""

    asked: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    forgotten: list[str] = field(default_factory=list[str])

    async def id_token(self, audience: str, agent: str) -> str:
        self.asked.append(("id", audience, agent))
        return "id-token"

    async def access_token(self, scopes: Sequence[str], audience: str, agent: str) -> str:
        self.asked.append(("access", *scopes, audience, agent))
        return "access-token"

    async def account_token(self, scopes: Sequence[str], service_account: str) -> str:
        self.asked.append(("account", *scopes, service_account))
        return "account-token"

    def refusal(self, service_account: str) -> str:
        return "" if service_account == "a@p.example" else f"{service_account} may not be used"

    def forget(self, token: str) -> bool:
        self.forgotten.append(token)
        return True


@pytest.mark.parametrize(
    ("url", "audience"),
    [
        ("https://api.example/pets?a=b", "https://api.example"),
        ("https://api.example:443/", "https://api.example"),
        ("http://api.example:80", "http://api.example"),
        ("https://API.example:8443/x", "https://api.example:8443"),
        ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080"),
        ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443"),
    ],
)
@pytest.mark.proves("A1")
async def test_the_audience_of_an_id_token_is_the_apis_origin(url: str, audience: str) -> None:
    known = Known()
    authenticator = authenticator_for({"serviceAgentAuthConfig": {}}, CredentialSources(Remembering(), identity=known))
    request = await authenticator.apply(HttpRequest("GET", url), AuthContext(agent="projects/p/agents/a"))
    assert request.headers == (("Authorization", "Bearer id-token"),)
    assert known.asked == [("id", audience, "projects/p/agents/a")]


@pytest.mark.parametrize(
    ("authentication", "asked", "token"),
    [
        (
            {"serviceAgentAuthConfig": {"serviceAgentAuth": "ACCESS_TOKEN"}},
            ("access", CLOUD_PLATFORM, "https://api.example", "agent"),
            "access-token",
        ),
        (
            {"serviceAccountAuthConfig": {"serviceAccount": "a@p.example"}},
            ("account", CLOUD_PLATFORM, "a@p.example"),
            "account-token",
        ),
    ],
)
async def test_access_tokens_are_asked_for_with_their_scope_and_forgotten_when_refused(
    authentication: JsonObject, asked: tuple[str, ...], token: str
) -> None:
    known, context = Known(), AuthContext(agent="agent")
    authenticator = authenticator_for(authentication, CredentialSources(Remembering(), identity=known))
    request = await authenticator.apply(REQUEST, context)
    assert request.headers[-1] == ("Authorization", f"Bearer {token}")
    assert authenticator.refused(request, context) is True
    assert (known.asked, known.forgotten) == ([asked], [token])


def test_an_account_that_may_not_be_used_is_refused_when_the_tool_is_saved() -> None:
    sources = CredentialSources(Remembering(), identity=Known())
    with pytest.raises(InvalidAuthentication) as caught:
        authenticator_for({"serviceAccountAuthConfig": {"serviceAccount": "b@p.example"}}, sources)
    assert caught.value.path == "$.serviceAccountAuthConfig.serviceAccount"
    assert caught.value.message == "b@p.example may not be used"


async def test_who_gives_tokens_is_waited_for_no_longer_than_the_call_may_take() -> None:
    class Slow(Known):
        async def id_token(self, audience: str, agent: str) -> str:
            await asyncio.Event().wait()
            return ""

    sources = CredentialSources(Remembering(), identity=Slow())
    with pytest.raises(CredentialUnavailable, match=r"no token arrived within 0\.01 s"):
        await authenticator_for({"serviceAgentAuthConfig": {}}, sources).apply(REQUEST, AuthContext(timeout_s=0.01))
