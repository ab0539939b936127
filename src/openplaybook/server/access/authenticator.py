"""Who sends a request: asked once, whichever port it came in by."""

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from openplaybook.server.access.api_keys import ApiKey, ApiKeys, KeyFile
from openplaybook.server.access.principals import Principal, PrincipalKind, Role
from openplaybook.server.access.refusals import NO_KEY, NO_TOKEN, WRONG_KEY, unauthenticated

if TYPE_CHECKING:
    from openplaybook.server.access.oidc import TokenVerifier


class CallerAuthenticator:
    """API keys, tokens of an identity provider, or both."""

    def __init__(self, key_file: KeyFile | None, tokens: "TokenVerifier | None" = None) -> None:
        self.local_key = secrets.token_urlsafe(32)
        """Lets commands in that can read the data directory, and could do anything with it."""
        self._local = ApiKeys(
            [ApiKey.of(self.local_key, Principal("local", Role.ADMIN, PrincipalKind.LOCAL, is_limited=False))]
        )
        self._key_file = key_file
        self.tokens = tokens
        """What reads the tokens of the identity provider; None where there is none."""

    async def principal(self, headers: Mapping[str, str], query: bytes = b"") -> Principal:
        """Who sends a request with these headers, names in lower case.

        Raises `RpcError`: UNAUTHENTICATED for nobody we know, else what `TokenVerifier.principal` raises.
        """
        keys = candidates(headers, query)
        key_owner = self._key_file.keys().find(keys) if self._key_file is not None else None
        key_owner = key_owner or self._local.find(keys)
        if key_owner is not None:
            return key_owner
        token = bearer(headers)
        if self.tokens is not None and _looks_like_token(token):
            return await self.tokens.principal(token)
        if self._key_file is None:
            raise unauthenticated(NO_TOKEN)
        raise unauthenticated(WRONG_KEY if keys else NO_KEY)


def candidates(headers: Mapping[str, str], query: bytes = b"") -> list[str]:
    """What may be a key in a request, as Google's clients send it: the `x-goog-api-key` header, the bearer token, and
    the `key` of the query string. Names of `headers` are in lower case."""
    texts = (headers.get("x-goog-api-key", ""), bearer(headers), _query_key(query))
    return [text for text in texts if text]


def bearer(headers: Mapping[str, str]) -> str:
    """The bearer token (RFC 6750 §2.1); empty when there is none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _looks_like_token(text: str) -> bool:
    """Whether a bearer token is a signed JWT by its shape (RFC 7515 §7.1), rather than an API key."""
    return text.count(".") == 2 and text.startswith("ey")


def _query_key(query: bytes) -> str:
    if b"key=" not in query:
        return ""
    return parse_qs(query.decode("ascii", "replace")).get("key", [""])[0]
