"""Kinds of resources as declarations: what the shared create, get, list, patch and delete must know of each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from openplaybook.resources.names import (
    AgentName,
    ExampleName,
    LocationName,
    PlaybookName,
    PlaybookVersionName,
    ToolName,
    ToolVersionName,
)

CX = "google.cloud.dialogflow.cx.v3beta1."
"""The package whose messages handlers see, whatever version the caller speaks."""

CES = "google.cloud.ces.v1beta."
"""The same of CX Agent Studio."""


class OwnName(Protocol):
    """Name of a resource that has a kind; `str` gives it in full."""

    @property
    def parent(self) -> str:
        """Resource name of what it is listed under."""
        ...


@dataclass(frozen=True, slots=True)
class ResourceKind:
    """One kind of resource."""

    noun: str
    """For sentences: `Playbook`."""
    message: str
    """Full name of its message."""
    field: str
    """Its field in create and update requests."""
    listed: str
    """Its field in list responses."""
    list_response: str
    """Full name of the list response."""
    record: str
    """The store's word for it."""
    parse: Callable[[str], OwnName]
    """Reads a name; raises `InvalidName`."""
    child: Callable[[str, str], OwnName]
    """The name of a resource by its parent's name and its id; raises `InvalidName`."""
    has_unique_names: bool = False
    """Whether no two under one parent may have the same display name."""
    is_apart: bool = False
    """Whether the records under one parent have a root of their own, so that their agent or app is neither read with
    them nor stale when they change."""
    writable: frozenset[str] = frozenset()
    """OUTPUT_ONLY fields that a client may set here all the same."""
    optional: frozenset[str] = frozenset()
    """REQUIRED fields that we can fill, or do without; by their paths, without positions in lists."""


AGENT = ResourceKind(
    noun="Agent",
    message=CX + "Agent",
    field="agent",
    listed="agents",
    list_response=CX + "ListAgentsResponse",
    record=AgentName.kind,
    parse=AgentName.parse,
    child=lambda parent, id: AgentName(LocationName.parse(parent), id),
)

PLAYBOOK = ResourceKind(
    noun="Playbook",
    message=CX + "Playbook",
    field="playbook",
    listed="playbooks",
    list_response=CX + "ListPlaybooksResponse",
    record=PlaybookName.kind,
    parse=PlaybookName.parse,
    child=lambda parent, id: PlaybookName(AgentName.parse(parent), id),
    has_unique_names=True,
    writable=frozenset({"referenced_playbooks", "referenced_flows"}),
)

PLAYBOOK_VERSION = ResourceKind(
    noun="Playbook version",
    message=CX + "PlaybookVersion",
    field="playbook_version",
    listed="playbook_versions",
    list_response=CX + "ListPlaybookVersionsResponse",
    record=PlaybookVersionName.kind,
    parse=PlaybookVersionName.parse,
    child=lambda parent, id: PlaybookVersionName(PlaybookName.parse(parent), id),
    writable=frozenset({"playbook", "examples"}),
)

EXAMPLE = ResourceKind(
    noun="Example",
    message=CX + "Example",
    field="example",
    listed="examples",
    list_response=CX + "ListExamplesResponse",
    record=ExampleName.kind,
    parse=ExampleName.parse,
    child=lambda parent, id: ExampleName(PlaybookName.parse(parent), id),
)

TOOL = ResourceKind(
    noun="Tool",
    message=CX + "Tool",
    field="tool",
    listed="tools",
    list_response=CX + "ListToolsResponse",
    record=ToolName.kind,
    parse=ToolName.parse,
    child=lambda parent, id: ToolName(AgentName.parse(parent), id),
    has_unique_names=True,
)

TOOL_VERSION = ResourceKind(
    noun="Tool version",
    message=CX + "ToolVersion",
    field="tool_version",
    listed="tool_versions",
    list_response=CX + "ListToolVersionsResponse",
    record=ToolVersionName.kind,
    parse=ToolVersionName.parse,
    child=lambda parent, id: ToolVersionName(ToolName.parse(parent), id),
    optional=frozenset({"tool"}),
)
