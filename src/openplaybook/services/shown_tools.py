"""Tools that examples call, compiled outside the event loop, so that the calls can be checked."""

from collections import OrderedDict
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b

from openplaybook.credentials.secret_fields import secret_places
from openplaybook.jsonvalues import JsonObject, dumps, is_large
from openplaybook.tools.base import InvalidTool, Tool, ToolBuilder
from openplaybook.tools.shown_calls import ShownCalls
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import AT_ONCE, DOCUMENTS, LARGE_AGENTS

_MOST_KEPT = 4
"""Compiled tools: examples are saved one after the other, and mostly call the same few tools."""
_LARGEST_KEPT = 1_000_000
"""Characters of a tool that is compiled when an example is saved. Calls of larger ones are checked by validation."""

_HIDDEN = "hidden"


@dataclass(slots=True)
class RecentTools:
    """The tools whose calls were checked last, by what they were compiled from."""

    _tools: OrderedDict[bytes, Tool] = field(default_factory=OrderedDict[bytes, Tool])

    def get(self, key: bytes) -> Tool | None:
        """The tool that was compiled from that."""
        if key in self._tools:
            self._tools.move_to_end(key)
        return self._tools.get(key)

    def put(self, key: bytes, tool: Tool) -> None:
        """Keep a tool, in place of the one that was not used for longest."""
        self._tools[key] = tool
        while len(self._tools) > _MOST_KEPT:
            self._tools.popitem(last=False)


async def shown_calls(
    toolbox: ToolBuilder,
    documents: Mapping[str, JsonObject],
    names: Mapping[str, str] | None = None,
    kept: RecentTools | None = None,
) -> ShownCalls:
    """What checks calls of these tools, by resource name and as the toolbox takes them; `names` as for `ShownCalls`.

    With `kept`, as examples are saved: tools are taken from there, and those that take long to compile are left out.
    """
    tools: dict[str, Tool] = {}
    for name, document in documents.items():
        if kept is not None and is_large(document, _LARGEST_KEPT):
            continue
        tool = await _compiled(toolbox, document, kept)
        if tool is not None:
            tools[name] = tool
    return ShownCalls(documents, tools, names)


async def _compiled(toolbox: ToolBuilder, document: JsonObject, kept: RecentTools | None) -> Tool | None:
    """The tool with its actions read; None where it cannot be used, or there is no time for it now."""
    key = b"" if kept is None else blake2b(dumps(document)).digest()
    found = None if kept is None else kept.get(key)
    if found is not None:
        return found
    lane = LARGE_AGENTS if is_large(document, AT_ONCE) else DOCUMENTS
    try:
        tool = await lane.run(partial(_with_actions, toolbox, document))
    except (InvalidTool, WorkError):
        # What is wrong with a tool is reported where the tool is checked; here its calls are not.
        return None
    if kept is not None:
        kept.put(key, tool)
    return tool


def _with_actions(toolbox: ToolBuilder, document: JsonObject) -> Tool:
    tool = toolbox.build(_without_secrets(document))
    tool.actions()
    return tool


def _without_secrets(document: JsonObject) -> JsonObject:
    """The tool with a stand-in for each secret, stored or missing: its actions are the same."""
    copied = deepcopy(document)
    for place in secret_places(copied):
        is_named = place.field.version_key is not None and bool(place.holder.get(place.field.version_key))
        if place.is_secret or not (place.value or is_named):
            place.holder[place.field.key] = _HIDDEN
    return copied
