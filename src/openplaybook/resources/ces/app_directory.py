"""What the resources of an app are called, in any of the spellings that instructions, lists and examples use.

An agent, a guardrail, a tool or a toolset goes by its resource name, by its id, or by its display name. A tool of a
toolset goes by `toolset.operation` or `toolset_operation`. System tools are not stored: they go by their bare name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.ces.system_tools import AGENT, SYSTEM, SYSTEM_TOOLS
from openplaybook.resources.ces.toolbox_forms import display_name_of
from openplaybook.resources.names import APP_AGENTS, APP_GUARDRAILS, APP_TOOLS, APP_TOOLSETS


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
        entry = self.tools.get(text)
        if entry is not None:
            return entry
        bare = text.rpartition("/tools/")[2]
        if bare in SYSTEM_TOOLS:
            return DirectoryEntry(EntryKind.SYSTEM_TOOL, bare)
        return self._operation(text)

    def _operation(self, text: str) -> DirectoryEntry | None:
        """A toolset's operation; of several toolsets that fit, the one with the longest name."""
        for end in range(min(len(text) - 1, self.longest_toolset), 0, -1):
            entry = self.tools.get(text[:end]) if text[end] in "._" else None
            if entry is not None and entry.kind is EntryKind.TOOLSET:
                return DirectoryEntry(EntryKind.TOOLSET, entry.name, text[end + 1 :])
        return None


def directory_of(documents: Iterable[tuple[str, str, JsonObject]]) -> AppDirectory:
    """The directory of an app from (record kind, resource name, document) triples; other kinds are passed over.

    A display name is never hidden by another resource's id, nor a tool by a toolset.
    """
    names: dict[str, dict[str, str]] = {APP_AGENTS.kind: {}, APP_GUARDRAILS.kind: {}}
    tools: dict[str, DirectoryEntry] = {}
    display_names: dict[str, str] = {}
    ordered = sorted(documents, key=lambda each: each[0] == APP_TOOLSETS.kind)
    spelled = [
        (kind, (name, _called(kind, document), name.rsplit("/", 1)[-1]), document) for kind, name, document in ordered
    ]
    for place in range(3):
        for kind, spellings, document in spelled:
            name, called, _ = spellings
            if kind in names:
                names[kind].setdefault(spellings[place], name)
            elif kind in (APP_TOOLS.kind, APP_TOOLSETS.kind):
                tools.setdefault(spellings[place], _entry(kind, name, document))
            else:
                continue
            display_names[name] = called
    return AppDirectory(
        {spelling: name for spelling, name in names[APP_AGENTS.kind].items() if spelling},
        {spelling: target for spelling, target in tools.items() if spelling},
        {spelling: name for spelling, name in names[APP_GUARDRAILS.kind].items() if spelling},
        display_names,
        max((len(spelling) for spelling, target in tools.items() if target.kind is EntryKind.TOOLSET), default=0),
    )


def _called(kind: str, document: JsonObject) -> str:
    if kind == APP_TOOLS.kind:
        return display_name_of(document)
    return str(document.get("displayName") or "")


def _entry(kind: str, name: str, document: JsonObject) -> DirectoryEntry:
    if kind == APP_TOOLSETS.kind:
        return DirectoryEntry(EntryKind.TOOLSET, name)
    if SYSTEM in document:
        return DirectoryEntry(EntryKind.SYSTEM_TOOL, str(as_object(document[SYSTEM]).get("name") or ""))
    return DirectoryEntry(EntryKind.AGENT_TOOL if AGENT in document else EntryKind.TOOL, name)
