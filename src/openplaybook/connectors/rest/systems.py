"""The systems that have a manifest: their definitions, and the opening of connections to them."""

import logging
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

_LOG = logging.getLogger("openplaybook.connectors")

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


def manifests() -> Mapping[str, SystemManifest]:
    """All manifests by id that can be read."""
    return _shipped()[0]


def unreadable_manifests() -> Mapping[str, InvalidManifest]:
    """What is wrong with the others, by the names of their files: one that cannot be read leaves the rest alone."""
    return _shipped()[1]


@cache
def _shipped() -> tuple[Mapping[str, SystemManifest], Mapping[str, InvalidManifest]]:
    read, unreadable = manifests_in(FOLDER)
    for each in unreadable.values():
        _LOG.error("a manifest cannot be read, so that its system is not in the catalogue: %s", each)
    return read, unreadable


def manifests_in(folder: Path) -> tuple[Mapping[str, SystemManifest], Mapping[str, InvalidManifest]]:
    """The manifests of a folder by id, and what is wrong with those that cannot be read."""
    read: dict[str, SystemManifest] = {}
    unreadable: dict[str, InvalidManifest] = {}
    for file in sorted(folder.glob("*.yaml")):
        try:
            read[file.stem] = manifest_of(file.read_text("utf-8"), file.stem)
        except InvalidManifest as error:
            unreadable[file.stem] = error
        except ValueError as error:
            unreadable[file.stem] = InvalidManifest(file.stem, f"is no UTF-8: {error}")
    return read, unreadable


def manifest_of(text: str, name: str) -> SystemManifest:
    """The manifest of a YAML text; `name` is its id. Raises `InvalidManifest`."""
    try:
        value = yaml12.parse_yaml(text)
    except ValueError as error:
        raise InvalidManifest(name, f"is no YAML: {error}") from error
    return read_manifest(value, name)
