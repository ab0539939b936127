"""OAuth 2.0 client credentials (RFC 6749 §4.4): a token from the token endpoint, sent as bearer token."""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from urllib.parse import quote_plus, urlencode, urljoin

from openplaybook.credentials.base import AuthContext, CredentialSources
from openplaybook.credentials.credential_value import CredentialValue
from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable
from openplaybook.credentials.static_credentials import with_token
from openplaybook.credentials.token_answers import refusal_in, token_in
from openplaybook.credentials.token_cache import IssuedToken
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.egress.web_origin import origin_of
from openplaybook.jsonvalues import as_object, loads

_LIMITS = HttpLimits(connect_s=5.0, read_s=15.0, total_s=20.0, max_bytes=1_000_000)
_OK, _BAD_REQUEST, _UNAUTHORIZED = 200, 400, 401
_NO_ENDPOINT = (404, 405, 410)
"""Something else is at its address (RFC 9110 §15.5.5, §15.5.6, §15.5.11)."""

_DISCOVERY_LIMITS = HttpLimits(connect_s=5.0, read_s=10.0, total_s=15.0, max_bytes=1_000_000)
_ENDPOINT_KEPT_S = 3600.0


@dataclass(frozen=True, slots=True)
class _Ask:
    """A token as it is asked for."""

    endpoint: str
    client_id: str
    secret: str = field(repr=False)
    scopes: tuple[str, ...]
    like: HttpRequest = field(repr=False)
    """The request that the token is for: whose certificates it trusts, and who we are to it."""
    agent: str = ""

    @property
    def pair(self) -> str:
        """Client and secret as HTTP basic carries them, form-encoded first (RFC 6749 §2.3.1)."""
        return b64encode(f"{quote_plus(self.client_id)}:{quote_plus(self.secret)}".encode()).decode()

    @property
    def hidden(self) -> tuple[str, ...]:
        """What must not come back out of the endpoint's words."""
        return self.pair, self.secret, quote_plus(self.secret)


