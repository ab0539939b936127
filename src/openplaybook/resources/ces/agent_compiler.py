"""Agents of an app of CX Agent Studio as the engine reads them: playbooks that give way to each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import dropwhile

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.ces.agent_instructions import compile_instructions
from openplaybook.resources.ces.app_directory import AppDirectory, DirectoryEntry, EntryKind
from openplaybook.resources.ces.system_tools import AGENT, END_FUNCTION, END_SESSION
from openplaybook.resources.ces.transfers import Relatives, transfers_of
from openplaybook.resources.compiled_forms import (
    AgentTool,
    EndFunction,
    LlmSettings,
    Playbook,
    Reference,
    ReferenceKind,
)
from openplaybook.resources.fulfillments import Fulfillment, Guard, MessageTemplate
from openplaybook.resources.guardrails import Guardrail
from openplaybook.resources.playbook_handlers import Handler, HandlerStage

REMOTE = "remoteDialogflowAgent"
"""Field of an agent that is a Dialogflow agent elsewhere."""


@dataclass(frozen=True, slots=True)
class AppFacts:
    """What an agent has from its app."""

    directory: AppDirectory
    agents: Mapping[str, JsonObject]
    """v1beta JSON of the app's agents by resource name."""
    tools: Mapping[str, JsonObject]
    """v1beta JSON of the app's tools by resource name."""
    relatives: Mapping[str, Relatives]
    models: Mapping[str, str | None]
    """As `models_of` tells."""
    global_instruction: str = ""
    guardrails: Mapping[str, Guardrail] = field(default_factory=dict[str, Guardrail])
    """Those that are applied, by resource name."""
    app_guardrails: tuple[str, ...] = ()
    """Those that hold for every agent, as the app names them."""


def compile_agent(name: str, app: AppFacts) -> Playbook:
    """The playbook that an `Agent` of the app is. Never raises for what the resource holds."""
    document = app.agents[name]
    if REMOTE in document:
        return _remote(name, document)
    tools, offered = _tools(document, app.directory)
    targets = [target for each in _texts(document.get("tools")) if (target := app.directory.tool(each)) is not None]
    return Playbook(
        name=name,
        display_name=str(document.get("displayName") or ""),
        goal=str(document.get("description") or ""),
        steps=compile_instructions(
            (app.global_instruction, str(document.get("instruction") or "")), lambda each: _called(each, app)
        ),
        is_routine=True,
        referenced_tools=tools,
        settings=replace(compile_model_settings(document.get("modelSettings")), model=app.models[name]),
        description=str(document.get("description") or ""),
        has_variables=True,
        transfers=transfers_of(name, app.agents, app.relatives, app.directory),
        agent_tools=tuple(_agent_tool(each, app) for each in targets if each.kind is EntryKind.AGENT_TOOL),
        end_function=_end_function(targets),
        offered_actions=offered,
        guardrails=_guardrails(document, app),
    )


def compile_model_settings(value: JsonValue) -> LlmSettings:
    """`ModelSettings` (v1beta JSON) of an app or an agent."""
    settings = as_object(value)
    temperature = settings.get("temperature")
    return LlmSettings(
        model=str(settings["model"]) if settings.get("model") else None,
        temperature=float(temperature) if isinstance(temperature, int | float) else None,
    )


def models_of(agents: Mapping[str, JsonObject], relatives: Mapping[str, Relatives]) -> dict[str, str | None]:
    """The model of each agent by resource name: its own, else its first parent's (`ModelSettings.model`); None: the
    app's."""
    models: dict[str, str | None] = {}
    for agent in agents:
        way, above = dict[str, None](), [agent]
        while above and above[0] not in models and above[0] not in way:
            way[above[0]] = None
            own = compile_model_settings(agents[above[0]].get("modelSettings")).model
            if own is not None:
                models[above[0]] = own
            above = relatives[above[0]].parents[:1]
        # Parents that go round in a circle have the next model of it.
        circle = dropwhile(lambda each, above=above: [each] != above, way)
        model = next((models[each] for each in (*above, *circle) if each in models), None)
        for each in reversed(way):
            model = models.setdefault(each, model)
    return models


