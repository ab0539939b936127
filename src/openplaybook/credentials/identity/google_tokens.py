"""Tokens that google-auth gets: of key files, by impersonation, of the machine this server runs on."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Protocol, TypeVar

from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable, CredentialUnsupported
from openplaybook.credentials.service_identity import CLOUD_PLATFORM
from openplaybook.credentials.token_cache import IssuedToken, TokenCache

_LOG = logging.getLogger("openplaybook.credentials")
_MOST_TOLD = 300
_IMPERSONATED_LIFE_S = 3600
_TIMEOUT_S = 20.0

IAM_CREDENTIALS = "https://iamcredentials.googleapis.com"

T = TypeVar("T")


class _Credentials(Protocol):
    """Google's credentials, as far as they are used here."""

    token: str
    expiry: datetime | None
    """Without a zone, in UTC."""

    def refresh(self, request: object) -> None: ...


class GoogleTokens:
    """Asks for tokens in threads, since google-auth waits for answers."""

    def __init__(self, iam_url: str = IAM_CREDENTIALS) -> None:
        """`iam_url`: where accounts are impersonated."""
        self._iam_url = iam_url

    async def own_access_token(self, scopes: Sequence[str]) -> IssuedToken:
        """Of `GOOGLE_APPLICATION_CREDENTIALS`, or of the machine; raises a subclass of `CredentialError`."""
        return await self._token("this server's Google credentials", lambda: _ambient(scopes))

    async def own_id_token(self, audience: str) -> IssuedToken:
        """The same as an ID token."""

        def credentials() -> _Credentials:
            return import_module("google.oauth2.id_token").fetch_id_token_credentials(audience, _request())

        return await self._token("this server's Google credentials", credentials)

    async def of_key_file(self, account: str, path: Path, scopes: Sequence[str]) -> IssuedToken:
        """An access token by an account's key (RFC 7523); raises a subclass of `CredentialError`."""

        def credentials() -> _Credentials:
            kind = import_module("google.oauth2.service_account").Credentials
            account_key = kind.from_service_account_file(str(path), scopes=list(scopes))
            if account_key.service_account_email != account:
                raise ValueError(f"it is that of {account_key.service_account_email}")
            return account_key

        return await self._token(f"the key file of {account}", credentials)

    async def impersonated(self, account: str, scopes: Sequence[str]) -> IssuedToken:
        """An access token that Google gives this server's identity, which needs the Token Creator role for it."""

        def credentials() -> _Credentials:
            return import_module("google.auth.impersonated_credentials").Credentials(
                source_credentials=_ambient(["https://www.googleapis.com/auth/iam"]),
                target_principal=account,
                target_scopes=list(scopes),
                lifetime=_IMPERSONATED_LIFE_S,
                iam_endpoint_override=f"{self._iam_url}/v1/projects/-/serviceAccounts/{account}:generateAccessToken",
            )

        return await self._token(f"impersonating {account}", credentials)

    async def _token(self, what: str, credentials: Callable[[], _Credentials]) -> IssuedToken:
        try:
            return await asyncio.to_thread(_refreshed, what, credentials)
        except ImportError as error:
            raise CredentialUnsupported(
                f"{what} cannot be used: google-auth is not installed; install openplaybook[google]"
            ) from error


class OwnGoogleAccess:
    """Access to Google's services as this server itself; keeps its token while that is valid."""

    def __init__(self, google: GoogleTokens | None = None) -> None:
        self._google = google or GoogleTokens()
        self._tokens = TokenCache()
        self.account = ""
        """Email address of whom the latest token stands for; empty where it is not known."""

    async def token(self) -> str:
        """An access token for everything that the account may do at Google. Raises `CredentialError`."""
        return await self._tokens.get("own", self._fetched, _TIMEOUT_S)

    def forget(self, token: str) -> bool:
        """Drop a token that was refused; whether it was still kept."""
        return self._tokens.forget(token)

    async def _fetched(self) -> IssuedToken:
        token = await self._google.own_access_token((CLOUD_PLATFORM,))
        self.account = token.account
        return token


def _ambient(scopes: Sequence[str]) -> _Credentials:
    credentials: _Credentials = import_module("google.auth").default(scopes=list(scopes), request=_request())[0]
    return credentials


def _refreshed(what: str, credentials: Callable[[], _Credentials]) -> IssuedToken:
    """Runs in a thread."""
    errors = import_module("google.auth.exceptions")
    try:
        granted = credentials()
        granted.refresh(_request())
    except errors.TransportError as error:
        raise CredentialUnavailable(f"{what} returned no token: {_first_words(error)}") from error
    except errors.GoogleAuthError as error:
        raise CredentialRefused(f"{what} returned no token: {_first_words(error)}") from error
    except (OSError, ValueError) as error:
        _LOG.warning("google credentials cannot be used", extra={"what": what, "error": str(error)})
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CredentialRefused(f"{what} cannot be used: {reason[:_MOST_TOLD]}") from error
    return IssuedToken(granted.token, _life(granted.expiry), _account(granted))


def _life(expiry: datetime | None) -> float:
    if expiry is None:
        return 0.0
    return (expiry.replace(tzinfo=UTC) - datetime.now(UTC)).total_seconds()


def _account(credentials: object) -> str:
    """Known of service accounts, and of users as far as their key file has it."""
    known = (getattr(credentials, name, "") for name in ("service_account_email", "account"))
    return next((str(account) for account in known if account), "")


def _first_words(error: Exception) -> str:
    """The library's first words; its further arguments hold the whole answer."""
    return str(error.args[0] if error.args else error)[:_MOST_TOLD]


def _request() -> object:
    return import_module("openplaybook.credentials.identity.google_request").GoogleAuthRequest()