class ClientCredentials:
    """One client of one token endpoint; its tokens are kept for all tools that configure the same."""

    def __init__(
        self,
        endpoint: str,
        client_id: str,
        secret: CredentialValue,
        scopes: Sequence[str],
        sources: CredentialSources,
        *,
        provider: str = "",
    ) -> None:
        """`endpoint` is absolute, or relative to the API's origin; empty: that of the OpenID `provider` at this URL."""
        self._endpoint = endpoint
        self._provider = provider
        self._client_id = client_id
        self._secret = secret
        self._scopes = tuple(scopes)
        self._sources = sources
        self._in_body = False
        """Whether the endpoint was found to want the secret in the body (RFC 6749 §2.3.1 allows both)."""

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with `Authorization: Bearer …`.

        Raises `CredentialRefused` when the endpoint gives none and `CredentialUnavailable` when it does not answer.
        """
        secret = await self._secret.read(self._sources, context)
        context.secrets.append(secret)
        endpoint = await self._found_endpoint(request, context)
        ask = _Ask(endpoint, self._client_id, secret, self._scopes, request, context.agent)
        digest = hashlib.sha256(secret.encode()).digest()
        certificates = (request.ca_certificates, request.client_certificate)
        key = ("oauth", endpoint, self._client_id, self._scopes, digest, *certificates)
        token = await self._sources.tokens.get(key, partial(self._fetch, ask), context.timeout_s)
        return with_token(request, token, context, f"the access token of the OAuth client {self._client_id}")

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """Forget the token. Another one is worth asking for, also when someone else has forgotten it meanwhile."""
        for secret in context.secrets:
            self._sources.tokens.forget(secret)
        return True

    async def _found_endpoint(self, request: HttpRequest, context: AuthContext) -> str:
        if self._endpoint:
            return urljoin(request.url, self._endpoint)
        url = urljoin(request.url, self._provider)
        fetch = partial(_token_endpoint, url, request, self._sources.transport, context.agent)
        # All that decides who answers: one agent's private network must not tell another's secrets where to go.
        key = ("provider", url, request.ca_certificates, request.endpoints)
        return await self._sources.tokens.get(key, fetch, context.timeout_s)

    async def _fetch(self, ask: _Ask) -> IssuedToken:
        if not self._in_body:
            answer = await self._answer(ask, in_body=False)
            if not _wants_other_way(answer):
                return _token(ask, answer)
        answer = await self._answer(ask, in_body=True)
        token = _token(ask, answer)
        self._in_body = True
        return token

    async def _answer(self, ask: _Ask, *, in_body: bool) -> HttpResponse:
        try:
            limits = replace(_LIMITS, caller=ask.agent)
            return await self._sources.transport.send(_request(ask, in_body=in_body), limits)
        except EgressError as error:
            raise CredentialUnavailable(f"the token endpoint {_shown(ask)} did not respond: {error}") from error


def _request(ask: _Ask, *, in_body: bool) -> HttpRequest:
    """A token request; the client is named in the header or in the body (RFC 6749 §2.3.1)."""
    fields = {"grant_type": "client_credentials"}
    headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
    if ask.scopes:
        fields["scope"] = " ".join(ask.scopes)
    if in_body:
        fields |= {"client_id": ask.client_id, "client_secret": ask.secret}
    else:
        headers.append(("Authorization", f"Basic {ask.pair}"))
    return _asking(ask.like, "POST", ask.endpoint, tuple(headers), urlencode(fields).encode())


def _wants_other_way(answer: HttpResponse) -> bool:
    """Whether the endpoint may not have seen who we are: 401, or `invalid_client` (RFC 6749 §5.2)."""
    if answer.status == _UNAUTHORIZED:
        return True
    return answer.status == _BAD_REQUEST and refusal_in(answer).startswith("invalid_client")


def _token(ask: _Ask, answer: HttpResponse) -> IssuedToken:
    reason = refusal_in(answer, hidden=ask.hidden)
    if answer.status == _OK:
        try:
            return token_in(answer, ask.hidden)
        except ValueError as error:
            problem = f"{error}: {reason}" if reason else str(error)
            raise CredentialUnavailable(f"the token endpoint {_shown(ask)} {problem}") from error
    outcome = f"answered {answer.status}" + (f", {reason}" if reason else "")
    if answer.status >= 500 or answer.status == 429:
        raise CredentialUnavailable(f"the token endpoint {_shown(ask)} {outcome}; try again later")
    suspects = "tokenEndpoint" if answer.status in _NO_ENDPOINT else "clientId, the client secret and scopes"
    raise CredentialRefused(f"the token endpoint {_shown(ask)} {outcome}: check {suspects} of oauthConfig")


def _shown(ask: _Ask) -> str:
    """The endpoint without its query, which may hold a secret."""
    return ask.endpoint.partition("?")[0]


async def _token_endpoint(url: str, like: HttpRequest, transport: Transport, caller: str = "") -> IssuedToken:
    """The `token_endpoint` of the discovery document at `url` (OpenID Connect Discovery §4), to be kept for an hour.

    Certificates are those of `like`.

    A document that came by https cannot send secrets to where http leads. Raises `CredentialUnavailable`.
    """
    request = _asking(like, "GET", url, (("Accept", "application/json"),), b"")
    try:
        answer = await transport.send(request, replace(_DISCOVERY_LIMITS, caller=caller))
    except EgressError as error:
        raise CredentialUnavailable(f"the OpenID provider {url} did not respond: {error}") from error
    try:
        endpoint = as_object(loads(answer.body)).get("token_endpoint") if answer.status == _OK else None
    except ValueError:
        endpoint = None
    allowed = "https://" if url.lower().startswith("https://") else ("http://", "https://")
    if not isinstance(endpoint, str) or not endpoint.startswith(allowed):
        raise CredentialUnavailable(
            f"the OpenID provider {url} answered {answer.status} without a usable token_endpoint; "
            "set oauthConfig.tokenEndpoint"
        )
    return IssuedToken(endpoint, _ENDPOINT_KEPT_S)


def _asking(like: HttpRequest, method: str, url: str, headers: tuple[tuple[str, str], ...], body: bytes) -> HttpRequest:
    """A request to `url` that trusts, and shows, what the request does that the token is for.

    A private endpoint is that of an origin: it holds for `url` when both have the same.
    """
    here = origin_of(url)
    return HttpRequest(
        method,
        url,
        headers,
        body or None,
        ca_certificates=like.ca_certificates,
        client_certificate=like.client_certificate,
        endpoints=like.endpoints if here is not None and here == origin_of(like.url) else (),
        repeatable=True,
    )
