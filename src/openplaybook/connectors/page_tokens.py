"""Page tokens: where a listing goes on, encrypted, and good for the same query, connection and credential alone."""

import base64
import binascii
from hashlib import sha512

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from openplaybook.connectors.base import EntityQuery
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonValue, dumps, loads

_MOST_CHARACTERS = 20_000


class PageTokens:
    """Makes and reads the tokens of one connection, under AES-SIV (RFC 5297): nobody reads in one what he may not see,
    changes it or uses it elsewhere, and all servers take the tokens of each."""

    def __init__(self, settings: ConnectionSettings, *, binds_fields: bool = True) -> None:
        """Tokens hold as long as the settings and the credential: whoever knows neither can make none. With a
        session's access token they end with that. `binds_fields` where a position is of the fields that were asked
        for, such as a system's own address of its next page."""
        self._binds_fields = binds_fields
        proof = settings.authentication
        names = [name for each in type(proof).__mro__ for name in getattr(each, "__slots__", ())]
        secrets = [type(proof).__name__, *(getattr(proof, name) for name in names)]
        parts = (settings.name, settings.connector, sorted(settings.config.items()), secrets)
        self._cipher = AESSIV(sha512(b"openplaybook page tokens\0" + repr(parts).encode()).digest())

    def token(self, position: JsonValue, query: EntityQuery) -> str:
        """For a position in what a query lists. Raises `InvalidValue` for one that no token holds."""
        sealed = self._cipher.encrypt(dumps(position), [self._bound(query)])
        token = base64.urlsafe_b64encode(sealed).decode("ascii").rstrip("=")
        if len(token) > _MOST_CHARACTERS:
            raise InvalidValue(
                "sort", "the list goes on behind a value that is too long to be told; order it otherwise"
            )
        return token

    def position(self, query: EntityQuery) -> JsonValue:
        """What a query's token says; None without one. Raises `InvalidValue`."""
        token = query.page_token
        if not token:
            return None
        try:
            if len(token) > _MOST_CHARACTERS:
                raise ValueError
            sealed = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
            return loads(self._cipher.decrypt(sealed, [self._bound(query)]))
        except (InvalidTag, ValueError, binascii.Error):
            raise InvalidValue(
                "pageToken", "is not one that this query gave; ask for the first page without one"
            ) from None

    def _bound(self, query: EntityQuery) -> bytes:
        fields = sorted(query.fields) if self._binds_fields else []
        return repr((query.entity_type, query.condition, query.sort, fields)).encode()
