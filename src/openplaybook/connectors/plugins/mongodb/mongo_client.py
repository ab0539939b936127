"""The driver's client of one connection: which server, which login, which options."""

import asyncio
from typing import Any, TypeAlias
from urllib.parse import quote

from bson.codec_options import CodecOptions, DatetimeConversion
from pymongo import AsyncMongoClient
from pymongo.asynchronous.database import AsyncDatabase

from openplaybook.connectors.plugins.mongodb.relay import ServerRelay
from openplaybook.connectors.settings import ConnectionSettings, UserPassword

Document: TypeAlias = dict[str, Any]
"""Of the driver's types."""
_SELECTION_MS = 3_000
_OPTIONS: CodecOptions[Document] = CodecOptions(
    document_class=dict,
    tz_aware=True,
    uuid_representation=4,
    unicode_decode_error_handler="replace",
    datetime_conversion=DatetimeConversion.DATETIME_AUTO,
)


class MongoClientHolder:
    """The driver's client of one connection, made when it is first used."""

    def __init__(self, settings: ConnectionSettings, relay: ServerRelay, login: UserPassword | None) -> None:
        self._settings = settings
        self._relay = relay
        self._login = login
        self._client: AsyncMongoClient[Document] | None = None
        self._making = asyncio.Lock()

    async def database(self) -> AsyncDatabase[Document]:
        """The database that is meant. Raises a subclass of `ConnectorError`."""
        async with self._making:
            if self._client is None:
                self._client = self._made(await self._relay.start())
            return self._client.get_database(self._settings.text("database"), _OPTIONS)

    async def aclose(self) -> None:
        """Close it."""
        if self._client is not None:
            await self._client.close()
        await self._relay.aclose()

    def _made(self, path: str) -> AsyncMongoClient[Document]:
        login: dict[str, Any] = {}
        if self._login is not None:
            source = self._settings.text("auth_source") or "admin"
            login = {"username": self._login.user, "password": self._login.password, "authSource": source}
        return AsyncMongoClient(
            f"mongodb://{quote(path, safe='')}",
            # This one server: names that it tells of others are not dialled.
            directConnection=True,
            appname="openplaybook",
            maxPoolSize=10,
            maxIdleTimeMS=120_000,
            serverSelectionTimeoutMS=_SELECTION_MS,
            waitQueueTimeoutMS=10_000,
            serverMonitoringMode="poll",
            heartbeatFrequencyMS=60_000,
            retryWrites=False,
            retryReads=False,
            **login,
        )


def mongo_login(settings: ConnectionSettings) -> UserPassword | None:
    """None where the server asks for no user. Raises `CredentialAbsent` and `InvalidConnection`."""
    return None if settings.authentication is None and settings.flag("without_login") else settings.login()
