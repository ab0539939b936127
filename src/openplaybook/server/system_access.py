"""What connections reach their systems with: the way out for tools, and what the operator lists for them."""

from collections.abc import Sequence
from pathlib import Path

from openplaybook.connectors.catalog.connections import ConnectionAccess, Connections
from openplaybook.connectors.catalog.connectors import open_connection
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.credentials.base import Identity
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import Transport
from openplaybook.egress.resolver import CheckedResolver, SystemResolver
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.services.connectors.stored_connections import StoredConnections


def connections_of(
    settings: Settings, stored: StoredConnections, transport: Transport, identity: Identity
) -> ConnectionAccess:
    """The stored connections, and who opens them. Raises `SettingsError`."""
    access = SystemAccess(
        transport=transport,
        resolver=CheckedResolver(SystemResolver(), AddressPolicy(parse_allow(settings.egress_allow))),
        identity=identity,
        refresh_tokens=stored,
        files=listed_files(settings.sqlite_files),
        documents=settings.connector_documents,
    )
    return ConnectionAccess(stored, Connections(open_connection, access))


def listed_files(text: str) -> dict[str, Path]:
    """The SQLite files of a setting such as `pets=/srv/pets.db,shop=shop.db`, by name. Raises `SettingsError`."""
    files: dict[str, Path] = {}
    for entry in _entries(text):
        name, _, place = entry.partition("=")
        if not name.strip() or not place.strip() or "/" in name:
            raise SettingsError(f"sqlite_files: {entry!r} must be NAME=FILE")
        files[name.strip()] = Path(place.strip()).absolute()
    return files


def _entries(text: str) -> Sequence[str]:
    return [each for each in map(str.strip, text.split(",")) if each]
