"""What doctor says about what the server keeps and reads: its database, the master key, stores of secrets, buckets."""

import asyncio
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from openplaybook.buckets.base import Bucket
from openplaybook.buckets.errors import BucketError
from openplaybook.credentials.errors import CredentialError, MasterKeyUnusable
from openplaybook.credentials.master_key import KeyPlaces, find_master_keys
from openplaybook.credentials.sealer import key_id
from openplaybook.credentials.secrets.base import SecretBackend
from openplaybook.credentials.store_sealer import NO_SHARED_KEY
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.resources.secret_names import SecretVersionName
from openplaybook.server.configured_credentials import key_places, secrets_of
from openplaybook.server.doctor.checks import Check
from openplaybook.server.errors import SettingsError
from openplaybook.server.readiness import Readiness
from openplaybook.server.settings import Settings
from openplaybook.server.stores import buckets_of, look_at_database
from openplaybook.server.system_access import listed_files
from openplaybook.server.transports import LateTransport
from openplaybook.storage.data_directory import DataDirectory
from openplaybook.storage.errors import StoreUnusable


async def check_database(settings: Settings) -> list[Check]:
    """The shared database, where the settings name one, as a server that starts would find it."""
    if not settings.database_url:
        return []
    try:
        return [Check("database", True, await look_at_database(settings))]
    except (SettingsError, StoreUnusable) as error:
        return [Check("database", False, str(error), "correct database_url, or what it leads to")]


async def check_open_database(settings: Settings, readiness: Readiness) -> list[Check]:
    """The database that the server has open."""
    await readiness.look()
    _, status = readiness.answer()
    if "database" in status:
        return [Check("database", False, str(status["message"]), "look into the server's log; docs/operating.md")]
    if settings.database_url:
        return await check_database(settings)
    return [Check("database", True, f"SQLite, {DataDirectory(settings.data_dir).database}, sound and takes writes")]


def check_master_key(settings: Settings, environment: Mapping[str, str]) -> list[Check]:
    """Where the master key comes from, its id, and who can read its file; the key itself is not shown."""
    try:
        places = key_places(settings, environment)
    except SettingsError:
        return []  # said of the database already
    return [_master_key(places)]


def _master_key(places: KeyPlaces) -> Check:
    try:
        keys = find_master_keys(places)
    except MasterKeyUnusable as error:
        return Check("master key", False, str(error), "correct the key, or who can read it")
    if keys is None and places.database:
        return Check("master key", False, NO_SHARED_KEY, "give one")
    if keys is None:
        return Check("master key", True, f"none yet: the first start creates {places.own_file}")
    seals, *opens = map(key_id, keys.keys)
    older = f", decrypts what {', '.join(opens)} encrypted" if opens else ""
    return Check("master key", True, f"{seals} from {keys.source}{_mode(keys.source)}{older}")


def _mode(source: str) -> str:
    path = Path(source)
    return f" (mode {stat.S_IMODE(path.stat().st_mode):04o})" if path.is_absolute() else ""


async def check_secret_stores(settings: Settings) -> list[Check]:
    """Whether each store of secrets can be asked; no secret is read."""
    way_out = LateTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))
    try:
        return [await _backend(backend) for backend in secrets_of(settings, _UnopenedSecrets(), way_out).backends]
    except SettingsError as error:
        return [Check("secrets", False, str(error), "correct secret_backends")]
    finally:
        await way_out.aclose()


async def _backend(backend: SecretBackend) -> Check:
    try:
        await backend.check()
    except CredentialError as error:
        return Check("secrets", False, f"{backend.about}: {error}", "correct secret_backends, or make it reachable")
    return Check("secrets", True, backend.about)


class _UnopenedSecrets:
    """The local store, which is fine when the data directory is."""

    about = "local (encrypted in the data directory)"

    async def access(self, name: SecretVersionName) -> str | None:
        """Nothing: no secret is read here."""
        return None

    async def check(self) -> None:
        """There is nothing to reach."""


async def check_buckets(settings: Settings, environment: Mapping[str, str]) -> list[Check]:
    """Whether objects of each bucket of exports and imports can be read and written."""
    way_out = LateTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))
    try:
        known = buckets_of(settings, way_out, environment).known
        return [await _bucket(name, bucket) for name, bucket in known.items()]
    except SettingsError as error:
        return [Check("bucket", False, str(error), "correct bucket")]
    finally:
        await way_out.aclose()


async def check_connections(settings: Settings) -> list[Check]:
    """Whether the SQLite files that connections may open are there, and the folder of vendors' documents."""
    return await asyncio.to_thread(_connection_files, settings)


def _connection_files(settings: Settings) -> list[Check]:
    try:
        files = listed_files(settings.sqlite_files)
    except SettingsError as error:
        return [Check("connections", False, str(error), "correct sqlite_files")]
    checks = [
        Check("connections", True, f"SQLite file {name}: {path}")
        if path.is_file() and os.access(path, os.R_OK)
        else Check("connections", False, f"SQLite file {name}: {path} is no file to be read", "correct sqlite_files")
        for name, path in files.items()
    ]
    folder = settings.connector_documents
    if folder is not None and not folder.is_dir():
        checks.append(Check("connections", False, f"{folder} is no folder", "correct connector_documents"))
    return checks


async def _bucket(name: str, bucket: Bucket) -> Check:
    try:
        await bucket.check()
    except BucketError as error:
        return Check("bucket", False, f"{name}: {error}", "correct bucket, or what the server's account may do there")
    return Check("bucket", True, f"{name}: {bucket.about}")
