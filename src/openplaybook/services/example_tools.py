"""Tools that examples call, compiled outside the event loop, so that the calls can be checked."""

from collections.abc import Mapping
from copy import deepcopy
from functools import partial

from openplaybook.credentials.secret_fields import secret_places
from openplaybook.jsonvalues import JsonObject, is_large
from openplaybook.tools.base import InvalidTool, Tool, ToolBuilder
from openplaybook.tools.example_calls import ExampleCalls
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import AT_ONCE, DOCUMENTS, LARGE_AGENTS

_LARGEST = 1_000_000
"""Characters of a tool that is compiled when an example is saved. Calls of larger ones are checked by validation."""

_HIDDEN = "hidden"


async def example_calls(
    toolbox: ToolBuilder,
    documents: Mapping[str, JsonObject],
    names: Mapping[str, str] | None = None,
    *,
    is_whole: bool = True,
) -> ExampleCalls:
    """What checks calls of these tools, by resource name and as the toolbox takes them; `names` as for `ExampleCalls`.

    Not `is_whole`, as examples are saved: tools that take long to compile are left out.
    """
    tools: dict[str, Tool] = {}
    for name, document in documents.items():
        if not is_whole and is_large(document, _LARGEST):
            continue
        tool = await _compiled(toolbox, document)
        if tool is not None:
            tools[name] = tool
    return ExampleCalls(documents, tools, names)


async def _compiled(toolbox: ToolBuilder, document: JsonObject) -> Tool | None:
    """The tool with its actions read; None where it cannot be used, or there is no time for it now."""
    lane = LARGE_AGENTS if is_large(document, AT_ONCE) else DOCUMENTS
    try:
        return await lane.run(partial(_with_actions, toolbox, document))
    except (InvalidTool, WorkError):
        # What is wrong with a tool is reported where the tool is checked; here its calls are not.
        return None


def _with_actions(toolbox: ToolBuilder, document: JsonObject) -> Tool:
    try:
        # As it is, it may have been built for others.
        tool = toolbox.build(document)
    except InvalidTool:
        if not any(secret_places(document)):
            raise
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
