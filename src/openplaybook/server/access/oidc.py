"""Tokens of an identity provider (OpenID Connect Core §3.1.3.7, RFC 9068 §4): whose they are, and what they may do.

ID tokens and access tokens are judged alike: who signed, for whom, until when. How the caller got one is its
own affair.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from joserfc import jws, jwt
from joserfc.errors import (
    BadSignatureError,
    ExpiredTokenError,
    InvalidClaimError,
    JoseError,
    MissingAlgorithmError,
    MissingClaimError,
)
from joserfc.jwk import Key

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.server.access.principals import Principal, PrincipalKind
from openplaybook.server.access.provider_keys import KeysUnavailable, ProviderKeys
from openplaybook.server.access.refusals import denied, invalid_token
from openplaybook.server.access.role_claims import RoleClaims
from openplaybook.wire.errors import Code, RpcError

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""Signatures that only the provider can make; `none` and those with a shared secret are not among them."""

LEEWAY_S = 30
"""Seconds by which clocks may differ."""

_LONGEST = 16_384
"""Characters of a token."""
_LONGEST_SUBJECT = 255
"""OpenID Connect Core §2."""
_LATEST = 1e11
"""Seconds since the epoch, in the year 5138; what is later is no time, and neither is NaN."""
_TIMES = ("exp", "nbf", "iat")
_NO_ALGORITHM = "its algorithm is not accepted"
_REASONS = {
    "iss": "it comes from another issuer",
    "aud": "it is for another audience",
    "sub": f"it has no subject of at most {_LONGEST_SUBJECT} printable characters",
    "exp": "it has no expiry time",
    "nbf": "it is not valid yet",
    "iat": "it is not valid yet",
}
"""By the claim that is missing or says something else, in the order of looking."""


@dataclass(frozen=True, slots=True)
class TokenVerifier:
    """What a token must say to be accepted."""

    issuer: str
    audience: str
    roles: RoleClaims
    keys: ProviderKeys
    clock: Callable[[], float] = time.time
    """Seconds since the epoch."""

    async def principal(self, token: str) -> Principal:
        """Whose token it is.

        Raises `RpcError`: UNAUTHENTICATED for a token that is not accepted, PERMISSION_DENIED for one without a role
        here, UNAVAILABLE while the provider's keys cannot be had.
        """
        claims = await self.claims(token, self.audience)
        role = self.roles.role_of(claims)
        if role is None:
            raise denied(f"The token gives no role on this server: its claim {self.roles.claim} names none.")
        return Principal(str(claims["sub"]), role, PrincipalKind.TOKEN)

    async def claims(self, token: str, audience: str) -> JsonObject:
        """What a token of the issuer says, if it is for that audience and valid now.

        Raises `RpcError`: UNAUTHENTICATED for a token that is not accepted, UNAVAILABLE while the provider's keys
        cannot be had.
        """
        header = _header(token)
        if header.get("alg") not in ALGORITHMS:
            raise invalid_token(_NO_ALGORITHM)
        # RFC 7515 §4.1.11: whoever does not understand what is named there must refuse.
        if "crit" in header:
            raise invalid_token("it requires extensions that are not supported")
        try:
            key = await self.keys.find(str(header.get("kid", "")))
        except KeysUnavailable as error:
            sentence = "The identity provider cannot be reached to check tokens; try again."
            raise RpcError(Code.UNAVAILABLE, sentence) from error
        if key is None:
            raise invalid_token("it is signed with an unknown key")
        claims = _verified(token, key)
        self._check(claims, audience)
        return claims

    def _check(self, claims: JsonObject, audience: str) -> None:
        expected = jwt.JWTClaimsRegistry(
            now=int(self.clock()),
            leeway=LEEWAY_S,
            iss={"essential": True, "values": [self.issuer, f"{self.issuer}/"]},
            aud={"essential": True, "value": audience},
            sub={"essential": True},
            exp={"essential": True},
        )
        named = {name: claims[name] for name in _REASONS if claims.get(name) is not None}
        if untimely := [name for name in _TIMES if name in named and not _is_time(named[name])]:
            raise invalid_token(f"its claim {untimely[0]} is not a time")
        try:
            expected.validate(named)
        except ExpiredTokenError as error:
            raise invalid_token("it has expired") from error
        except MissingClaimError as error:
            raise invalid_token(next(_REASONS[name] for name in _REASONS if name not in named)) from error
        except InvalidClaimError as error:
            raise invalid_token(_REASONS[error.claim]) from error
        # Logs show it.
        if len(named["sub"]) > _LONGEST_SUBJECT or not named["sub"].isprintable():
            raise invalid_token(_REASONS["sub"])


def _header(token: str) -> JsonObject:
    """What a token says of its signature, to be believed only once that is verified."""
    if len(token) > _LONGEST:
        raise invalid_token("it is malformed")
    try:
        return as_object(jws.extract_compact(token.encode()).headers())
    except MissingAlgorithmError as error:
        raise invalid_token(_NO_ALGORITHM) from error
    except (JoseError, ValueError, RecursionError) as error:
        raise invalid_token("it is malformed") from error


def _verified(token: str, key: Key) -> JsonObject:
    try:
        return as_object(jwt.decode(token, key, algorithms=list(ALGORITHMS)).claims)
    except BadSignatureError as error:
        raise invalid_token("its signature is wrong") from error
    except (JoseError, ValueError) as error:
        raise invalid_token("it is malformed, or its key is for another algorithm") from error


def _is_time(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LATEST
