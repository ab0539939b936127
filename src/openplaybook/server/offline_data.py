"""A server's data without the server, and the exchange of its keys, which a running one holds in memory."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from openplaybook.credentials.errors import MasterKeyUnusable, SealedValueUnreadable
from openplaybook.credentials.identity.signing_keys import SigningKeys
from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.secrets.local_secrets import LocalSecrets
from openplaybook.credentials.store_sealer import renew_check, unlock
from openplaybook.server.configured_credentials import key_places
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.stores import open_store
from openplaybook.services.resource_seals import reseal_resources
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


async def reseal(settings: Settings, environment: Mapping[str, str]) -> int:
    """Seal secrets, signing keys, and credentials in tools and agents, with the first of the master keys.

    Returns how many records that were. Sessions are sealed anew by their next turn, and end within a day. Raises what
    `offline` raises.
    """
    async with offline(settings, environment) as data:
        count = await LocalSecrets(data.store, data.sealer).reseal()
        count += await SigningKeys(data.store, data.sealer).reseal()
        count += await reseal_resources(data.store, data.sealer)
        await renew_check(data.store, data.sealer)
        return count


async def rotate_signing_key(settings: Settings, environment: Mapping[str, str]) -> str:
    """Make a new key that signs; its id. Raises what `offline` raises."""
    async with offline(settings, environment) as data:
        keys = SigningKeys(data.store, data.sealer)
        await keys.rotate()
        return (await keys.signing()).id