def agent_of_tool(agent_tool: JsonObject) -> str:
    """The agent that an `AgentTool` calls, as it stands there: v1 calls the field `rootAgent`."""
    return str(agent_tool.get("agent") or agent_tool.get("rootAgent") or "")


def _remote(name: str, document: JsonObject) -> Playbook:
    """A playbook that says that it cannot be run: it stands for a Dialogflow agent of another place."""
    remote = str(as_object(document[REMOTE]).get("agent") or "")
    text = f"This part of the conversation belongs to the Dialogflow agent {remote}, which is not run here."
    fulfillment = Fulfillment(messages=(MessageTemplate({"text": {"text": [text]}}),))
    return Playbook(
        name=name,
        display_name=str(document.get("displayName") or ""),
        goal=str(document.get("description") or ""),
        steps=(),
        is_routine=True,
        handlers=(Handler(0, HandlerStage.SELECTION, Guard(), fulfillment),),
        description=str(document.get("description") or ""),
    )


def _tools(document: JsonObject, directory: AppDirectory) -> tuple[tuple[str, ...], dict[str, frozenset[str]]]:
    """Resource names of an agent's tools and toolsets, and of toolsets the operations it has, where it has not all."""
    names: list[str] = []
    offered: dict[str, frozenset[str]] = {}
    for spelling in _texts(document.get("tools")):
        target = directory.tool(spelling)
        if target is not None and target.kind in (EntryKind.TOOL, EntryKind.TOOLSET):
            names.append(target.name)
            if target.operation:
                offered[target.name] = offered.get(target.name, frozenset()) | {target.operation}
    for selected in map(as_object, as_list(document.get("toolsets"))):
        target = directory.tool(str(selected.get("toolset") or ""))
        if target is None or target.kind is not EntryKind.TOOLSET:
            continue
        names.append(target.name)
        if ids := _texts(selected.get("toolIds")):
            offered[target.name] = frozenset(_operation(each, target, directory) for each in ids)
    return tuple(dict.fromkeys(names)), offered


def _operation(tool_id: str, toolset: DirectoryEntry, directory: AppDirectory) -> str:
    """An operation's own name, where it is given with its toolset's before it."""
    entry = directory.tool(tool_id)
    return entry.operation if entry is not None and entry.name == toolset.name and entry.operation else tool_id


def _called(reference: Reference, app: AppFacts) -> str:
    """The name by which the engine knows what a reference leads to: a display name, or that of one function.

    Empty for system tools that are no function: transfers have one for each agent.
    """
    if reference.kind is ReferenceKind.PLAYBOOK:
        agent = app.directory.agent(reference.name)
        return reference.name if agent is None else app.directory.display_names[agent]
    target = app.directory.tool(reference.name)
    if target is None:
        return reference.name
    if target.kind is EntryKind.SYSTEM_TOOL:
        return END_FUNCTION.name if target.name == END_SESSION else ""
    called = app.directory.display_names[target.name]
    return f"{called}_{target.operation}" if target.operation else called


def _agent_tool(target: DirectoryEntry, app: AppFacts) -> AgentTool:
    message = as_object(app.tools[target.name].get(AGENT))
    agent = agent_of_tool(message)
    return AgentTool(
        name=app.directory.display_names[target.name],
        description=str(message.get("description") or ""),
        playbook=app.directory.agent(agent) or agent,
        tool=target.name,
    )


def _end_function(targets: list[DirectoryEntry]) -> EndFunction | None:
    ends = any(each.kind is EntryKind.SYSTEM_TOOL and each.name == END_SESSION for each in targets)
    return END_FUNCTION if ends else None


def _guardrails(document: JsonObject, app: AppFacts) -> tuple[Guardrail, ...]:
    """The app's before the agent's own, each once."""
    named = [*app.app_guardrails, *_texts(document.get("guardrails"))]
    names = dict.fromkeys(app.directory.guardrail(each) or each for each in named)
    return tuple(app.guardrails[name] for name in names if name in app.guardrails)


def _texts(value: JsonValue) -> list[str]:
    return [str(each) for each in as_list(value) if each]
