"""The kinds of resources of CX Agent Studio."""

from openplaybook.resources.ces import names
from openplaybook.resources.ces.names import CesCollection
from openplaybook.services.resource_kinds import CES, ResourceKind


def _kind(
    noun: str,
    field: str,
    listed: str,
    of: CesCollection,
    *,
    has_unique_names: bool = False,
    is_apart: bool = False,
    optional: frozenset[str] = frozenset(),
) -> ResourceKind:
    message = noun.title().replace(" ", "")
    return ResourceKind(
        noun=noun,
        message=CES + message,
        field=field,
        listed=listed,
        list_response=f"{CES}List{message}sResponse",
        record=of.kind,
        parse=of.parse,
        child=of.child,
        has_unique_names=has_unique_names,
        is_apart=is_apart,
        optional=optional,
    )


APP = _kind(
    "App",
    "app",
    "apps",
    names.APPS,
    # Google's own tools declare variables without one.
    optional=frozenset({"variable_declarations.description"}),
)
AGENT = _kind("Agent", "agent", "agents", names.AGENTS, has_unique_names=True)
TOOL = _kind("Tool", "tool", "tools", names.TOOLS, has_unique_names=True)
TOOLSET = _kind("Toolset", "toolset", "toolsets", names.TOOLSETS, has_unique_names=True)
EXAMPLE = _kind("Example", "example", "examples", names.EXAMPLES)
GUARDRAIL = _kind("Guardrail", "guardrail", "guardrails", names.GUARDRAILS, has_unique_names=True)
DEPLOYMENT = _kind("Deployment", "deployment", "deployments", names.DEPLOYMENTS)
VERSION = _kind("App version", "app_version", "app_versions", names.VERSIONS, is_apart=True)
CHANGELOG = _kind("Changelog", "changelog", "changelogs", names.CHANGELOGS, is_apart=True)
