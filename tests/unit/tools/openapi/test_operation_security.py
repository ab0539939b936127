"""Which credentials go with a request, by the description's `security` and what is configured."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.credentials.authenticator_builder import authenticator_for
from openplaybook.credentials.base import AuthContext, CredentialSources
from openplaybook.egress.base import ClientCertificate, Endpoint, HttpRequest, HttpResponse
from openplaybook.egress.errors import ConnectFailed, EgressError
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import AgentScope, Failure, InDoubt, InvalidTool, Success, Tool, ToolContext
from openplaybook.tools.toolbox import Toolbox
from tests.kit.calling import call
from tests.kit.openapi import Remembering, description, resource, responds

SCHEMES: JsonObject = {
    "in_header": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "in_query": {"type": "apiKey", "in": "query", "name": "key"},
    "in_cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
    "as_authorization": {"type": "apiKey", "in": "header", "name": "Authorization"},
    "basic": {"type": "http", "scheme": "Basic"},
    "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
    "custom": {"type": "http", "scheme": "Token"},
    "digest": {"type": "http", "scheme": "Digest"},
    "negotiate": {"type": "http", "scheme": "negotiate"},
    "oauth": {
        "type": "oauth2",
        "flows": {
            "clientCredentials": {"tokenUrl": "https://t.example/token", "scopes": {"read": "r"}},
            "authorizationCode": {"tokenUrl": "https://t.example/code", "scopes": {}},
        },
    },
    "implicit": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://t.example", "scopes": {}}}},
    "openid": {"type": "openIdConnect", "openIdConnectUrl": "https://t.example/.well-known/openid-configuration"},
    "mutual": {"type": "mutualTLS"},
    "referred": {"$ref": "#/components/securitySchemes/in_header"},
    "odd": {"type": "teapot"},
}
KEY: JsonObject = {"apiKeyConfig": {"apiKey": "the-key"}}
BEARER: JsonObject = {"bearerTokenConfig": {"token": "the-token"}}
BASIC: JsonObject = {"basicAuthConfig": {"username": "u", "password": "p"}}
OAUTH: JsonObject = {"oauthConfig": {"clientId": "c", "clientSecret": "s"}}
NOTHING: JsonObject = {}
HEADER: JsonObject = {"requestLocation": "HEADER"}
QUERY: JsonObject = {"requestLocation": "QUERY_STRING"}
COOKIE: JsonObject = {"inCookie": True}
BASE = "https://api.example/v1/things"


class Certificates:
    """A store of secrets that knows every name by its last part."""

    async def access(self, version: str) -> str:
        return version.split("/")[3]


def built(transport: Remembering, security: JsonValue, scope: JsonObject, **configured: JsonObject) -> Tool:
    operation: JsonObject = {"operationId": "act", "responses": {}, "security": security}
    document = description({"/things": {"get": operation}}, components={"securitySchemes": SCHEMES})
    entries = [{"scheme": scheme, "authentication": each} for scheme, each in configured.items()]
    toolbox = Toolbox(transport, CredentialSources(transport, secrets=Certificates()))
    return toolbox.build(resource(document, securitySchemeAuthentications=entries), AgentScope(scope))


async def sent(security: JsonValue, scope: JsonObject = NOTHING, **configured: JsonObject) -> JsonObject:
    """Headers, URL, and whose certificate, of a request; or the failure's message."""
    transport = Remembering(responds())
    outcome = await call(built(transport, security, scope, **configured))
    if isinstance(outcome, Failure):
        assert (outcome.code, transport.sent) == ("CREDENTIAL_MISSING", [])
        return {"failure": outcome.message}
    (request,) = transport.sent
    found: JsonObject = {name: value for name, value in request.headers if name not in ("Accept", "Content-Type")}
    if request.url != BASE:
        found["url"] = request.url.removeprefix(BASE)
    if request.client_certificate is not None:
        assert request.client_certificate == ClientCertificate(b"PEM", b"key", b"")
        found["certificate"] = True
    return found


