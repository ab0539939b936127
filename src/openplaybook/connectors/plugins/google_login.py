"""Access tokens for Google's systems: of a service account, this server's own, a service account's key, a user who has
consented, or one that a session gives."""

from collections.abc import Mapping, Sequence

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    CredentialAbsent,
    InvalidConnection,
    SystemUnavailable,
)
from openplaybook.connectors.rest.manifest.authentication_keys import google_ways
from openplaybook.connectors.rest.token_requests import TokenSource, token_source
from openplaybook.connectors.settings import AccessToken, ConnectionSettings, GoogleAccount, JwtBearer, OAuthRefresh
from openplaybook.credentials.errors import CredentialError, CredentialUnavailable
from openplaybook.jsonvalues import JsonValue, as_list, as_object

_KINDS: Mapping[type, str] = {GoogleAccount: "google", OAuthRefresh: "oauth2_auth_code", JwtBearer: "jwt_bearer"}
"""Credential → how Google's ways to log in are called in manifests."""


class GoogleLogin:
    """The credential of one connection."""

    def __init__(self, settings: ConnectionSettings, access: SystemAccess, scopes: Sequence[str]) -> None:
        """Raises `InvalidConnection` and `CredentialAbsent`."""
        given = settings.authentication
        if given is None:
            raise CredentialAbsent("the connection has no Google credential (GOOGLE_AUTHENTICATION)")
        self._given = given
        self._access = access
        self._given_token = given.token if isinstance(given, AccessToken) else ""
        self._source = None if isinstance(given, AccessToken) else _source(settings, access, scopes)

    async def authorization(self, timeout_s: float) -> str:
        """Value of the `Authorization` header."""
        if self._source is None:
            return f"Bearer {self._given_token}"
        try:
            token = await self._access.tokens.get(self._source.key, self._source.fetch, timeout_s)
        except CredentialUnavailable as error:
            raise SystemUnavailable(str(error)) from error
        except CredentialError as error:
            raise AuthenticationRefused(str(error)) from error
        return f"Bearer {token}"

    def refused(self, authorization: str) -> bool:
        """A token that was fetched is forgotten."""
        if self._source is None:
            return False
        token = authorization.removeprefix("Bearer ")
        self._access.tokens.forget(token)
        self._access.identity.forget(token)
        return True

    def secrets(self) -> Sequence[str]:
        """Those that tokens are fetched with."""
        names = ("client_secret", "refresh_token", "client_key")
        return [str(getattr(self._given, name)) for name in names if getattr(self._given, name, "")]


def _source(settings: ConnectionSettings, access: SystemAccess, scopes: Sequence[str]) -> TokenSource:
    kind = type(settings.authentication)
    way = next((each for each in google_ways(scopes) if each.kind == _KINDS.get(kind)), None)
    if way is None:
        raise InvalidConnection("authConfig.authType", f"{kind.__name__} is no credential of Google's systems")
    return token_source(way, settings, access, {})


def google_words(reply: JsonValue) -> str:
    """What an error of Google's APIs says."""
    listed = as_list(reply)
    first: JsonValue = listed[0] if listed else reply
    error = as_object(as_object(first).get("error"))
    return str(error.get("message") or "")
