"""Tokens of an identity provider (OpenID Connect Core §3.1.3.7, RFC 9068 §4): whose they are, and what they may do.

ID tokens and access tokens are judged alike: who signed, for whom, until when. How the caller got one is its
own affair.
"""

import json
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.server.access.principals import Principal, PrincipalKind
from openplaybook.server.access.provider_keys import KeysUnavailable, ProviderKeys
from openplaybook.server.access.refusals import denied, invalid_token
from openplaybook.server.access.role_claims import RoleClaims
from openplaybook.wire.errors import Code, RpcError

if TYPE_CHECKING:
    from joserfc.jwk import Key

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
        header = _header(token)
        if header.get("alg") not in ALGORITHMS:
            raise invalid_token("its algorithm is not accepted")
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
        self._check(claims)
        role = self.roles.role_of(claims)
        if role is None:
            raise denied(f"The token gives no role on this server: its claim {self.roles.claim} names none.")
        return Principal(str(claims["sub"]), role, PrincipalKind.TOKEN)

    def _check(self, claims: JsonObject) -> None:
        now = self.clock()
        if str(claims.get("iss", "")).rstrip("/") != self.issuer:
            raise invalid_token("it comes from another issuer")
        if self.audience not in _texts(claims.get("aud")):
            raise invalid_token("it is for another audience")
        subject = claims.get("sub")
        # Logs show it.
        if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT or not subject.isprintable():
            raise invalid_token(f"it has no subject of at most {_LONGEST_SUBJECT} printable characters")
        expires = _time(claims, "exp")
        if expires is None:
            raise invalid_token("it has no expiry time")
        if expires + LEEWAY_S <= now:
            raise invalid_token("it has expired")
        begins = max(_time(claims, "nbf") or 0.0, _time(claims, "iat") or 0.0)
        if begins - LEEWAY_S > now:
            raise invalid_token("it is not valid yet")


def looks_like_token(text: str) -> bool:
    """Whether a bearer token is a signed JWT by its shape (RFC 7515 §7.1), rather than an API key."""
    return text.count(".") == 2 and text.startswith("ey")


def _header(token: str) -> JsonObject:
    """What a token says of its signature, to be believed only once that is verified."""
    encoded = token.partition(".")[0]
    try:
        if len(token) > _LONGEST:
            raise ValueError("too long")
        return as_object(json.loads(urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))))
    except (ValueError, RecursionError) as error:
        raise invalid_token("it is malformed") from error


def _verified(token: str, key: "Key") -> JsonObject:
    from joserfc import jwt
    from joserfc.errors import BadSignatureError, JoseError

    try:
        return as_object(jwt.decode(token, key, algorithms=list(ALGORITHMS)).claims)
    except BadSignatureError as error:
        raise invalid_token("its signature is wrong") from error
    except (JoseError, ValueError) as error:
        raise invalid_token("it is malformed, or its key is for another algorithm") from error


def _texts(value: JsonValue) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for text in as_list(value) if isinstance(text, str)] if isinstance(value, list) else []


def _time(claims: JsonObject, name: str) -> float | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LATEST:
        raise invalid_token(f"its claim {name} is not a time")
    return float(value)
