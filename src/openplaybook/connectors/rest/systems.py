"""The systems that have a manifest: their definitions, and the opening of connections to them."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import yaml12

from openplaybook.connectors.base import SystemConnection
from openplaybook.connectors.definitions import ConnectorDefinition, SystemAccess
from openplaybook.connectors.errors import UnknownName
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.manifest.manifest_node import InvalidManifest
from openplaybook.connectors.rest.manifest.model import SystemManifest
from openplaybook.connectors.rest.manifest.reader import read_manifest
from openplaybook.connectors.rest.sheet_rows import open_sheets
from openplaybook.connectors.settings import ConnectionSettings

FOLDER = Path(__file__).parent.parent / "manifests"
"""Package data: one YAML a system, named as its id."""

TransportOpener = Callable[[SystemManifest, ConnectionSettings, SystemAccess], SystemConnection]

TRANSPORTS: Mapping[str, TransportOpener] = MappingProxyType(
    {"rest": RestConnection, "odata": RestConnection, "graphql": RestConnection}
)
"""`transport` of a manifest → what speaks it. OData is REST with notations of its own, GraphQL one with calls."""


HOOKS: Mapping[str, TransportOpener] = MappingProxyType({"google-sheets": open_sheets})
"""Systems for which a manifest does not say everything."""


def definitions() -> tuple[ConnectorDefinition, ...]:
    """The definitions of all systems with a manifest, by id; read once."""
    return tuple(each.definition for each in manifests().values())


async def open_rest(settings: ConnectionSettings, access: SystemAccess) -> SystemConnection:
    """A connection to the system that the settings name. Raises `InvalidConnection`, `CredentialAbsent` and
    `UnknownName`."""
    manifest = manifests().get(settings.connector)
    if manifest is None:
        raise UnknownName("connector", settings.connector, manifests())
    opener = HOOKS.get(settings.connector) or TRANSPORTS[manifest.transport]
    return opener(manifest, settings, access)


@cache
def manifests() -> Mapping[str, SystemManifest]:
    """All manifests by id. Raises `InvalidManifest` for one that is not well formed."""
    return {file.stem: manifest_of(file.read_text("utf-8"), file.stem) for file in sorted(FOLDER.glob("*.yaml"))}


def manifest_of(text: str, name: str) -> SystemManifest:
    """The manifest of a YAML text; `name` is its id. Raises `InvalidManifest`."""
    try:
        value = yaml12.parse_yaml(text)
    except ValueError as error:
        raise InvalidManifest(name, f"is no YAML: {error}") from error
    return read_manifest(value, name)
