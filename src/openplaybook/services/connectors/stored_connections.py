"""Connections as they are stored, for whoever opens them: the `ConnectionDirectory` over resources.

The refresh token that a user's consent gave stands in a record beneath its connection, sealed.
"""

from openplaybook.connectors.errors import ConnectionSuspended
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.credentials.base import Secrets
from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.resources.names import CONNECTIONS
from openplaybook.services.connectors.system_settings import SystemSettingsReader
from openplaybook.services.locations import ANY, locations_in_use
from openplaybook.services.stored_records import every_record
from openplaybook.storage.base import Put, Record, Store

CONSENT_KIND = "connection_consent"
_CONSENT = "/consent"
"""Behind the name of a connection: what a user's consent gave it."""
_TOKEN = "refreshToken"


class StoredConnections:
    """Looks connections up among the resources."""

    def __init__(self, store: Store, secrets: Secrets, sealer: Sealer) -> None:
        self._store = store
        self._sealer = sealer
        self._reader = SystemSettingsReader(secrets, self.refresh_token)

    async def document(self, name: str) -> JsonObject | None:
        """The `Connection` of a name, as JSON; None where there is none."""
        record = await self._store.get(name) if CONNECTIONS.fits(name) else None
        if record is None or record.kind != CONNECTIONS.kind:
            return None
        return as_object(loads(record.body))

    async def settings(self, name: str, *, with_credential: bool = True) -> ConnectionSettings | None:
        """What a connection is opened with now; None where there is none. Raises `ConnectionSuspended`,
        `CredentialAbsent`, and `CredentialError` where a secret cannot be read."""
        document = await self.document(name)
        if document is None:
            return None
        if document.get("suspended"):
            raise ConnectionSuspended(f"{name} is suspended; update it with suspended: false to use it again")
        return await self._reader.settings(document, with_credential=with_credential)

    async def refresh_token(self, name: str) -> str:
        """The refresh token of a connection; empty without one. Raises `SealedValueUnreadable`."""
        record = await self._store.get(name + _CONSENT)
        if record is None:
            return ""
        return self._sealer.unseal(str(as_object(loads(record.body))[_TOKEN]), name)

    async def keep_refresh_token(self, name: str, token: str) -> None:
        """Keep the refresh token of a connection, in place of the one before."""
        body = dumps({_TOKEN: self._sealer.seal(token, name)})
        await self._store.apply([Put(name + _CONSENT, CONSENT_KIND, name, name, body)])


async def reseal_consents(store: Store, sealer: Sealer) -> int:
    """Seal the refresh tokens of all connections with the current key; how many had another. Raises
    `SealedValueUnreadable`."""
    count = 0
    for location in await locations_in_use(store, ANY):
        for connection in await every_record(store, str(location), CONNECTIONS.kind):
            changes = [
                _resealed(record, sealer)
                for record in await every_record(store, connection.name, CONSENT_KIND)
                if not sealer.is_current(str(as_object(loads(record.body))[_TOKEN]))
            ]
            await store.apply(changes)
            count += len(changes)
    return count


def _resealed(record: Record, sealer: Sealer) -> Put:
    token = sealer.unseal(str(as_object(loads(record.body))[_TOKEN]), record.parent)
    body = dumps({_TOKEN: sealer.seal(token, record.parent)})
    return Put(record.name, record.kind, record.parent, record.root, body, expect=record.version)
