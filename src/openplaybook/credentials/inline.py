"""Credentials that stand in the tool itself, or come with the session: API keys and bearer tokens."""

import re
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from openplaybook.credentials.base import AuthContext
from openplaybook.credentials.errors import CredentialError, CredentialMissing
from openplaybook.egress.base import HttpRequest

_VISIBLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")


@dataclass(frozen=True, slots=True)
class ApiKeyInHeader:
    """Sends a key in a header of its own."""

    name: str
    key: str = field(repr=False)

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with the header; one of the same name is replaced."""
        context.secrets.append(self.key)
        return request.with_header(self.name, self.key)

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """There is no other."""
        return False


@dataclass(frozen=True, slots=True)
class ApiKeyInQuery:
    """Sends a key in the query string."""

    name: str
    key: str = field(repr=False)

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with the key as its last query parameter."""
        encoded = quote(self.key, safe="")
        context.secrets.append(self.key)
        if encoded != self.key:
            context.secrets.append(encoded)
        url, hash_sign, fragment = request.url.partition("#")
        separator = "&" if "?" in url else "?"
        return replace(request, url=f"{url}{separator}{quote(self.name, safe='')}={encoded}{hash_sign}{fragment}")

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """There is no other."""
        return False


@dataclass(frozen=True, slots=True)
class BearerToken:
    """Sends a token that is part of the tool."""

    token: str = field(repr=False)

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with `Authorization: Bearer …` (RFC 6750 §2.1)."""
        return _with_bearer(request, self.token, context)

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """There is no other."""
        return False


@dataclass(frozen=True, slots=True)
class SessionBearerToken:
    """Sends the token that the client put into a session parameter."""

    parameter: str

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with `Authorization: Bearer …`; raises `CredentialMissing` when the parameter has no value."""
        token = context.parameters.get(self.parameter)
        if not isinstance(token, str) or not token:
            raise CredentialMissing(
                f"the session parameter {self.parameter} holds no token; "
                f"send it as a string in queryParams.parameters.{self.parameter}"
            )
        return _with_bearer(request, token, context)

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """There is no other."""
        return False


def _with_bearer(request: HttpRequest, token: str, context: AuthContext) -> HttpRequest:
    if not _VISIBLE.fullmatch(token):
        raise CredentialError("the bearer token holds characters that a header cannot carry, such as a line break")
    context.secrets.append(token)
    return request.with_header("Authorization", f"Bearer {token}")
