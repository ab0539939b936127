"""A server's data without the server: for commands that change what a running one holds in memory."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from openplaybook.credentials.errors import MasterKeyUnusable, SealedValueUnreadable
from openplaybook.credentials.master_key import KeyPlaces
from openplaybook.credentials.sealing import Sealer
from openplaybook.credentials.unlocking import unlock
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.storage.base import Store
from openplaybook.storage.lock import DataDirectory
from openplaybook.storage.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class Offline:
    """What a data directory holds, and what opens it."""

    store: Store
    sealer: Sealer


@asynccontextmanager
async def offline(settings: Settings, environment: Mapping[str, str]) -> AsyncGenerator[Offline]:
    """The data, ours alone inside the block.

    Raises `SettingsError` for a master key that does not fit, here or inside the block, and `StoreUnusable` when a
    server runs on the data directory.
    """
    directory = DataDirectory(settings.data_dir)
    directory.acquire()
    store = SqliteStore(directory.database)
    try:
        await store.open()
        sealer = await unlock(store, KeyPlaces(environment, settings.master_key_file, settings.data_dir))
        yield Offline(store, sealer)
    except (MasterKeyUnusable, SealedValueUnreadable) as error:
        raise SettingsError(str(error)) from error
    finally:
        await store.close()
        directory.release()
