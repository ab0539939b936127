"""Puts the resources of CX Agent Studio on the registry that both transports serve."""

from openplaybook.services.ces import (
    apps,
    changelogs,
    deployments,
    examples,
    kinds,
    packages,
    tools,
    toolsets,
    versions,
)
from openplaybook.services.ces.within_app import AppResources
from openplaybook.services.errors import translated
from openplaybook.services.kinds import CES
from openplaybook.services.parts import Parts
from openplaybook.wire.registry import Registry

AGENT_SERVICE = f"{CES}AgentService"


def register(registry: Registry, parts: Parts) -> None:
    """Register every resource; what is about conversations is registered by a module of its own."""
    for handlers in (
        apps.Apps(parts),
        AppResources(kinds.AGENT, parts),
        tools.Tools(parts),
        toolsets.Toolsets(parts),
        examples.Examples(parts),
        AppResources(kinds.GUARDRAIL, parts),
        versions.Versions(parts),
        deployments.Deployments(parts),
        changelogs.Changelogs(parts),
        packages.AppPackages(parts),
    ):
        for name, handler in handlers.methods().items():
            registry.unary(f"{AGENT_SERVICE}.{name}", translated(handler))
