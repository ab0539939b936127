"""Who the server is to the services that tools call, and where private ones listen, as its settings say."""

from collections.abc import Mapping
from functools import partial

from openplaybook.credentials.base import NoServiceDirectory, ServiceDirectory
from openplaybook.credentials.directory.configured_directory import ConfiguredDirectory, parse_services
from openplaybook.credentials.directory.google_directory import SERVICE_DIRECTORY, GoogleServiceDirectory
from openplaybook.credentials.identity.accounts import parse_accounts
from openplaybook.credentials.identity.google_tokens import GoogleTokens
from openplaybook.credentials.identity.issuer import Issuer
from openplaybook.credentials.identity.server_identity import ServerIdentity
from openplaybook.credentials.identity.signing_keys import SigningKeys
from openplaybook.credentials.service_identity import CLOUD_PLATFORM
from openplaybook.credentials.token_cache import TokenCache
from openplaybook.egress.base import Transport
from openplaybook.server.errors import SettingsError
from openplaybook.server.offline_data import offline
from openplaybook.server.settings import Settings

_GOOGLE = "google"
_TOKEN_TIMEOUT_S = 20.0


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
    asked = [entry for entry in entries if "=" not in entry]
    otherwise: ServiceDirectory = NoServiceDirectory()
    for entry in asked:
        kind, _, url = entry.partition(":")
        if kind != _GOOGLE or len(asked) > 1 or (url and not url.startswith(("http://", "https://"))):
            raise SettingsError(f"service_directory: {entry!r} must be SERVICE=ADDRESS:PORT, google or google:URL")
        otherwise = _google(way_out, url.rstrip("/") or SERVICE_DIRECTORY)
    try:
        return ConfiguredDirectory(parse_services(listed), otherwise)
    except ValueError as error:
        raise SettingsError(f"service_directory: {error}") from error


async def rotate_signing_key(settings: Settings, environment: Mapping[str, str]) -> str:
    """Make a new key that signs; its id. Raises what `offline` raises."""
    async with offline(settings, environment) as data:
        keys = SigningKeys(data.store, data.sealer)
        await keys.rotate()
        return (await keys.signing()).id


def _google(transport: Transport, base_url: str) -> GoogleServiceDirectory:
    tokens, google = TokenCache(), GoogleTokens()
    fetch = partial(google.own_access_token, (CLOUD_PLATFORM,))

    async def token() -> str:
        return await tokens.get("directory", fetch, _TOKEN_TIMEOUT_S)

    return GoogleServiceDirectory(transport, token, base_url)
