"""Entity types as a system describes them, several at a time: most systems are asked for each on its own."""

import asyncio
from collections.abc import Mapping, Sequence

from openplaybook.connectors.base import EntityType, SystemCall, SystemConnection
from openplaybook.connectors.errors import OperationUnsupported, PermissionRefused, SystemFault, UnknownName

AT_ONCE = 4
"""Descriptions that are asked for at a time: no more than a person who looks around would."""

_LEFT_OUT = (UnknownName, PermissionRefused, OperationUnsupported, SystemFault)
"""What one entity type fails with while its system works: it was dropped meanwhile, or is not for this credential."""


async def described_types(
    system: SystemConnection, names: Sequence[str], call: SystemCall
) -> Mapping[str, EntityType | None]:
    """The entity types of these names, in their order; None for one that cannot be described, while others can.

    Raises `ConnectorError` for all else.
    """
    places = asyncio.Semaphore(AT_ONCE)

    async def described(name: str) -> EntityType | None:
        async with places:
            try:
                return await system.entity_type(name, call)
            except _LEFT_OUT:
                return None

    tasks = [asyncio.ensure_future(described(name)) for name in dict.fromkeys(names)]
    try:
        found = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
    return dict(zip(dict.fromkeys(names), found, strict=True))