@pytest.mark.proves("A3", "A5")
@pytest.mark.parametrize(
    ("scheme", "authentication", "expected"),
    [
        ("in_header", KEY, {"X-Key": "the-key"}),
        ("in_query", KEY, {"url": "?key=the-key"}),
        ("in_cookie", KEY, {"Cookie": "sid=the-key"}),
        ("as_authorization", KEY, {"Authorization": "the-key"}),
        ("as_authorization", BEARER, {"Authorization": "Bearer the-token"}),
        ("basic", BASIC, {"Authorization": "Basic dTpw"}),
        ("bearer", BEARER, {"Authorization": "Bearer the-token"}),
        ("custom", BEARER, {"Authorization": "Token the-token"}),
        ("oauth", BEARER, {"Authorization": "Bearer the-token"}),
        ("implicit", BEARER, {"Authorization": "Bearer the-token"}),
        ("openid", BEARER, {"Authorization": "Bearer the-token"}),
        ("referred", KEY, {"X-Key": "the-key"}),
    ],
)
async def test_a_scheme_decides_where_its_credential_goes(
    scheme: str, authentication: JsonObject, expected: JsonObject
) -> None:
    assert await sent([{scheme: []}], **{scheme: authentication}) == expected


async def test_a_schemes_name_and_place_go_before_those_that_are_configured() -> None:
    written: JsonObject = {"apiKeyConfig": {"keyName": "other", "requestLocation": "QUERY_STRING", "apiKey": "the-key"}}
    assert await sent([{"in_header": []}], in_header=written) == {"X-Key": "the-key"}


@pytest.mark.parametrize(
    ("security", "expected"),
    [
        ([{"in_header": [], "in_query": []}], {"X-Key": "the-key", "url": "?key=the-key"}),
        ([{"basic": []}, {"in_header": []}], {"X-Key": "the-key"}),
        ([{"in_header": [], "basic": []}, {"in_query": []}], {"url": "?key=the-key"}),
        ([{"in_query": []}, {"in_header": []}], {"url": "?key=the-key"}),
        ([{"in_header": [], "bearer": []}], {"X-Key": "the-key", "Authorization": "Bearer the-token"}),
        ([{}], {}),
        ([], {}),
        ([{}, {"in_header": []}], {"X-Key": "the-key"}),
        ([{"basic": []}, {}], {}),
    ],
)
async def test_the_first_alternative_that_can_be_met_is_sent_in_whole(
    security: JsonValue, expected: JsonObject
) -> None:
    assert await sent(security, in_header=KEY, in_query=KEY, bearer=BEARER) == expected


@pytest.mark.parametrize(
    ("security", "asked"),
    [
        ([{"basic": []}], "basic (basicAuthConfig)"),
        (
            [{"basic": [], "in_header": []}, {"negotiate": []}],
            "basic (basicAuthConfig) and in_header (apiKeyConfig), or negotiate (not supported)",
        ),
        ([{"nowhere": []}], "nowhere (which the description does not define)"),
        ([{"mutual": []}], "mutual (the agent's clientCertificateSettings)"),
    ],
)
async def test_what_cannot_be_met_is_not_sent_and_says_what_is_missing(security: JsonValue, asked: str) -> None:
    told = f"act requires {asked}; securitySchemeAuthentications has only in_query: add an entry for what is missing"
    assert await sent(security, in_query=KEY) == {"failure": told}


@pytest.mark.proves("A7")
async def test_a_client_certificate_meets_mutual_tls_and_is_shown_by_every_operation() -> None:
    scope: JsonObject = {"sslCertificate": "PEM", "privateKey": "projects/p/secrets/key/versions/1"}
    assert await sent([{"mutual": []}], scope, in_header=KEY) == {"certificate": True}
    assert await sent([{"mutual": [], "in_header": []}], scope, in_header=KEY) == {
        "certificate": True,
        "X-Key": "the-key",
    }
    assert await sent([], scope, in_header=KEY) == {"certificate": True}


async def test_the_token_endpoint_and_the_scopes_of_a_flow_are_the_documents() -> None:
    transport = Remembering(responds(b'{"access_token":"at"}'))
    await call(built(transport, [{"oauth": ["read", "write"]}], {}, oauth=OAUTH))
    asked, made = transport.sent
    assert (asked.url, asked.body) == ("https://t.example/token", b"grant_type=client_credentials&scope=read+write")
    assert made.headers[-1] == ("Authorization", "Bearer at")


