"""Who sends a request: asked once, whichever port it came in by."""

import secrets
from collections.abc import Mapping

from openplaybook.server.access.api_keys import ApiKey, ApiKeys, bearer, candidates
from openplaybook.server.access.key_file import KeyFile
from openplaybook.server.access.oidc import TokenVerifier, looks_like_token
from openplaybook.server.access.principals import Principal, PrincipalKind, Role
from openplaybook.server.access.refusals import NO_KEY, NO_TOKEN, WRONG_KEY, unauthenticated


class CallerAuthenticator:
    """API keys, tokens of an identity provider, or both."""

    def __init__(self, key_file: KeyFile | None, tokens: TokenVerifier | None = None) -> None:
        self.local_key = secrets.token_urlsafe(32)
        """Lets commands in that can read the data directory, and could do anything with it."""
        self._local = ApiKeys(
            [ApiKey.of(self.local_key, Principal("local", Role.ADMIN, PrincipalKind.LOCAL, is_limited=False))]
        )
        self._key_file = key_file
        self._tokens = tokens

    async def principal(self, headers: Mapping[str, str], query: bytes = b"") -> Principal:
        """Who sends a request with these headers, names in lower case.

        Raises `RpcError`: UNAUTHENTICATED for nobody we know, else what `TokenVerifier.principal` raises.
        """
        given = candidates(headers, query)
        found = self._key_file.keys().find(given) if self._key_file is not None else None
        found = found or self._local.find(given)
        if found is not None:
            return found
        token = bearer(headers)
        if self._tokens is not None and looks_like_token(token):
            return await self._tokens.principal(token)
        if self._key_file is None:
            raise unauthenticated(NO_TOKEN)
        raise unauthenticated(WRONG_KEY if given else NO_KEY)
