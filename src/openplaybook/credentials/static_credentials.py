"""Credentials that are sent as they are: API keys, bearer tokens, user names with passwords."""

import re
from base64 import b64encode
from dataclasses import dataclass, replace
from urllib.parse import quote

from openplaybook.credentials.base import AuthContext, CredentialSources
from openplaybook.credentials.credential_value import CredentialValue
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.base import HttpRequest

_COOKIE = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class _AsWritten:
    """A credential that only its owner can replace."""

    __slots__ = ()

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """There is no other."""
        return False


@dataclass(frozen=True, slots=True)
class ApiKeyInHeader(_AsWritten):
    """Sends a key in a header of its own."""

    name: str
    key: CredentialValue
    sources: CredentialSources

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with the header; one of the same name is replaced."""
        key = await self.key.read_for_header(self.sources, context)
        context.secrets.append(key)
        context.sent.append(f"the API key in the header {self.name}")
        return request.with_header(self.name, key)


@dataclass(frozen=True, slots=True)
class ApiKeyInQuery(_AsWritten):
    """Sends a key in the query string."""

    name: str
    key: CredentialValue
    sources: CredentialSources

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with the key as its last query parameter."""
        key = await self.key.read(self.sources, context)
        encoded = quote(key, safe="")
        context.secrets.append(key)
        if encoded != key:
            context.secrets.append(encoded)
        context.sent.append(f"the API key as the query parameter {self.name}")
        url, hash_sign, fragment = request.url.partition("#")
        separator = "&" if "?" in url else "?"
        return replace(request, url=f"{url}{separator}{quote(self.name, safe='')}={encoded}{hash_sign}{fragment}")


@dataclass(frozen=True, slots=True)
class ApiKeyInCookie(_AsWritten):
    """Sends a key in a cookie, beside those that the request has."""

    name: str
    key: CredentialValue
    sources: CredentialSources

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with the cookie; one of the same name is replaced.

        Raises `CredentialError` for a key that no cookie can carry (RFC 6265 §4.1.1): the service could not read it.
        """
        key = await self.key.read(self.sources, context)
        if not _COOKIE.fullmatch(key):
            raise CredentialError(
                f"{self.key.what} contains what a cookie cannot carry: a blank, quote, comma, ; or \\"
            )
        context.secrets.append(key)
        context.sent.append(f"the API key in the cookie {self.name}")
        pairs = [
            pair.strip() for name, value in request.headers if name.lower() == "cookie" for pair in value.split(";")
        ]
        others = [pair for pair in pairs if pair and pair.partition("=")[0] != self.name]
        return request.with_header("Cookie", "; ".join([*others, f"{self.name}={key}"]))


@dataclass(frozen=True, slots=True)
class BearerToken(_AsWritten):
    """Sends a token that is part of the tool, a secret, or came with the session."""

    token: CredentialValue
    sources: CredentialSources
    word: str = "Bearer"
    """What stands before the token: the name of the HTTP authentication scheme (RFC 9110 §11.4)."""

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with `Authorization: Bearer …` (RFC 6750 §2.1).

        Raises `CredentialMissing` without a token, and `CredentialError` for one with the word before it: clients
        that pass on the whole header would have it sent twice.
        """
        token = await self.token.read_for_header(self.sources, context)
        if token.lower().startswith(f"{self.word.lower()} "):
            source = self.token.parameter or self.token.version or "bearerTokenConfig"
            raise CredentialError(f"the token of {source} begins with the word {self.word}: send only the token")
        origin = f"of the session parameter {self.token.parameter}" if self.token.parameter else "of bearerTokenConfig"
        return with_token(request, token, context, f"the token {origin}", self.word)


@dataclass(frozen=True, slots=True)
class BasicCredentials(_AsWritten):
    """Sends a user name and a password."""

    username: str
    password: CredentialValue
    sources: CredentialSources

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with `Authorization: Basic …`, in UTF-8 (RFC 7617 §2 and §2.1)."""
        password = await self.password.read(self.sources, context)
        if _CONTROL.search(password):
            raise CredentialError("the password contains a control character, such as a line break")
        encoded = b64encode(f"{self.username}:{password}".encode()).decode()
        context.secrets.extend(filter(None, (password, encoded)))
        context.sent.append(f"the user name {self.username} with its password")
        return request.with_header("Authorization", f"Basic {encoded}")


def with_token(request: HttpRequest, token: str, context: AuthContext, what: str, word: str = "Bearer") -> HttpRequest:
    """`request` with a token that a header can carry; `what` says which token it is."""
    context.secrets.append(token)
    context.sent.append(what)
    return request.with_header("Authorization", f"{word} {token}")
