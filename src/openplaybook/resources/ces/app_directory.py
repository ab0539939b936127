"""What the resources of an app are called, in any of the spellings that instructions, lists and examples use.

An agent, a guardrail, a tool or a toolset goes by its resource name, by its id, or by its display name. A tool of a
toolset goes by `toolset.operation` or `toolset_operation`. System tools are not stored: they go by their bare name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.ces.names import AGENTS, GUARDRAILS, TOOLS, TOOLSETS
from openplaybook.resources.ces.system_tools import AGENT, SYSTEM, SYSTEM_TOOLS
from openplaybook.resources.ces.toolbox_forms import display_name_of


class EntryKind(Enum):
    """What a name in an app leads to."""

    AGENT = "agent"
    TOOL = "tool"
    TOOLSET = "toolset"
    AGENT_TOOL = "agent tool"
    SYSTEM_TOOL = "system tool"


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    """The resource that a name leads to."""

    kind: EntryKind
    name: str
    """Resource name; of a system tool its bare name."""
    operation: str = ""
    """Of a toolset, the operation that was named; empty: all of it."""


@dataclass(frozen=True, slots=True)
class AppDirectory:
    """All that can be named in an app."""

    agents: Mapping[str, str]
    """Resource name by spelling."""
    tools: Mapping[str, DirectoryEntry]
    """By spelling; those of toolsets under the toolset's own."""
    guardrails: Mapping[str, str]
    """Resource name by spelling."""
    display_names: Mapping[str, str]
    """By resource name."""
    longest_toolset: int
    """Characters of the longest spelling of a toolset: where to stop looking for one in a text."""

    def agent(self, spelling: str) -> str | None:
        """Resource name of an agent; None where there is none of that name."""
        return self.agents.get(spelling.strip())

    def guardrail(self, spelling: str) -> str | None:
        """Resource name of a guardrail; None where there is none of that name."""
        return self.guardrails.get(spelling.strip())

    def tool(self, spelling: str) -> DirectoryEntry | None:
        """What a tool's name leads to; None where it leads nowhere.

        Whether a toolset has the operation is not looked at: what an API offers is known when it is compiled.
        """
        text = spelling.strip()
        found = self.tools.get(text)
        if found is not None:
            return found
        bare = text.rpartition("/tools/")[2]
        if bare in SYSTEM_TOOLS:
            return DirectoryEntry(EntryKind.SYSTEM_TOOL, bare)
        return self._operation(text)

    def _operation(self, text: str) -> DirectoryEntry | None:
        """A toolset's operation; of several toolsets that fit, the one with the longest name."""
        for end in range(min(len(text) - 1, self.longest_toolset), 0, -1):
            found = self.tools.get(text[:end]) if text[end] in "._" else None
            if found is not None and found.kind is EntryKind.TOOLSET:
                return DirectoryEntry(EntryKind.TOOLSET, found.name, text[end + 1 :])
        return None


def directory_of(documents: Iterable[tuple[str, str, JsonObject]]) -> AppDirectory:
    """The directory of an app from (record kind, resource name, document) triples; other kinds are passed over.

    A display name is never hidden by another resource's id, nor a tool by a toolset.
    """
    names: dict[str, dict[str, str]] = {AGENTS.kind: {}, GUARDRAILS.kind: {}}
    tools: dict[str, DirectoryEntry] = {}
    display_names: dict[str, str] = {}
    ordered = sorted(documents, key=lambda each: each[0] == TOOLSETS.kind)
    named = [(kind, name, _called(kind, document), document) for kind, name, document in ordered]
    for spelled in (_full, _display, _id):
        for kind, name, called, document in named:
            if kind in names:
                names[kind].setdefault(spelled(name, called), name)
            elif kind in (TOOLS.kind, TOOLSETS.kind):
                tools.setdefault(spelled(name, called), _target(kind, name, document))
            else:
                continue
            display_names[name] = called
    return AppDirectory(
        {spelling: name for spelling, name in names[AGENTS.kind].items() if spelling},
        {spelling: target for spelling, target in tools.items() if spelling},
        {spelling: name for spelling, name in names[GUARDRAILS.kind].items() if spelling},
        display_names,
        max((len(spelling) for spelling, target in tools.items() if target.kind is EntryKind.TOOLSET), default=0),
    )


def _full(name: str, called: str) -> str:
    return name


def _display(name: str, called: str) -> str:
    return called


def _id(name: str, called: str) -> str:
    return name.rsplit("/", 1)[-1]


def _called(kind: str, document: JsonObject) -> str:
    if kind == TOOLS.kind:
        return display_name_of(document)
    return str(document.get("displayName") or "")


def _target(kind: str, name: str, document: JsonObject) -> DirectoryEntry:
    if kind == TOOLSETS.kind:
        return DirectoryEntry(EntryKind.TOOLSET, name)
    if SYSTEM in document:
        return DirectoryEntry(EntryKind.SYSTEM_TOOL, str(as_object(document[SYSTEM]).get("name") or ""))
    return DirectoryEntry(EntryKind.AGENT_TOOL if AGENT in document else EntryKind.TOOL, name)
