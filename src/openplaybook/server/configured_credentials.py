"""Credentials as the settings say: what seals secrets and where they are looked up, who the server is to the services
that tools call, and where private ones listen."""

import os
from collections.abc import Mapping
from functools import partial

from openplaybook.credentials.base import NoServiceDirectory, ServiceDirectory
from openplaybook.credentials.directory.configured_directory import ConfiguredDirectory, parse_services
from openplaybook.credentials.directory.google_directory import SERVICE_DIRECTORY, GoogleServiceDirectory
from openplaybook.credentials.errors import InvalidBackend, MasterKeyUnusable
from openplaybook.credentials.identity.google_tokens import GoogleTokens
from openplaybook.credentials.identity.issuer import Issuer
from openplaybook.credentials.identity.server_identity import ServerIdentity, parse_accounts
from openplaybook.credentials.master_key import KeyPlaces
from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.secrets.base import SecretBackend
from openplaybook.credentials.secrets.configured_backends import BackendSources, build_backends
from openplaybook.credentials.secrets.secret_chain import SecretChain
from openplaybook.credentials.service_identity import CLOUD_PLATFORM
from openplaybook.credentials.store_sealer import unlock
from openplaybook.credentials.token_cache import TokenCache
from openplaybook.egress.base import Transport
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.stores import place_of
from openplaybook.storage.base import Store

_GOOGLE = "google"
_TOKEN_TIMEOUT_S = 20.0


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
    sources = BackendSources(os.environ, way_out, GoogleTokens().own_access_token)
    try:
        return SecretChain(build_backends(settings.secret_backends, local, sources))
    except InvalidBackend as error:
        raise SettingsError(f"secret_backends: {error}") from error


def identity_of(settings: Settings, issuer: Issuer) -> ServerIdentity:
    """Who tools are; raises `SettingsError`."""
    try:
        accounts = parse_accounts(settings.service_accounts)
    except ValueError as error:
        raise SettingsError(f"service_accounts: {error}") from error
    return ServerIdentity(issuer, accounts, GoogleTokens(), is_google=settings.google_identity)


def directory_of(settings: Settings, way_out: Transport) -> ServiceDirectory:
    """Where private services listen; `way_out` leads to Google's directory. Raises `SettingsError`."""
    entries = [entry.strip() for entry in settings.service_directory.split(",") if entry.strip()]
    listed = [entry for entry in entries if "=" in entry]
    remote = [entry for entry in entries if "=" not in entry]
    otherwise: ServiceDirectory = NoServiceDirectory()
    for entry in remote:
        kind, _, url = entry.partition(":")
        if kind != _GOOGLE or len(remote) > 1 or (url and not url.startswith(("http://", "https://"))):
            raise SettingsError(f"service_directory: {entry!r} must be SERVICE=ADDRESS:PORT, google or google:URL")
        otherwise = _google(way_out, url.rstrip("/") or SERVICE_DIRECTORY)
    try:
        return ConfiguredDirectory(parse_services(listed), otherwise)
    except ValueError as error:
        raise SettingsError(f"service_directory: {error}") from error


def _google(transport: Transport, base_url: str) -> GoogleServiceDirectory:
    tokens, google = TokenCache(), GoogleTokens()
    fetch = partial(google.own_access_token, (CLOUD_PLATFORM,))

    async def token() -> str:
        return await tokens.get("directory", fetch, _TOKEN_TIMEOUT_S)

    return GoogleServiceDirectory(transport, token, base_url)
