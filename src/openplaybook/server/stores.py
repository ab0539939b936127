"""Where the server's data are, in its data directory or in a database that it shares with others; and the buckets of
exports and imports."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from openplaybook.buckets.configured_buckets import cloud_storage_of, parse_buckets
from openplaybook.credentials.identity.google_tokens import OwnGoogleAccess
from openplaybook.egress.base import Transport
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.services.bucket_objects import Buckets
from openplaybook.storage.base import Store
from openplaybook.storage.data_directory import DataDirectory
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import CommitWatch


@asynccontextmanager
async def open_store(
    settings: Settings, directory: DataDirectory, watch: CommitWatch | None = None
) -> AsyncGenerator[Store]:
    """The store, open inside the block; `directory` is acquired. Raises `SettingsError` and `StoreUnusable`."""
    store = _store(settings, directory, watch)
    await store.open()
    try:
        if not settings.database_url:
            # The data directory is ours alone, so whoever held these is dead: clients that try again need not wait.
            await store.end_leases()
        yield store
    finally:
        await store.close()


def place_of(settings: Settings) -> str:
    """The shared database, by a name without its password; empty where there is none. Raises `SettingsError`."""
    if not settings.database_url:
        return ""
    try:
        from openplaybook.storage.postgres.database_address import read_address

        return read_address(settings.database_url).place
    except ImportError as error:
        raise _without_client(error) from error
    except StoreUnusable as error:
        raise SettingsError(f"database_url: {error}") from error


async def look_at_database(settings: Settings) -> str:
    """What the shared database is, found without changing it. Raises `SettingsError` and `StoreUnusable`."""
    place_of(settings)
    from openplaybook.storage.postgres.database_address import read_address
    from openplaybook.storage.postgres.soundness import examine

    return await examine(read_address(settings.database_url))


def _store(settings: Settings, directory: DataDirectory, watch: CommitWatch | None) -> Store:
    if not settings.database_url:
        return SqliteStore(directory.database, watch=watch)
    place_of(settings)
    # Here, since the client costs a tenth of a second, which a server without a database shall not pay.
    from openplaybook.storage.postgres import PostgresStore
    from openplaybook.storage.postgres.database_address import read_address

    return PostgresStore(read_address(settings.database_url), connections=settings.database_connections, watch=watch)


def _without_client(error: ImportError) -> SettingsError:
    return SettingsError(
        f"database_url: the client for PostgreSQL is not installed ({error}); it comes with the extra "
        "postgres (docs/installing.md)"
    )


def buckets_of(settings: Settings, way_out: Transport, environment: Mapping[str, str]) -> Buckets:
    """Folders, and Google's buckets; `way_out` leads to Cloud Storage. Raises `SettingsError`."""
    try:
        return Buckets(parse_buckets(settings.bucket, cloud_storage_of(way_out, environment, OwnGoogleAccess)))
    except ValueError as error:
        raise SettingsError(f"bucket: {error}") from error
