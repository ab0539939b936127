"""Puts operations and locations on the registry; both APIs, in every version, have them."""

from openplaybook.services.errors import translated
from openplaybook.services.mixins import locations, operations
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.registry import Registry


def register(registry: Registry, parts: ServiceParts) -> None:
    """Register every handler of this folder."""
    for service, handlers in (
        (operations.SERVICE, operations.Operations(parts)),
        (locations.SERVICE, locations.Locations(parts)),
    ):
        for name, handler in handlers.methods().items():
            registry.unary(f"{service}.{name}", translated(handler))
