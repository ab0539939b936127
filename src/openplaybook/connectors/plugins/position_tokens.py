"""Page tokens: behind which entity a listing goes on, encrypted, and good for the same query alone."""

import base64
import binascii
from hashlib import sha512

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from openplaybook.connectors.base import EntityQuery
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonValue, as_list, dumps, loads

_MOST_CHARACTERS = 20_000


class PositionTokens:
    """Makes and reads the tokens of one connection, under AES-SIV (RFC 5297): nobody reads in one what he may not see,
    and all servers take the tokens of each."""

    def __init__(self, settings: ConnectionSettings) -> None:
        """Tokens hold as long as the settings and the credential: whoever knows neither can make none. With a
        session's access token they end with that."""
        own = settings.authentication
        slots = () if own is None else getattr(type(own), "__slots__", ())
        parts = (settings.name, settings.connector, sorted(settings.config.items()), [getattr(own, s) for s in slots])
        self._cipher = AESSIV(sha512(b"openplaybook positions\0" + repr(parts).encode()).digest())

    def token(self, position: list[JsonValue], query: EntityQuery) -> str:
        """For the values of a position."""
        sealed = self._cipher.encrypt(dumps(position), [_bound(query)])
        return base64.urlsafe_b64encode(sealed).decode("ascii").rstrip("=")

    def position(self, query: EntityQuery) -> list[JsonValue]:
        """The values of a query's token, none without one. Raises `InvalidValue`."""
        token = query.page_token
        if not token:
            return []
        try:
            if len(token) > _MOST_CHARACTERS:
                raise ValueError
            sealed = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
            return as_list(loads(self._cipher.decrypt(sealed, [_bound(query)])))
        except (InvalidTag, ValueError, binascii.Error):
            raise InvalidValue("pageToken", "is not of a page of this query; ask for the first one without") from None


def _bound(query: EntityQuery) -> bytes:
    return repr((query.entity_type, query.condition, query.sort, sorted(query.fields))).encode()
