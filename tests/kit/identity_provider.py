"""An OpenID Connect provider on loopback: its two documents, and tokens signed with its keys."""

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from joserfc import jwt
from joserfc.jwk import ECKey, Key

from openplaybook.jsonvalues import JsonObject, dumps
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.rsa_keys import rsa_key

AUDIENCE = "openplaybook"


@dataclass
class IdentityProvider:
    """Give `reply` to `http_peer` and set `peer`, or use `identity_provider`."""

    keys: dict[str, Key] = field(default_factory=dict[str, Key])
    """Published keys by id."""
    peer: HttpPeer | None = None
    is_away: bool = False
    says_issuer: str = ""
    """What the discovery document calls itself, where that is not its own address."""

    @property
    def issuer(self) -> str:
        """Its name and address."""
        assert self.peer is not None
        return self.peer.url

    @property
    def asked(self) -> list[str]:
        """The paths that were asked for."""
        assert self.peer is not None
        return [request.target for request in self.peer.requests]

    def reply(self, received: Received) -> bytes:
        """The answer to a request for one of the documents."""
        if self.is_away:
            return answer(b"", "503 Service Unavailable")
        if received.target == "/.well-known/openid-configuration":
            return answer(dumps({"issuer": self.says_issuer or self.issuer, "jwks_uri": f"{self.issuer}/keys"}))
        published = [{**key.as_dict(private=False), "kid": name} for name, key in self.keys.items()]
        return answer(dumps({"keys": [{"kty": "oct", "k": "AAAA", "kid": "shared"}, *published]}))

    def new_key(self, name: str, kind: str = "RSA") -> Key:
        """A key that none before it was, and that is published from now on."""
        made: Key = ECKey.generate_key("P-256") if kind == "EC" else rsa_key(len(self.keys))
        self.keys[name] = made
        return made

    def token(self, key: str = "one", alg: str = "RS256", header: JsonObject | None = None, **claims: object) -> str:
        """A token that is accepted, but for what is given; a claim of None is left out."""
        now = int(time.time())
        usual: JsonObject = {"iss": self.issuer, "sub": "ann", "aud": AUDIENCE, "iat": now, "exp": now + 300}
        said = {name: value for name, value in {**usual, **claims}.items() if value is not None}
        return jwt.encode({"alg": alg, "kid": key, **(header or {})}, said, self.keys[key], algorithms=[alg])


@asynccontextmanager
async def identity_provider() -> AsyncGenerator[IdentityProvider]:
    """A provider with one RSA key, `one`."""
    provider = IdentityProvider()
    async with http_peer(provider.reply) as peer:
        provider.peer = peer
        provider.new_key("one")
        yield provider
