"""Connections as they are stored, for whoever opens them: the `ConnectionDirectory` over resources.

The refresh token that a user's consent gave stands in a record beneath its connection, sealed.
"""

from collections.abc import Sequence

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
_CONSENTED = "refreshToken"
"""As the consent gave it: settings have it, and stay the same while the system gives others in its place."""
_CURRENT = "currentToken"


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

    async def neighbours(self, name: str) -> Sequence[str]:
        """The ids of the connections in the location of a name."""
        location = name.partition("/connections/")[0]
        return [
            record.name.rpartition("/")[2] for record in await every_record(self._store, location, CONNECTIONS.kind)
        ]

    async def refresh_token(self, name: str) -> str:
        """The refresh token that a user's consent gave a connection; empty without one. Raises
        `SealedValueUnreadable`."""
        return await self._token(name, _CONSENTED)

    async def current(self, connection: str) -> str:
        """The refresh token that is good now: that one, or what the system gave in its place since."""
        return await self._token(connection, _CURRENT)

    async def keep_refresh_token(self, name: str, token: str) -> None:
        """Keep the refresh token of another consent, in place of the one before."""
        sealed = self._sealer.seal(token, name)
        await self._put(name, {_CONSENTED: sealed, _CURRENT: sealed})

    async def replaced(self, connection: str, token: str) -> None:
        """Keep what the system gave in place of the refresh token that was used."""
        record = await self._store.get(connection + _CONSENT)
        if record is not None:
            sealed = self._sealer.seal(token, connection)
            await self._put(connection, {**as_object(loads(record.body)), _CURRENT: sealed})

    async def _token(self, name: str, member: str) -> str:
        record = await self._store.get(name + _CONSENT)
        return "" if record is None else self._sealer.unseal(str(as_object(loads(record.body))[member]), name)

    async def _put(self, name: str, tokens: JsonObject) -> None:
        await self._store.apply([Put(name + _CONSENT, CONSENT_KIND, name, name, dumps(tokens))])


async def reseal_consents(store: Store, sealer: Sealer) -> int:
    """Seal the refresh tokens of all connections with the current key; how many had another. Raises
    `SealedValueUnreadable`."""
    count = 0
    for location in await locations_in_use(store, ANY):
        for connection in await every_record(store, str(location), CONNECTIONS.kind):
            changes = [
                _resealed(record, sealer)
                for record in await every_record(store, connection.name, CONSENT_KIND)
                if not all(map(sealer.is_current, map(str, as_object(loads(record.body)).values())))
            ]
            await store.apply(changes)
            count += len(changes)
    return count


def _resealed(record: Record, sealer: Sealer) -> Put:
    tokens = {name: sealer.unseal(str(each), record.parent) for name, each in as_object(loads(record.body)).items()}
    body = dumps({name: sealer.seal(each, record.parent) for name, each in tokens.items()})
    return Put(record.name, record.kind, record.parent, record.root, body, expect=record.version)
