"""What a user's consent gives a connection (RFC 6749 §4.1): a code is exchanged for a refresh token, which is kept
sealed with the connection; access tokens are had with it."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, quote_plus, urlencode

from openplaybook.connectors.definitions import AuthenticationKind, ConnectorDefinition, ConsentEndpoints
from openplaybook.credentials.base import Secrets
from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable
from openplaybook.credentials.token_answers import refusal_in, token_in
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads
from openplaybook.services.connectors.connection_rules import Definitions, connector_of
from openplaybook.services.connectors.stored_connections import StoredConnections
from openplaybook.services.errors import invalid, not_found, precondition

_LIMITS = HttpLimits(connect_s=5.0, read_s=15.0, total_s=20.0, max_bytes=1_000_000)
_MOST_LIFE_S = 10 * 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class ConsentedTokens:
    """What a token endpoint gave."""

    access_token: str = field(repr=False)
    life_s: int
    refresh_token: str = field(repr=False)
    """Empty where it gave none: the one before stays good."""


@dataclass(frozen=True, slots=True)
class _Client:
    """Us, as the token endpoint knows us."""

    endpoint: str
    id: str
    secret: str = field(repr=False)
    is_in_header: bool


@dataclass(frozen=True, slots=True)
class Consents:
    """Exchanges codes and refresh tokens."""

    stored: StoredConnections
    definitions: Definitions
    secrets: Secrets
    transport: Transport

    async def exchange(self, name: str, code: Mapping[str, str], client: Mapping[str, str]) -> ConsentedTokens:
        """The tokens for the code that a user's consent gave, whose refresh token is kept from then on.

        `code` has `authCode`, and `redirectUri` and `pkceVerifier` where they were used; `client` has `clientId` and
        `clientSecret` where they are others than the connection's. Raises INVALID_ARGUMENT, FAILED_PRECONDITION,
        NOT_FOUND, and `CredentialError` with what the endpoint said.
        """
        if not code.get("authCode"):
            raise invalid(("auth_code_data.auth_code", "is required"))
        section, us = await self._connection(name, client)
        form = {"grant_type": "authorization_code", "code": code["authCode"]}
        redirect = code.get("redirectUri") or str(section.get("redirectUri", ""))
        form |= {"redirect_uri": redirect} if redirect else {}
        form |= {"code_verifier": code["pkceVerifier"]} if code.get("pkceVerifier") else {}
        tokens = await self._asked(us, form, code["authCode"])
        if tokens.refresh_token:
            await self.stored.keep_refresh_token(name, tokens.refresh_token)
        return tokens

    async def refresh(self, name: str, token: str, client: Mapping[str, str]) -> ConsentedTokens:
        """Tokens for a refresh token: the one that is kept, where none is given. As `exchange`."""
        _, us = await self._connection(name, client)
        kept = await self.stored.current(name)
        if not token and not kept:
            raise precondition("NO_CONSENT", f"No user has consented to {name} yet")
        sent = token or kept
        tokens = await self._asked(us, {"grant_type": "refresh_token", "refresh_token": sent}, sent)
        if tokens.refresh_token and sent == kept:
            await self.stored.replaced(name, tokens.refresh_token)
        return tokens

    async def _connection(self, name: str, client: Mapping[str, str]) -> tuple[JsonObject, _Client]:
        """The member `oauth2AuthCodeFlow` of a connection, and who we are."""
        document = await self.stored.document(name)
        if document is None:
            raise not_found("Connection", name)
        authentication = as_object(document.get("authConfig"))
        if authentication.get("authType") != AuthenticationKind.OAUTH2_AUTH_CODE_FLOW.value:
            raise precondition("NO_AUTH_CODE_FLOW", f"{name} has no OAUTH2_AUTH_CODE_FLOW: nobody consents to it")
        section = as_object(authentication.get("oauth2AuthCodeFlow"))
        if bool(client.get("clientId")) != bool(client.get("clientSecret")):
            raise invalid(("oauth2_config", "has clientId and clientSecret, or neither"))
        id, secret = client.get("clientId", ""), client.get("clientSecret", "")
        if not id:
            id = str(section.get("clientId", ""))
            secret = await self.secrets.access(str(as_object(section.get("clientSecret")).get("secretVersion", "")))
        definition = connector_of(str(document["connectorVersion"]), self.definitions())
        endpoints = None if isinstance(definition, str) else _endpoints(definition)
        if isinstance(definition, str) or endpoints is None:
            raise precondition("NO_TOKEN_ENDPOINT", f"It is not known where {name} gets its tokens")
        url = _filled(endpoints.token_url, document, definition)
        return section, _Client(url, id, secret, endpoints.client_in == "basic")

    async def _asked(self, us: _Client, form: dict[str, str], hidden: str) -> ConsentedTokens:
        headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
        if us.is_in_header:
            pair = b64encode(f"{quote_plus(us.id)}:{quote_plus(us.secret)}".encode()).decode("ascii")
            headers.append(("Authorization", f"Basic {pair}"))
        else:
            form = {**form, "client_id": us.id, "client_secret": us.secret}
        body = urlencode(form).encode()
        # A code is good for once: nothing is sent a second time.
        request = HttpRequest("POST", us.endpoint, tuple(headers), body, repeatable=False, follows_redirects=False)
        try:
            answer = await self.transport.send(request, _LIMITS)
        except EgressError as error:
            raise CredentialUnavailable(f"the token endpoint {_shown(us)} did not respond: {error}") from error
        return _tokens(us, answer, (us.secret, hidden))


def _tokens(us: _Client, answer: HttpResponse, hidden: tuple[str, ...]) -> ConsentedTokens:
    if answer.status != 200:
        said = refusal_in(answer, hidden)
        sentence = f"the token endpoint {_shown(us)} answered {answer.status}{f', {said}' if said else ''}"
        raise CredentialUnavailable(sentence) if answer.status >= 500 else CredentialRefused(sentence)
    try:
        issued = token_in(answer, hidden)
    except ValueError as error:
        raise CredentialUnavailable(f"the token endpoint {_shown(us)} {error}") from error
    refresh = as_object(loads(answer.body)).get("refresh_token")
    life_s = int(max(0.0, min(issued.life_s, _MOST_LIFE_S)))
    return ConsentedTokens(issued.value, life_s, refresh if isinstance(refresh, str) else "")


def _endpoints(definition: ConnectorDefinition) -> ConsentEndpoints | None:
    kind = AuthenticationKind.OAUTH2_AUTH_CODE_FLOW
    return next((each.consent for each in definition.authentications if each.kind is kind), None)


def _filled(url: str, connection: JsonObject, definition: ConnectorDefinition) -> str:
    """A URL with `{config.KEY}` replaced by the connection's values, each within a segment or a label of the host."""
    values = {each.key: each.default for each in definition.config}
    for variable in map(as_object, as_list(connection.get("configVariables"))):
        values[str(variable.get("key"))] = str(variable.get("stringValue", ""))
    for key, value in values.items():
        url = url.replace(f"{{config.{key}}}", quote(value, safe=""))
    return url


def _shown(us: _Client) -> str:
    return us.endpoint.partition("?")[0]
