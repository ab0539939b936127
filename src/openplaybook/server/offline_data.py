"""A server's data without the server: for commands that change what a running one holds in memory."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from openplaybook.credentials.errors import MasterKeyUnusable, SealedValueUnreadable
from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.store_sealer import unlock
from openplaybook.server.errors import SettingsError
from openplaybook.server.secrets import key_places
from openplaybook.server.settings import Settings
from openplaybook.server.stores import open_store
from openplaybook.storage.base import Store
from openplaybook.storage.data_directory import DataDirectory


@dataclass(frozen=True, slots=True)
class OfflineData:
    """What a data directory holds, and what opens it."""

    store: Store
    sealer: Sealer


@asynccontextmanager
async def offline(settings: Settings, environment: Mapping[str, str]) -> AsyncGenerator[OfflineData]:
    """The data, ours alone inside the block; those in a shared database are other servers' too.

    Raises `SettingsError` for a master key that does not fit, here or inside the block, and `StoreUnusable` when a
    server runs on the data directory.
    """
    directory = DataDirectory(settings.data_dir)
    directory.acquire()
    try:
        async with open_store(settings, directory) as store:
            yield OfflineData(store, await unlock(store, key_places(settings, environment)))
    except (MasterKeyUnusable, SealedValueUnreadable) as error:
        raise SettingsError(str(error)) from error
    finally:
        directory.release()
