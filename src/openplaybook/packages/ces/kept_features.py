"""What of an app is kept and written back, and is not run."""

from collections import Counter
from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.packages.ces.app_layout import AGENTS, ENVIRONMENT, GUARDRAILS, TOOLS, TOOLSETS
from openplaybook.packages.ces.app_package import AppPackage, own_key
from openplaybook.packages.reference_graph import circles
from openplaybook.packages.report import Notes
from openplaybook.resources.ces.agent_checks import CALLBACKS
from openplaybook.resources.tool_kinds import ToolMessage, tool_kinds

_GUARDRAIL_KINDS = {
    "llmPromptSecurity": "judges prompts by a model",
    "llmPolicy": "judges by a model",
    "modelSafety": "sets the safety filters of Google's models",
    "codeCallback": "runs code of its own",
}
"""Kinds of guardrails that are kept, by the member that tells them, and what they do."""
_NOUNS = {GUARDRAILS: "guardrail", TOOLS: "tool", TOOLSETS: "toolset"}


def note_kept(package: AppPackage, notes: Notes) -> None:
    """Note what is not run: callbacks, kinds of guardrails and tools, remote agents, evaluations and other files."""
    for agent in package.agents:
        _note_agent(package, agent, notes)
    for collection, kinds in _kept_kinds().items():
        for resource in package.collections()[collection]:
            for member in kinds.keys() & resource.keys():
                message = f"the {_NOUNS[collection]} {kinds[member]} ({member}), which is not done here; it is kept"
                notes.kept(_place(package, resource), message, 1)
    for top, count in Counter(path.split("/", 1)[0] for path in package.other_files).items():
        if top != ENVIRONMENT:
            files = "1 file" if count == 1 else f"{count} files"
            notes.kept(top, f"{files} kept and written back at export, without effect here", count)
    for circle in _circles(package):
        ring = " → ".join(circle)
        notes.problem(AGENTS, f"agents are children of each other: {ring}; each may hand over to the next")


def _kept_kinds() -> dict[str, dict[str, str]]:
    """The same of all collections that have kinds."""
    messages = {TOOLS: ToolMessage.APP_TOOL, TOOLSETS: ToolMessage.APP_TOOLSET}
    by_collection = {
        collection: {field.name: field.kept for field in tool_kinds().fields(message) if field.kept}
        for collection, message in messages.items()
    }
    return {GUARDRAILS: _GUARDRAIL_KINDS, **by_collection}


def _note_agent(package: AppPackage, agent: JsonObject, notes: Notes) -> None:
    callbacks = {key: len(as_list(agent.get(key))) for key in CALLBACKS if agent.get(key)}
    if callbacks:
        kinds = ", ".join(f"{count} {key}" for key, count in callbacks.items())
        message = f"callbacks are not run: {kinds}; what they set or stop does not happen here"
        notes.kept(_place(package, agent), message, sum(callbacks.values()))
    if agent.get("remoteDialogflowAgent"):
        notes.kept(_place(package, agent), "an agent of Dialogflow elsewhere is not reached from here", 1)


def _place(package: AppPackage, resource: JsonObject) -> str:
    return package.layouts[own_key(resource)].file


def _circles(package: AppPackage) -> Iterator[list[str]]:
    """Circles of agents that are children of each other, by display names."""
    children = {agent["name"]: [str(child) for child in as_list(agent.get("childAgents"))] for agent in package.agents}
    titles = {agent["name"]: str(agent.get("displayName", "")) for agent in package.agents}
    return ([titles[name] for name in circle] for circle in circles(children))
