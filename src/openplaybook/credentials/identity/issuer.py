"""Our own OpenID Connect issuer: tokens of service agents, and what others verify them with."""

import time
from collections.abc import Callable
from urllib.parse import urlsplit
from uuid import uuid4

from openplaybook.credentials.identity.signing_keys import SigningKeys
from openplaybook.credentials.token_cache import IssuedToken
from openplaybook.jsonvalues import JsonObject

DISCOVERY_PATH = "/.well-known/openid-configuration"
JWKS_PATH = "/.well-known/jwks.json"

LIFE_S = 3600
"""Seconds that a token is valid."""


class Issuer:
    """Signs for the agents of this server.

    A service agent is one for each project: `service-PROJECT@HOST`, where HOST is that of the issuer's URL.
    """

    def __init__(self, url: str, keys: SigningKeys, clock: Callable[[], float] = time.time) -> None:
        """`url` is where others reach this server, without a slash at its end."""
        self.url = url
        self._keys = keys
        self._clock = clock

    def discovery(self) -> JsonObject:
        """What the issuer says of itself (OpenID Connect Discovery §3), as far as it applies: nobody logs in here."""
        return {
            "issuer": self.url,
            "jwks_uri": self.url + JWKS_PATH,
            "response_types_supported": ["id_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "claims_supported": ["iss", "sub", "aud", "iat", "exp", "email", "email_verified", "agent"],
        }

    async def jwks(self) -> JsonObject:
        """The public keys (RFC 7517 §5), also those of tokens that an older key signed."""
        return {"keys": [key.public() for key in await self._keys.published()]}

    def service_agent(self, agent: str) -> str:
        """Who an agent is to others: the email address of its project's service agent."""
        project = agent.removeprefix("projects/").partition("/")[0] or "unknown"
        return f"service-{project}@{urlsplit(self.url).hostname}"

    async def id_token(self, audience: str, agent: str) -> IssuedToken:
        """An ID token (OpenID Connect Core §2) by which `audience` knows the agent's service agent."""
        email = self.service_agent(agent)
        claims: JsonObject = {**self._claims(audience, agent), "email": email, "email_verified": True}
        return await self._signed("JWT", claims)

    async def access_token(self, audience: str, agent: str) -> IssuedToken:
        """An access token in JWT form (RFC 9068): the service agent may ask `audience`; what, is for that to decide."""
        claims = {**self._claims(audience, agent), "client_id": self.service_agent(agent), "jti": uuid4().hex}
        return await self._signed("at+jwt", claims)

    def _claims(self, audience: str, agent: str) -> JsonObject:
        now = int(self._clock())
        sub = self.service_agent(agent)
        return {"iss": self.url, "sub": sub, "aud": audience, "iat": now, "exp": now + LIFE_S, "agent": agent}

    async def _signed(self, kind: str, claims: JsonObject) -> IssuedToken:
        # As `signing_keys` does.
        from joserfc import jwt

        key = await self._keys.signing()
        header = {"alg": "RS256", "typ": kind, "kid": key.id}
        return IssuedToken(jwt.encode(header, claims, key.key, algorithms=["RS256"]), LIFE_S)