async def test_what_is_configured_of_a_flow_goes_before_the_document() -> None:
    transport = Remembering(responds(b'{"access_token":"at"}'))
    config = {**OAUTH["oauthConfig"], "tokenEndpoint": "https://other.example/", "scopes": ["all"]}
    await call(built(transport, [{"oauth": ["read"]}], {}, oauth={"oauthConfig": config}))
    assert (transport.sent[0].url, transport.sent[0].body) == (
        "https://other.example/",
        b"grant_type=client_credentials&scope=all",
    )


async def test_the_token_endpoint_of_an_openid_provider_is_that_of_its_discovery_document() -> None:
    transport = Remembering(responds(b'{"token_endpoint":"https://other.example/token","access_token":"at"}'))
    tool = built(transport, [{"openid": ["read"]}], {}, openid=OAUTH)
    for _ in range(2):
        await call(tool)
    assert [(request.method, request.url) for request in transport.sent] == [
        ("GET", "https://t.example/.well-known/openid-configuration"),
        ("POST", "https://other.example/token"),
        ("GET", BASE),
        ("GET", BASE),
    ]


async def test_what_a_provider_says_in_one_private_network_does_not_hold_elsewhere() -> None:
    transport = Remembering(responds(b'{"token_endpoint":"https://other.example/token","access_token":"at"}'))
    sources = CredentialSources(transport)
    config = {**OAUTH["oauthConfig"], "openIdConnectUrl": "https://api.example/.well-known/openid-configuration"}
    client = authenticator_for({"oauthConfig": {**config, "tokenEndpoint": ""}}, sources)
    for address in ("10.0.0.1", "10.0.0.2"):
        request = HttpRequest("GET", "https://api.example/", endpoints=(Endpoint(address, 443),))
        await client.apply(request, AuthContext(agent="a"))
    asked = [
        (request.endpoints, limits.caller) for request, limits in zip(transport.sent, transport.limits, strict=True)
    ]
    assert asked == [((Endpoint("10.0.0.1", 443),), "a"), ((), "a"), ((Endpoint("10.0.0.2", 443),), "a")]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (responds(b"{}"), "answered 200 without a usable token_endpoint; set oauthConfig.tokenEndpoint"),
        (responds(b'{"token_endpoint":"file:///etc"}'), "answered 200 without a usable token_endpoint"),
        (responds(b'{"token_endpoint":"http://t.example/t"}'), "answered 200 without a usable token_endpoint"),
        (responds(b"no", 404), "answered 404 without a usable token_endpoint"),
        (ConnectFailed("nobody is there"), "did not respond: nobody is there"),
    ],
)
async def test_an_openid_provider_that_does_not_tell_its_token_endpoint_is_told(
    answer: HttpResponse | EgressError, told: str
) -> None:
    outcome = await call(built(Remembering(answer), [{"openid": []}], {}, openid=OAUTH))
    assert isinstance(outcome, Failure)
    assert outcome.code == "CREDENTIAL_UNAVAILABLE"
    provider = "the OpenID provider https://t.example/.well-known/openid-configuration"
    assert outcome.message.startswith(f"{provider} {told}")


async def test_a_relative_token_endpoint_stands_at_the_apis_origin() -> None:
    transport = Remembering(responds(b'{"access_token":"at"}'))
    config = {**OAUTH["oauthConfig"], "tokenEndpoint": "/oauth/token"}
    await call(built(transport, [{"oauth": []}], {}, oauth={"oauthConfig": config}))
    assert transport.sent[0].url == "https://api.example/oauth/token"


async def test_without_a_list_of_its_own_an_operation_has_that_of_the_description() -> None:
    transport = Remembering(responds())
    paths: JsonObject = {"/things": {"get": {"operationId": "act", "responses": {}}}}
    schemes: JsonObject = {"securitySchemes": SCHEMES}
    document = description(paths, components=schemes, security=[{"in_header": []}])
    entries = [{"scheme": "in_header", "authentication": KEY}]
    await call(Toolbox(transport).build(resource(document, securitySchemeAuthentications=entries)))
    assert ("X-Key", "the-key") in transport.sent[0].headers


