"""Access tokens for Google's systems: of a service account, this server's own, or one that a session gives."""

from collections.abc import Sequence

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    CredentialAbsent,
    InvalidConnection,
    SystemUnavailable,
)
from openplaybook.connectors.settings import AccessToken, ConnectionSettings, GoogleAccount
from openplaybook.credentials.errors import CredentialError, CredentialUnavailable
from openplaybook.credentials.token_cache import IssuedToken
from openplaybook.jsonvalues import JsonValue, as_list, as_object

_LIFE_S = 300.0
"""The identity keeps tokens itself."""


class GoogleLogin:
    """The credential of one connection."""

    def __init__(self, settings: ConnectionSettings, access: SystemAccess, scopes: Sequence[str]) -> None:
        """Raises `InvalidConnection` and `CredentialAbsent`."""
        given = settings.authentication
        if given is None:
            raise CredentialAbsent("the connection has no Google credential (GOOGLE_AUTHENTICATION)")
        if not isinstance(given, GoogleAccount | AccessToken):
            kind = type(given).__name__
            raise InvalidConnection("authConfig.authType", f"{kind} is no credential of Google's systems")
        self._given = given
        self._name = settings.name
        self._access = access
        self._scopes = tuple(scopes)

    async def authorization(self, timeout_s: float) -> str:
        """Value of the `Authorization` header."""
        if isinstance(self._given, AccessToken):
            return f"Bearer {self._given.token}"
        key = ("connection", "google", self._given.service_account, self._scopes, self._name)
        try:
            token = await self._access.tokens.get(key, self._fetched, timeout_s)
        except CredentialUnavailable as error:
            raise SystemUnavailable(str(error)) from error
        except CredentialError as error:
            raise AuthenticationRefused(str(error)) from error
        return f"Bearer {token}"

    def refused(self, authorization: str) -> bool:
        """A token that was fetched is forgotten."""
        if isinstance(self._given, AccessToken):
            return False
        token = authorization.removeprefix("Bearer ")
        self._access.tokens.forget(token)
        self._access.identity.forget(token)
        return True

    def secrets(self) -> Sequence[str]:
        """None besides the token."""
        return ()

    async def _fetched(self) -> IssuedToken:
        account = self._given.service_account if isinstance(self._given, GoogleAccount) else ""
        identity = self._access.identity
        if account:
            return IssuedToken(await identity.account_token(self._scopes, account), _LIFE_S)
        return IssuedToken(await identity.access_token(self._scopes, "", self._name), _LIFE_S)


def google_words(reply: JsonValue) -> str:
    """What an error of Google's APIs says."""
    listed = as_list(reply)
    first: JsonValue = listed[0] if listed else reply
    error = as_object(as_object(first).get("error"))
    return str(error.get("message") or "")
