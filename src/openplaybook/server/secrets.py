"""What seals secrets, and where they are looked up, as the settings say."""

import os
from collections.abc import Mapping

from openplaybook.credentials.errors import InvalidBackend, MasterKeyUnusable
from openplaybook.credentials.identity.google_tokens import GoogleTokens
from openplaybook.credentials.master_key import KeyPlaces
from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.secrets.base import SecretBackend
from openplaybook.credentials.secrets.configured_backends import BackendSources, build_backends
from openplaybook.credentials.secrets.secret_chain import SecretChain
from openplaybook.credentials.store_sealer import unlock
from openplaybook.egress.base import Transport
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.stores import place_of
from openplaybook.storage.base import Store


async def sealer_of(settings: Settings, store: Store) -> Sealer:
    """What seals and opens, with a key that fits the store. Raises `SettingsError`."""
    try:
        return await unlock(store, key_places(settings, os.environ))
    except MasterKeyUnusable as error:
        raise SettingsError(str(error)) from error


def key_places(settings: Settings, environment: Mapping[str, str]) -> KeyPlaces:
    """Where to look for the master key. Raises `SettingsError`."""
    return KeyPlaces(environment, settings.master_key_file, settings.data_dir, place_of(settings))


def secrets_of(settings: Settings, local: SecretBackend, way_out: Transport) -> SecretChain:
    """The stores of secrets that the operator chose. Raises `SettingsError`."""
    surroundings = BackendSources(os.environ, way_out, GoogleTokens().own_access_token)
    try:
        return SecretChain(build_backends(settings.secret_backends, local, surroundings))
    except InvalidBackend as error:
        raise SettingsError(f"secret_backends: {error}") from error
