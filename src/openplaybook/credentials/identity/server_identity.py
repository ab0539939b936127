"""The identity of this server: the port `credentials.base.Identity` over its issuer, accounts and Google."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from openplaybook.credentials.errors import AccountNotAllowed, CredentialRefused
from openplaybook.credentials.identity.google_tokens import GoogleTokens
from openplaybook.credentials.identity.issuer import Issuer
from openplaybook.credentials.token_cache import IssuedToken, TokenCache

_TIMEOUT_S = 30.0
_GOOGLE_API = re.compile(r"https://([a-z0-9-]+\.)+googleapis\.com")
IMPERSONATED = "impersonated"
"""In place of a key file: the server's own Google identity mints the account's tokens."""


@dataclass(frozen=True, slots=True)
class ServiceAccounts:
    """An allow list."""

    key_files: Mapping[str, Path | None]
    """By email address: the account's key file; None for one that is impersonated."""

    def refusal(self, account: str) -> str:
        """Why tools may not act as the account, and what the operator can do; empty when they may."""
        if account in self.key_files:
            return ""
        return (
            f"tools may not act as {account}: the operator of this server has to allow it with the setting "
            f"service_accounts ({account}=KEY_FILE, or {account}={IMPERSONATED})"
        )


def parse_accounts(text: str) -> ServiceAccounts:
    """The accounts of a list such as `a@p.example=/keys/a.json,b@p.example=impersonated`.

    Raises `ValueError` naming the entry that is not understood.
    """
    key_files: dict[str, Path | None] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        account, equals, source = (part.strip() for part in entry.partition("="))
        if "@" not in account or not equals or not source:
            raise ValueError(f"{entry!r} must have the form EMAIL=KEY_FILE or EMAIL={IMPERSONATED}")
        key_files[account] = None if source == IMPERSONATED else Path(source).expanduser()
    return ServiceAccounts(key_files)


class ServerIdentity:
    """Keeps tokens while they are valid."""

    def __init__(
        self,
        issuer: Issuer,
        accounts: ServiceAccounts,
        google: GoogleTokens,
        *,
        is_google: bool,
        tokens: TokenCache | None = None,
    ) -> None:
        """`is_google`: service agents are known by Google's credentials of this server, not by our own issuer."""
        self._issuer = issuer
        self._accounts = accounts
        self._google = google
        self._is_google = is_google
        self._tokens = tokens or TokenCache()

    async def id_token(self, audience: str, agent: str) -> str:
        """An ID token for `audience`; raises a subclass of `CredentialError`."""
        if self._is_google:
            return await self._kept(("google id", audience), partial(self._google.own_id_token, audience))
        return await self._kept(("id", audience, agent), partial(self._issuer.id_token, audience, agent))

    async def access_token(self, scopes: Sequence[str], audience: str, agent: str) -> str:
        """Google's access token with `scopes`, or ours for `audience`; raises a subclass of `CredentialError`.

        Google's opens everything that this server may do at Google, so it is given to Google's APIs alone.
        """
        if self._is_google:
            if not _GOOGLE_API.fullmatch(audience):
                raise CredentialRefused(
                    f"this server's Google access token is sent to https://….googleapis.com only, not to {audience}; "
                    "use ID_TOKEN, or a service account"
                )
            key = ("google access", *scopes)
            return await self._kept(key, partial(self._google.own_access_token, scopes))
        return await self._kept(("access", audience, agent), partial(self._issuer.access_token, audience, agent))

    async def account_token(self, scopes: Sequence[str], service_account: str) -> str:
        """An access token of an account on the operator's list; raises `AccountNotAllowed` for any other."""
        if refusal := self.refusal(service_account):
            raise AccountNotAllowed(refusal)

        async def fetch() -> IssuedToken:
            path = self._accounts.key_files[service_account]
            if path is None:
                return await self._google.impersonated(service_account, scopes)
            return await self._google.of_key_file(service_account, path, scopes)

        return await self._kept(("account", service_account, *scopes), fetch)

    def refusal(self, service_account: str) -> str:
        """Why tools may not act as a service account; empty when they may."""
        return self._accounts.refusal(service_account)

    def forget(self, token: str) -> bool:
        """Drop a kept token that was refused; whether there was one."""
        return self._tokens.forget(token)

    async def _kept(self, key: tuple[str, ...], fetch: Callable[[], Awaitable[IssuedToken]]) -> str:
        return await self._tokens.get(key, fetch, _TIMEOUT_S)
