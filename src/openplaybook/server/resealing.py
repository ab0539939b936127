"""Exchanging the master key: everything that an older key sealed is sealed anew."""

from collections.abc import Mapping

from openplaybook.credentials.identity.signing_keys import SigningKeys
from openplaybook.credentials.secrets.local_secrets import LocalSecrets
from openplaybook.credentials.store_sealer import renew_check
from openplaybook.server.offline_data import offline
from openplaybook.server.settings import Settings
from openplaybook.services.resource_seals import reseal_resources


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