async def test_one_authentication_for_all_is_sent_whatever_the_description_says() -> None:
    transport = Remembering(responds())
    operation: JsonObject = {"operationId": "act", "responses": {}, "security": [{"basic": []}]}
    document = description({"/things": {"get": operation}}, components={"securitySchemes": SCHEMES})
    await call(Toolbox(transport).build(resource(document, authentication=BEARER)))
    assert transport.sent[0].headers[-1] == ("Authorization", "Bearer the-token")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["it", "http", "apiKey", "oauth2", "in", "a b\n"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["it", "type", "in", "name", "scheme", "flows", "flow", "$ref"]), inner)
    ),
    max_leaves=12,
)


@given(ANYTHING, ANYTHING, st.sampled_from([KEY, BEARER, BASIC, OAUTH, {"serviceAgentAuthConfig": {}}]))
async def test_a_description_with_any_security_is_refused_or_used(
    definition: JsonValue, security: JsonValue, authentication: JsonObject
) -> None:
    operation: JsonObject = {"operationId": "act", "responses": {}}
    schemes: JsonObject = {"securitySchemes": {"it": definition}}
    document = description({"/things": {"get": operation}}, components=schemes, security=security)
    entries = [{"scheme": "it", "authentication": authentication}]
    transport = Remembering(responds(b'{"access_token":"at"}'))
    stored = resource(document, securitySchemeAuthentications=entries)
    if errors := [problem for problem in Toolbox(transport).check(stored) if problem.is_error]:
        assert [problem.path.startswith(ENTRIES) for problem in errors] == [True]
        return
    outcome = await call(Toolbox(transport).build(stored))
    assert not isinstance(outcome, InDoubt)
    assert isinstance(outcome, Success) or outcome.code.startswith("CREDENTIAL_")


ENTRIES = "$.openApiSpec.securitySchemeAuthentications"


@pytest.mark.parametrize(
    ("configured", "path", "message"),
    [
        ({"nobody": KEY}, "[0].scheme", "'nobody' is not a security scheme of the description; it defines in_header, "),
        ({"in_header": {}}, "[0].authentication", "the security scheme in_header (apiKey) takes apiKeyConfig"),
        ({"in_header": BASIC}, "[0].authentication.basicAuthConfig", "in_header (apiKey) takes apiKeyConfig"),
        ({"basic": BEARER}, "[0].authentication.bearerTokenConfig", "basic (basic) takes basicAuthConfig"),
        ({"oauth": KEY}, "[0].authentication.apiKeyConfig", "takes bearerTokenConfig or oauthConfig or service"),
        ({"negotiate": BEARER}, "[0].authentication.bearerTokenConfig", "negotiate (negotiate) is not supported"),
        ({"odd": KEY}, "[0].authentication.apiKeyConfig", "odd (teapot) is not supported"),
        ({"mutual": KEY}, "[0].authentication.apiKeyConfig", "it is the agent's clientCertificateSettings"),
        ({"implicit": OAUTH}, "[0].authentication.oauthConfig.tokenEndpoint", "is required"),
        ({"in_header": KEY, "in_query": {"apiKeyConfig": {}}}, "[1].authentication.apiKeyConfig.apiKey", "is required"),
    ],
)
def test_an_entry_that_does_not_fit_its_scheme_is_refused_with_its_path(
    configured: dict[str, JsonObject], path: str, message: str
) -> None:
    with pytest.raises(InvalidTool) as caught:
        built(Remembering(), [], {}, **configured)
    (problem,) = caught.value.problems
    assert problem.path == ENTRIES + path
    assert message in problem.message


def test_a_scheme_has_one_entry_and_no_authentication_for_all_stands_beside() -> None:
    document = description({"/a": {"get": {"operationId": "act"}}}, components={"securitySchemes": SCHEMES})
    entry: JsonObject = {"scheme": "in_header", "authentication": KEY}
    twice = Toolbox(Remembering()).check(resource(document, securitySchemeAuthentications=[entry, entry]))
    assert [problem.path for problem in twice] == [f"{ENTRIES}[1].scheme"]
    beside = resource(document, securitySchemeAuthentications=[entry], authentication=BEARER)
    assert [problem.path for problem in Toolbox(Remembering()).check(beside)] == [ENTRIES]


