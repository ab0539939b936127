"""API keys: what requests carry, and whose they are."""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import parse_qs

from openplaybook.server.access.principals import Principal


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key, of which its digest is known; keys are long and random, so that the digest does not give them away."""

    digest: bytes = field(repr=False)
    """SHA-256."""
    principal: Principal

    @classmethod
    def of(cls, key: str, principal: Principal) -> "ApiKey":
        """The key with this text."""
        return cls(sha256(key.encode()).digest(), principal)


class ApiKeys:
    """The keys that a server accepts."""

    def __init__(self, keys: Sequence[ApiKey]) -> None:
        self._keys = tuple(keys)

    def find(self, candidates: Sequence[str]) -> Principal | None:
        """Whose key is among the candidates; None when none is."""
        for candidate in candidates:
            digest = sha256(candidate.encode()).digest()
            # Every key is compared, and in constant time: how long it takes tells nothing about them.
            found = [key for key in self._keys if hmac.compare_digest(digest, key.digest)]
            if found:
                return found[0].principal
        return None


def candidates(headers: Mapping[str, str], query: bytes = b"") -> list[str]:
    """What may be a key in a request, as Google's clients send it: the `x-goog-api-key` header, the bearer token, and
    the `key` of the query string. Names of `headers` are in lower case."""
    given = (headers.get("x-goog-api-key", ""), bearer(headers), _query_key(query))
    return [text for text in given if text]


def bearer(headers: Mapping[str, str]) -> str:
    """The bearer token (RFC 6750 §2.1); empty when there is none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _query_key(query: bytes) -> str:
    if b"key=" not in query:
        return ""
    return parse_qs(query.decode("ascii", "replace")).get("key", [""])[0]
