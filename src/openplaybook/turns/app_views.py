"""Agents of an app joined with all they may call: the tools that each has, the agents it may transfer to or call."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Declaration, DeclarationKind
from openplaybook.resources.ces.names import TOOLSETS
from openplaybook.resources.compiled import AgentTool, Playbook
from openplaybook.tools.base import Action, Tool
from openplaybook.tools.naming import legal_name, legal_names
from openplaybook.turns.answering import REQUEST
from openplaybook.turns.snapshot import PlaybookView
from openplaybook.turns.views import (
    AgentParts,
    dialogues_of,
    free_name,
    names_of_playbooks,
    playbook_declaration,
    tool_declaration,
)

_AGENT_INPUT: JsonObject = {
    "type": "object",
    "properties": {REQUEST: {"type": "string", "description": "What the agent is to do, with all it has to know."}},
    "required": [REQUEST],
}


@dataclass(frozen=True, slots=True)
class _Functions:
    """Everything that can be called in an app, under the same name wherever it is offered."""

    actions: Mapping[str, Action]
    """By model-facing name."""
    tool_declarations: Mapping[str, Declaration]
    """By model-facing name."""
    agent_tools: Mapping[str, str]
    """Model-facing name by resource name of the tool."""
    transfers: Mapping[str, Declaration]
    """By resource name of the agent."""


def views_of_agents(parts: AgentParts) -> dict[str, PlaybookView]:
    """The views of all agents of an app."""
    functions = _functions(parts)
    return {name: _view(agent, parts, functions) for name, agent in parts.playbooks.items()}


def actions_by_name(tools: Iterable[Tool]) -> dict[str, Action]:
    """Every action of an app's tools by model-facing name: the tool's display name; of a toolset
    `{toolset}_{operation}`."""
    every = [action for tool in tools for action in tool.actions()]
    wanted = [
        f"{each.tool_display_name}_{each.action}" if TOOLSETS.fits(each.tool) else each.tool_display_name
        for each in every
    ]
    names = legal_names(wanted, [f"{each.tool}\0{each.action}" for each in every])
    return dict(zip(names, every, strict=True))


def _functions(parts: AgentParts) -> _Functions:
    actions = actions_by_name(parts.tools.values())
    ends = {each.end_function.name for each in parts.playbooks.values() if each.end_function}
    agent_tools: dict[str, str] = {}
    for each in (tool for agent in parts.playbooks.values() for tool in agent.agent_tools):
        if each.tool not in agent_tools:
            agent_tools[each.tool] = free_name(legal_name(each.name), {*actions, *ends, *agent_tools.values()})
    agents = names_of_playbooks(parts.playbooks, parts, {*actions, *ends, *agent_tools.values()})
    return _Functions(
        actions,
        {name: tool_declaration(name, action) for name, action in actions.items()},
        agent_tools,
        {agent: playbook_declaration(name, parts.playbooks[agent]) for name, agent in agents.items()},
    )


def _view(agent: Playbook, parts: AgentParts, functions: _Functions) -> PlaybookView:
    own = {name: action for name, action in functions.actions.items() if _is_offered(action, agent)}
    agent_tools = {
        functions.agent_tools[each.tool]: each for each in agent.agent_tools if each.playbook in parts.playbooks
    }
    targets = {functions.transfers[each].name: each for each in agent.transfers if each in parts.playbooks}
    declarations = (
        *(functions.tool_declarations[name] for name in own),
        *(_agent_declaration(name, each, parts.playbooks[each.playbook]) for name, each in agent_tools.items()),
        *(functions.transfers[target] for target in targets.values()),
    )
    taken = {*functions.actions, *agent_tools, *targets}
    close_name = free_name(agent.end_function.name, taken) if agent.end_function else ""
    called = {(action.tool, action.action): name for name, action in own.items()}
    called |= {(each.tool, each.name): name for name, each in agent_tools.items()}
    return PlaybookView(
        playbook=agent,
        declarations=(*declarations, *_ending(agent, close_name)),
        # One that is called as a tool ends with its words, and leaves the conversation to its caller.
        declarations_with_end=declarations,
        actions=own,
        children={**{name: each.playbook for name, each in agent_tools.items()}, **targets},
        end_name=free_name("end_playbook", taken),
        close_name=close_name,
        transitions=frozenset(targets.values()),
        examples=tuple(dialogues_of(agent, parts, called, {target: name for name, target in targets.items()})),
        unusable_tools={
            name: parts.unusable_tools[name] for name in agent.referenced_tools if name in parts.unusable_tools
        },
        answering={name: each.tool for name, each in agent_tools.items()},
        callable=functions.actions,
    )


def _is_offered(action: Action, agent: Playbook) -> bool:
    if action.tool not in agent.referenced_tools:
        return False
    chosen = agent.offered_actions.get(action.tool)
    return chosen is None or action.action in chosen or action.name in chosen


def _agent_declaration(name: str, tool: AgentTool, agent: Playbook) -> Declaration:
    return Declaration(
        name=name,
        description=tool.description or agent.description,
        input_schema=_AGENT_INPUT,
        output_schema=None,
        kind=DeclarationKind.PLAYBOOK,
        reference=tool.name,
    )


def _ending(agent: Playbook, name: str) -> tuple[Declaration, ...]:
    if agent.end_function is None:
        return ()
    return (
        Declaration(
            name=name,
            description=agent.end_function.description,
            input_schema=agent.end_function.input_schema,
            output_schema=None,
            kind=DeclarationKind.CLOSE,
            reference=agent.display_name,
        ),
    )
