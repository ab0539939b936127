"""Puts the resources of CX Agent Studio on the registry that both transports serve."""

from openplaybook.services.ces import (
    app_packages,
    app_tools,
    app_versions,
    apps,
    changelogs,
    deployments,
    examples,
    kinds,
    toolsets,
)
from openplaybook.services.ces.app_resources import AppResources
from openplaybook.services.errors import translated
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CES
from openplaybook.wire.registry import Registry

AGENT_SERVICE = f"{CES}AgentService"


def register(registry: Registry, parts: ServiceParts) -> None:
    """Register every resource; what is about conversations is registered by a module of its own."""
    for handlers in (
        apps.Apps(parts),
        AppResources(kinds.AGENT, parts),
        app_tools.AppTools(parts),
        toolsets.Toolsets(parts),
        examples.AppExamples(parts),
        AppResources(kinds.GUARDRAIL, parts),
        app_versions.AppVersions(parts),
        deployments.Deployments(parts),
        changelogs.Changelogs(parts),
        app_packages.AppPackages(parts),
    ):
        for name, handler in handlers.methods().items():
            registry.unary(f"{AGENT_SERVICE}.{name}", translated(handler))
