"""Access tokens of connections: who gives them, and how they are asked for (RFC 6749 §4.4 and §6, RFC 7523 §2.1)."""

import hashlib
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote_plus, urlencode

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import CredentialAbsent
from openplaybook.connectors.rest.manifest.authentication_model import AuthenticationManifest, TokenRequest
from openplaybook.connectors.rest.manifest.placeholders import filled, filled_path
from openplaybook.connectors.rest.reply_paths import value_at
from openplaybook.connectors.settings import (
    Authentication,
    ConnectionSettings,
    GoogleAccount,
    JwtBearer,
    OAuthClient,
    OAuthRefresh,
)
from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable
from openplaybook.credentials.token_answers import UNKNOWN_LIFE_S, refusal_in
from openplaybook.credentials.token_cache import IssuedToken
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps, is_number, loads

_LIMITS = HttpLimits(connect_s=5.0, read_s=15.0, total_s=20.0, max_bytes=1_000_000)
_JWT_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_ASSERTION_S = 180
_GOOGLE_LIFE_S = 300.0
_MOST_DIGITS = 16
"""Of a token's life."""


@dataclass(frozen=True, slots=True)
class TokenSource:
    """Where the tokens of a connection come from."""

    key: Hashable
    """Tells the credential apart in the server's cache; holds no secret, only its digest."""
    fetch: Callable[[], Awaitable[IssuedToken]]


def token_source(
    way: AuthenticationManifest, settings: ConnectionSettings, access: SystemAccess, values: dict[str, str]
) -> TokenSource:
    """The source for a way and the authentication of a connection. Raises `CredentialAbsent`."""
    given = settings.authentication
    if isinstance(given, GoogleAccount):
        return TokenSource(
            ("connection", "google", given.service_account, way.scopes, settings.name),
            partial(_google_token, given, way, settings, access),
        )
    request = _request_of(way, given)
    if request is None:
        raise CredentialAbsent("the connection has no credential from which an access token could be had")
    url = filled_path(request.url, values) if "://" in request.url else request.url
    asked = replace(request, url=url, audience=filled(request.audience, values))
    digest = hashlib.sha256(repr((given, _hidden(given), sorted(values.items()))).encode()).hexdigest()
    return TokenSource(("connection", url, way.scopes, digest), partial(_fetched, asked, way, settings, access, values))


def _request_of(way: AuthenticationManifest, given: Authentication) -> TokenRequest | None:
    if isinstance(given, OAuthRefresh) and given.token_url:
        return replace(way.request or TokenRequest(""), url=given.token_url)
    return way.request


async def _google_token(
    given: GoogleAccount, way: AuthenticationManifest, settings: ConnectionSettings, access: SystemAccess
) -> IssuedToken:
    if given.service_account:
        token = await access.identity.account_token(way.scopes, given.service_account)
    else:
        token = await access.identity.access_token(way.scopes, "", settings.name)
    return IssuedToken(token, _GOOGLE_LIFE_S)


async def _fetched(
    request: TokenRequest,
    way: AuthenticationManifest,
    settings: ConnectionSettings,
    access: SystemAccess,
    values: dict[str, str],
) -> IssuedToken:
    """Raises `CredentialRefused` and `CredentialUnavailable`."""
    given = await _with_current_token(settings, access)
    headers = [("Accept", "application/json")]
    form = _grant(request, way, given) | {name: filled(text, values) for name, text in request.params.items()}
    if request.json:
        members: JsonObject = {name: filled(text, values) for name, text in request.json.items()}
        body, kind = dumps(members), "application/json"
    else:
        pair = _client(given)
        if pair is not None and request.client_in == "basic":
            text = f"{quote_plus(pair[0])}:{quote_plus(pair[1])}"
            headers.append(("Authorization", f"Basic {b64encode(text.encode()).decode()}"))
        elif pair is not None:
            form |= {"client_id": pair[0], "client_secret": pair[1]}
        body, kind = urlencode(form).encode(), "application/x-www-form-urlencoded"
    headers.append(("Content-Type", kind))
    # A refresh token may be good for once.
    is_repeatable = not isinstance(given, OAuthRefresh)
    own = way.kind == "two_step" and settings.tls.ca_certificate
    ask = HttpRequest(
        request.method,
        request.url,
        tuple(headers),
        body,
        # The system itself gives such tokens; elsewhere its private certificates prove nothing.
        ca_certificates=(own.encode(),) if own else (),
        repeatable=is_repeatable,
        follows_redirects=False,
    )
    try:
        answer = await access.transport.send(ask, _LIMITS)
    except EgressError as error:
        raise CredentialUnavailable(f"the token endpoint {_shown(request)} did not respond: {error}") from error
    issued = _issued(request, answer, (*_hidden(given), *values.values()))
    if isinstance(given, OAuthRefresh) and access.refresh_tokens is not None and not settings.is_overridden:
        fresh: JsonValue = as_object(loads(answer.body)).get("refresh_token")
        if isinstance(fresh, str) and fresh and fresh != given.refresh_token:
            await access.refresh_tokens.replaced(settings.name, fresh)
    return issued