@pytest.mark.parametrize(
    ("parameter", "authentication"),
    [
        ({"in": "header", "name": "x-KEY"}, {"apiKeyConfig": {**KEY["apiKeyConfig"], "keyName": "X-Key", **HEADER}}),
        ({"in": "query", "name": "key"}, {"apiKeyConfig": {**KEY["apiKeyConfig"], "keyName": "key", **QUERY}}),
        ({"in": "cookie", "name": "sid"}, {"apiKeyConfig": {**KEY["apiKeyConfig"], "keyName": "sid", **COOKIE}}),
        ({"in": "header", "name": "Authorization"}, BEARER),
        ({"in": "header", "name": "Authorization", "x-agent-input-parameter": "t"}, BEARER),
    ],
)
async def test_a_parameter_that_is_the_credential_is_not_asked_of_the_model(
    parameter: JsonObject, authentication: JsonObject
) -> None:
    transport = Remembering(responds())
    declared: JsonObject = {**parameter, "required": True, "schema": {"type": "string"}}
    other: JsonObject = {"in": "query", "name": "q", "schema": {"type": "string"}}
    operation: JsonObject = {"operationId": "act", "responses": {}, "parameters": [declared, other]}
    document = resource(description({"/things": {"get": operation}}), authentication=authentication)
    tool = Toolbox(transport).build(document)
    assert list(tool.actions()[0].input_schema["properties"]) == ["q"]
    assert "required" not in tool.actions()[0].input_schema
    await call(tool)
    assert len(transport.sent) == 1


async def test_a_key_that_is_a_parameter_is_asked_of_the_model_where_nothing_is_configured() -> None:
    declared: JsonObject = {"in": "query", "name": "key", "required": True, "schema": {"type": "string"}}
    operation: JsonObject = {"operationId": "act", "responses": {}, "parameters": [declared]}
    tool = Toolbox(Remembering()).build(resource(description({"/things": {"get": operation}})))
    assert tool.actions()[0].input_schema["required"] == ["key"]


@pytest.mark.parametrize(
    ("scheme", "authentication", "expected"),
    [
        ({"type": "basic"}, BASIC, ("Authorization", "Basic dTpw")),
        ({"type": "apiKey", "in": "header", "name": "X-Key"}, KEY, ("X-Key", "the-key")),
        (
            {"type": "oauth2", "flow": "application", "tokenUrl": "https://t.example/token", "scopes": {}},
            OAUTH,
            ("Authorization", "Bearer at"),
        ),
    ],
)
async def test_the_schemes_of_openapi_2_work_alike(
    scheme: JsonObject, authentication: JsonObject, expected: tuple[str, str]
) -> None:
    transport = Remembering(responds(b'{"access_token":"at"}'))
    document: JsonObject = {
        "swagger": "2.0",
        "info": {"title": "t", "version": "1"},
        "host": "api.example",
        "schemes": ["https"],
        "securityDefinitions": {"it": scheme},
        "paths": {"/a": {"get": {"operationId": "act", "responses": {}, "security": [{"it": []}]}}},
    }
    entries = [{"scheme": "it", "authentication": authentication}]
    await call(Toolbox(transport).build(resource(document, securitySchemeAuthentications=entries)))
    assert transport.sent[-1].headers[-1] == expected


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refusal_says_what_was_sent_and_nothing_where_nothing_was(status: int) -> None:
    messages: list[str] = []
    for security in ([{"in_header": [], "bearer": []}], []):
        tool = built(Remembering(responds(b"{}", status)), security, {}, in_header=KEY, bearer=BEARER)
        outcome = await call(tool, ToolContext("s"))
        assert isinstance(outcome, Failure)
        messages.append(outcome.message)
    said, unsaid = messages
    assert said.endswith(" (sent was the API key in the header X-Key and the token of bearerTokenConfig)")
    assert "sent was" not in unsaid


def test_the_name_of_a_private_service_is_checked_when_the_tool_is_saved() -> None:
    document = resource(description({"/a": {"get": {"operationId": "act"}}}), serviceDirectoryConfig={"service": "s"})
    (problem,) = Toolbox(Remembering()).check(document)
    assert (problem.path, problem.message) == (
        "$.openApiSpec.serviceDirectoryConfig.service",
        "must have the form projects/P/locations/L/namespaces/N/services/S",
    )
