"""Tools of Dialogflow CX as tools and toolsets of CX Agent Studio, and the names that a conversion gives."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.report import Notes
from openplaybook.packages.unique_names import UniqueNames
from openplaybook.resources.builtin_tools import builtin_id, is_builtin_id
from openplaybook.resources.tool_kinds import BUILT_IN_TYPE, ConvertedTool, StoredKind, ToolMessage, tool_kinds

APP = "projects/-/locations/-/apps/-"
"""The app, wherever it is going to be: whoever reads the package gives it a name."""

_ILLEGAL = re.compile(r"[^A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class ToolTarget:
    """What a tool has become."""

    names: tuple[str, ...]
    """Resource names: one, or one of each tool that it was split into."""
    called: tuple[str, ...]
    """What instructions call it, in the form of `{@TOOL: …}`: the tools, or the operations of a toolset."""
    toolset: bool = False


@dataclass(slots=True)
class ConvertedTools:
    """All tools of an agent, converted."""

    tools: list[JsonObject] = field(default_factory=list[JsonObject])
    toolsets: list[JsonObject] = field(default_factory=list[JsonObject])
    targets: dict[str, ToolTarget] = field(default_factory=dict[str, ToolTarget])
    """By the resource name that the tool had; those that were not carried over are not in it."""
    titles: dict[str, str] = field(default_factory=dict[str, str])
    """Resource names by what instructions call them: display names and, in older agents, ids."""
    variables: list[str] = field(default_factory=list[str])
    """Session parameters that calls take values from."""


def convert_tools(tools: Iterable[JsonObject], notes: Notes) -> ConvertedTools:
    """Convert every tool; what changes its meaning, or is not carried over, is noted."""
    converting = _Converting(notes)
    for tool in tools:
        converting.convert(tool)
    return converting.done


def function_name(display_name: str) -> str:
    """A display name in the form that names of tools have: letters, digits and `_`, no digit in front."""
    name = _ILLEGAL.sub("_", display_name).strip("_") or "tool"
    return f"_{name}" if name[0].isdigit() else name


def builtin_kind(reference: str) -> StoredKind | None:
    """The kind of the built-in tool that a reference means; None where it means another tool."""
    last = reference.rsplit("/", 1)[-1]
    id = last if is_builtin_id(last) else builtin_id(reference)
    return tool_kinds().of({"toolType": BUILT_IN_TYPE, "name": id})


class _Converting:
    def __init__(self, notes: Notes) -> None:
        self.done = ConvertedTools()
        self._notes = notes
        self._names = UniqueNames()

    def convert(self, tool: JsonObject) -> None:
        """Convert one tool of any kind."""
        display_name, place = str(tool.get("displayName", "")), f"tools/{tool.get('displayName', '')}"
        self.done.titles.setdefault(display_name.strip(), tool["name"])
        self.done.titles.setdefault(str(tool["name"]).rsplit("/", 1)[-1], tool["name"])
        name = self._names.take(function_name(display_name))
        if name != display_name:
            self._notes.changed(place, f"is called {name} now, as tools of CX Agent Studio have names of functions")
        kind = tool_kinds().of(tool)
        if kind is None or kind.conversion is None:
            self._notes.left_out(place, "is of a kind that CX Agent Studio does not have")
            return
        converted = kind.conversion(tool, name, place, self._notes)
        self.done.variables += converted.variables
        into = tool_kinds().field({converted.into: {}})
        is_toolset = into is not None and into.message is ToolMessage.APP_TOOLSET
        self.done.targets[tool["name"]] = self._toolset(name, converted) if is_toolset else self._tools(name, converted)

    def _toolset(self, name: str, converted: ConvertedTool) -> ToolTarget:
        toolset = f"{APP}/toolsets/{name}"
        [message] = converted.messages
        self.done.toolsets.append({"name": toolset, "displayName": name, converted.into: message, **converted.beside})
        called = tuple(f"{name}_{operation}" for operation in converted.operations)
        return ToolTarget((toolset,), called, toolset=True)

    def _tools(self, name: str, converted: ConvertedTool) -> ToolTarget:
        names = [name, *(self._names.take(name) for _ in converted.messages[1:])]
        resources = tuple(f"{APP}/tools/{each}" for each in names)
        self.done.tools += [
            {"name": resource, "displayName": own, converted.into: {"name": own, **message}, **converted.beside}
            for resource, own, message in zip(resources, names, converted.messages, strict=True)
        ]
        return ToolTarget(resources, tuple(names))
