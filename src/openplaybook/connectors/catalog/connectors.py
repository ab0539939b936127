"""All kinds of systems, and the opening of a connection to any of them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from openplaybook.connectors.base import SystemConnection
from openplaybook.connectors.definitions import ConnectorDefinition, Opener, SystemAccess
from openplaybook.connectors.errors import InvalidConnection, UnknownName
from openplaybook.connectors.plugins.systems import DEFINITIONS as OTHER_SYSTEMS
from openplaybook.connectors.plugins.systems import open_plugin
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.connectors.sql.systems import DEFINITIONS as DATABASES
from openplaybook.connectors.sql.systems import open_sql

PROVIDER = "gcp"
"""Of all connectors, as Integration Connectors has it."""


@dataclass(frozen=True, slots=True)
class _Family:
    """Kinds of systems that one engine speaks to."""

    definitions: Callable[[], Sequence[ConnectorDefinition]]
    opener: Opener


def _check_manifest(connector: str) -> None:
    from openplaybook.connectors.rest.systems import unreadable_manifests

    unreadable = unreadable_manifests().get(connector)
    if unreadable is not None:
        raise InvalidConnection("connectorVersion", f"its manifest cannot be read: {unreadable}")


def _of_manifests() -> Sequence[ConnectorDefinition]:
    # Its reader and engine are of no use to a server without connections.
    from openplaybook.connectors.rest.systems import definitions

    return definitions()


async def _open_by_manifest(settings: ConnectionSettings, access: SystemAccess) -> SystemConnection:
    from openplaybook.connectors.rest.systems import open_rest

    return await open_rest(settings, access)


_IN_CODE: Mapping[str, Opener] = {each.id: open_sql for each in DATABASES} | {
    each.id: open_plugin for each in OTHER_SYSTEMS
}
"""How systems are opened that are known without reading manifests."""
_FAMILIES = (
    _Family(lambda: DATABASES, open_sql),
    _Family(_of_manifests, _open_by_manifest),
    _Family(lambda: OTHER_SYSTEMS, open_plugin),
)


@cache
def _listed() -> Mapping[str, tuple[ConnectorDefinition, Opener]]:
    listed = [(each, family.opener) for family in _FAMILIES for each in family.definitions()]
    return {each.id: (each, opener) for each, opener in sorted(listed, key=lambda each: each[0].title.casefold())}


@cache
def catalogue() -> Mapping[str, ConnectorDefinition]:
    """Every kind of system by its id, in the order of their titles. Reads the manifests when first asked."""
    return {id: definition for id, (definition, _) in _listed().items()}


def definition_of(connector: str) -> ConnectorDefinition:
    """Raises `UnknownName` for an id that is not in the catalogue, `InvalidConnection` for one whose manifest cannot be
    read."""
    known = catalogue()
    if connector in known:
        return known[connector]
    _check_manifest(connector)
    raise UnknownName("connector", connector, known)


async def open_connection(settings: ConnectionSettings, access: SystemAccess) -> SystemConnection:
    """A connection to whatever kind of system; nothing need be sent yet. Raises `UnknownName`, `InvalidConnection`
    and `DriverAbsent`."""
    opener = _IN_CODE.get(settings.connector)
    if opener is None:
        # In a thread: where this is the first connection to such a system, the manifests are read.
        await asyncio.to_thread(definition_of, settings.connector)
        opener = _listed()[settings.connector][1]
    return await opener(settings, access)
