"""Our page tokens: where a listing goes on, signed, and good for the same query alone."""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from dataclasses import dataclass

from openplaybook.connectors.base import EntityQuery
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonValue, as_object, dumps, loads

_DIGEST = 16
_MOST = 8_000
"""Characters of a token."""


@dataclass(frozen=True, slots=True)
class ListPosition:
    """Where in a listing."""

    cursor: JsonValue = None
    """Of the system's page; None for the first."""
    skip: int = 0
    """Entities of that page that were given already."""
    source: str = ""
    """Which of the ways to list it is."""
    size: int = 0
    """Entities of a page of the system, which stays the same over a listing: numbers of pages mean nothing without; 0
    before the first."""


class SystemPageTokens:
    """Makes and reads the tokens of one connection."""

    def __init__(self, settings: ConnectionSettings) -> None:
        """Tokens of a connection hold as long as its settings and its credential: whoever knows neither can make
        none. With a session's access token they end with that."""
        own = settings.authentication
        parts = (settings.name, sorted(settings.config.items()), own, own and _secrets(own))
        self._key = hashlib.sha256(repr(parts).encode()).digest()

    def made(self, position: ListPosition, query: EntityQuery) -> str:
        """The token of a position."""
        text = dumps({"c": position.cursor, "s": position.skip, "w": position.source, "n": position.size})
        return urlsafe_b64encode(self._digest(text, query) + text).decode().rstrip("=")

    def read(self, query: EntityQuery) -> ListPosition:
        """The position that a query's token says. Raises `InvalidValue`."""
        token = query.page_token
        if not token:
            return ListPosition()
        try:
            data = urlsafe_b64decode(token + "=" * (-len(token) % 4)) if len(token) <= _MOST else b""
        except (Base64Error, ValueError):
            data = b""
        digest, text = data[:_DIGEST], data[_DIGEST:]
        if not text or not hmac.compare_digest(digest, self._digest(text, query)):
            raise InvalidValue("pageToken", "is not one that this query gave; ask for the first page without one")
        members = as_object(loads(text))
        size = int(members.get("n") or 0)
        return ListPosition(members.get("c"), int(members.get("s") or 0), str(members.get("w") or ""), size)

    def _digest(self, text: bytes, query: EntityQuery) -> bytes:
        bound = repr((query.entity_type, query.condition, query.sort, sorted(query.fields)))
        return hmac.new(self._key, text + b"\0" + bound.encode(), hashlib.sha256).digest()[:_DIGEST]


def _secrets(authentication: object) -> Mapping[str, str]:
    """Fields that `repr` leaves out; only their digest is kept."""
    names = getattr(type(authentication), "__slots__", ())
    return {name: hashlib.sha256(str(getattr(authentication, name)).encode()).hexdigest() for name in sorted(names)}
