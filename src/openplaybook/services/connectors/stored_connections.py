"""Connections as they are stored, for whoever opens them: the `ConnectionDirectory` over resources.

The refresh token that a user's consent gave stands in a record beneath its connection, sealed.
"""

from collections.abc import AsyncIterator

from openplaybook.connectors.errors import ConnectionSuspended
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.credentials.base import Secrets
from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.resources.names import CONNECTIONS
from openplaybook.services.connectors.system_settings import SettingsReader
from openplaybook.services.locations import ANY, locations_in_use
from openplaybook.services.stored_records import every_record
from openplaybook.storage.base import Put, Record, Store

CONSENT_KIND = "connection_consent"
_CONSENT = "/consent"
"""Behind the name of a connection: what a user's consent gave it."""


class StoredConnections:
    """Looks connections up among the resources."""

    def __init__(self, store: Store, secrets: Secrets, sealer: Sealer) -> None:
        self._store = store
        self._sealer = sealer
        self._reader = SettingsReader(secrets, self.refresh_token)

    async def document(self, name: str) -> JsonObject | None:
        """The `Connection` of a name, as JSON; None where there is none."""
        record = await self._store.get(name) if CONNECTIONS.fits(name) else None
        if record is None or record.kind != CONNECTIONS.kind:
            return None
        return as_object(loads(record.body))

    async def settings(self, name: str) -> ConnectionSettings | None:
        """What a connection is opened with now; None where there is none. Raises `ConnectionSuspended`,
        `CredentialAbsent`, and `CredentialError` where a secret cannot be read."""
        document = await self.document(name)
        if document is None:
            return None
        if document.get("suspended"):
            raise ConnectionSuspended(f"{name} is suspended; update it with suspended: false to use it again")
        return await self._reader.settings(document)

    async def refresh_token(self, name: str) -> str:
        """The refresh token of a connection; empty without one. Raises `SealedValueUnreadable`."""
        record = await self._store.get(name + _CONSENT)
        if record is None:
            return ""
        return self._sealer.unseal(str(as_object(loads(record.body))["refreshToken"]), name)

    async def keep_refresh_token(self, name: str, token: str) -> None:
        """Keep the refresh token of a connection, in place of the one before."""
        body = dumps({"refreshToken": self._sealer.seal(token, name)})
        await self._store.apply([Put(name + _CONSENT, CONSENT_KIND, name, name, body)])


async def consent_records(store: Store) -> AsyncIterator[Record]:
    """The records of all refresh tokens, of all connections: for sealing them with another key."""
    for location in await locations_in_use(store, ANY):
        for connection in await every_record(store, str(location), CONNECTIONS.kind):
            for record in await every_record(store, connection.name, CONSENT_KIND):
                yield record