async def _with_current_token(settings: ConnectionSettings, access: SystemAccess) -> Authentication:
    """The credential; of a connection with a refresh token, with the one that is good now."""
    given = settings.authentication
    if not isinstance(given, OAuthRefresh) or access.refresh_tokens is None or settings.is_overridden:
        return given
    return replace(given, refresh_token=await access.refresh_tokens.current(settings.name) or given.refresh_token)


def _grant(request: TokenRequest, way: AuthenticationManifest, given: Authentication) -> dict[str, str]:
    scopes = {"scope": " ".join(way.scopes)} if way.scopes else {}
    if isinstance(given, OAuthRefresh):
        return {"grant_type": "refresh_token", "refresh_token": given.refresh_token}
    if isinstance(given, JwtBearer):
        return {"grant_type": _JWT_GRANT, "assertion": _assertion(request, way, given)}
    if isinstance(given, OAuthClient):
        return {"grant_type": "client_credentials", **scopes}
    return {}


def _assertion(request: TokenRequest, way: AuthenticationManifest, given: JwtBearer) -> str:
    # Signing is needed by few connections, and its library takes a while to load.
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import RSAKey

    now = int(time.time())
    claims: JsonObject = {
        "iss": given.issuer,
        "sub": given.subject,
        "aud": given.audience or request.audience or request.url,
        "iat": now,
        "exp": now + _ASSERTION_S,
    }
    if way.scopes:
        claims["scope"] = " ".join(way.scopes)
    try:
        return jwt.encode({"alg": "RS256", "typ": "JWT"}, claims, RSAKey.import_key(given.client_key))
    except (JoseError, ValueError, TypeError):
        raise CredentialRefused("the connection's client key is no RSA key in PEM (PKCS #8)") from None


def _client(given: Authentication) -> tuple[str, str] | None:
    return (given.client_id, given.client_secret) if isinstance(given, OAuthClient | OAuthRefresh) else None


def _hidden(given: Authentication) -> tuple[str, ...]:
    names = ("client_secret", "refresh_token", "client_key", "password", "token")
    return tuple(str(getattr(given, name)) for name in names if hasattr(given, name))


def _issued(request: TokenRequest, answer: HttpResponse, hidden: tuple[str, ...]) -> IssuedToken:
    shown = _shown(request)
    if answer.status >= 500 or answer.status == 429:
        raise CredentialUnavailable(f"the token endpoint {shown} answered {answer.status}; try again later")
    if not 200 <= answer.status < 300:
        reason = refusal_in(answer, [each for each in hidden if len(each) > 3])
        said = f", {reason}" if reason else ""
        raise CredentialRefused(f"the token endpoint {shown} answered {answer.status}{said}: check the credential")
    try:
        value: JsonValue = loads(answer.body)
    except ValueError:
        value = answer.body.decode("utf-8", "replace").strip() if not request.token else None
    token = value_at(value, request.token)
    if not isinstance(token, str) or not token or any(not 0x21 <= ord(char) <= 0x7E for char in token):
        raise CredentialUnavailable(f"the token endpoint {shown} answered without a token that a header can carry")
    return IssuedToken(token, request.life_s or _life(value_at(value, request.life)))


def _life(value: JsonValue) -> float:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < _MOST_DIGITS:
        return float(value)
    return float(value) if is_number(value) else UNKNOWN_LIFE_S


def _shown(request: TokenRequest) -> str:
    return request.url.partition("?")[0]
