"""Apps of CX Agent Studio: what a snapshot is made of, from their stored resources, and their agents joined with all
they may call: the tools that each has, the agents it may transfer to or call."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.base import Declaration, DeclarationKind
from openplaybook.resources.call_spellings import AS_GIVEN, ActionFacts
from openplaybook.resources.ces.agent_compiler import AppFacts, compile_agent, compile_model_settings, models_of
from openplaybook.resources.ces.app_directory import AppDirectory, DirectoryEntry, EntryKind, directory_of
from openplaybook.resources.ces.app_variables import declared_variables, secret_variables
from openplaybook.resources.ces.content_filters import compile_guardrail
from openplaybook.resources.ces.conversation_examples import CallLookups, compile_example
from openplaybook.resources.ces.toolbox_forms import toolbox_documents
from openplaybook.resources.ces.transfers import relatives_of
from openplaybook.resources.compiled_forms import AgentTool, Example, Playbook
from openplaybook.resources.guardrails import Guardrail, TransferAgent
from openplaybook.resources.names import APP_AGENTS, APP_EXAMPLES, APP_GUARDRAILS, APP_TOOLS, APP_TOOLSETS, APPS
from openplaybook.tools.action_names import legal_name, legal_names
from openplaybook.tools.base import Action, AgentScope, Tool
from openplaybook.tools.example_calls import ExampleCalls
from openplaybook.turns.agent.declarations import free_name, playbook_declaration, tool_declaration
from openplaybook.turns.agent.playbook_views import (
    AgentParts,
    AgentSource,
    dialogues_of,
    names_of_playbooks,
    unusable_examples,
)
from openplaybook.turns.agent.snapshot import PlaybookView

REQUEST = "request"
"""Member of the arguments that holds what is asked."""
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
        f"{each.tool_display_name}_{each.action}" if APP_TOOLSETS.fits(each.tool) else each.tool_display_name
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
        unusable_examples=unusable_examples(agent, parts, called, {target: name for name, target in targets.items()}),
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


KINDS = frozenset(each.kind for each in (APPS, APP_AGENTS, APP_TOOLS, APP_TOOLSETS, APP_EXAMPLES, APP_GUARDRAILS))
"""Kinds of stored records that it is made of."""

SNAPSHOT_FIELDS: Mapping[str, str] = {
    "agents": APP_AGENTS.kind,
    "tools": APP_TOOLS.kind,
    "toolsets": APP_TOOLSETS.kind,
    "examples": APP_EXAMPLES.kind,
    "guardrails": APP_GUARDRAILS.kind,
}
"""Kind of record by the field of `AppSnapshot` that holds such resources; `app` holds the app itself."""

_SEQUENTIAL = "SEQUENTIAL"


def source_of_app(app: str, by_kind: Mapping[str, Mapping[str, JsonObject]]) -> AgentSource:
    """The source of the app of that resource name, from its documents by kind and resource name."""
    document = by_kind[APPS.kind].get(app, {})
    directory = directory_of([(kind, name, each) for kind in KINDS for name, each in sorted(by_kind[kind].items())])
    relatives = relatives_of(by_kind[APP_AGENTS.kind], directory)
    facts = AppFacts(
        directory=directory,
        agents=by_kind[APP_AGENTS.kind],
        tools=by_kind[APP_TOOLS.kind],
        relatives=relatives,
        models=models_of(by_kind[APP_AGENTS.kind], relatives),
        global_instruction=str(document.get("globalInstruction") or ""),
        guardrails=_guardrails(by_kind[APP_GUARDRAILS.kind], directory),
        app_guardrails=tuple(str(each) for each in as_list(document.get("guardrails"))),
    )
    root = directory.agent(str(document.get("rootAgent") or "")) or ""
    tools = toolbox_documents({**by_kind[APP_TOOLS.kind], **by_kind[APP_TOOLSETS.kind]})
    return AgentSource(
        start_playbook=root,
        playbooks={name: compile_agent(name, facts) for name in by_kind[APP_AGENTS.kind]},
        tools=tools,
        examples=lambda built: _examples(by_kind[APP_EXAMPLES.kind], root, directory, tools, built),
        views=views_of_agents,
        scope=scope_of_app(document),
        settings=compile_model_settings(document.get("modelSettings")),
        language_code=str(as_object(document.get("languageSettings")).get("defaultLanguageCode") or ""),
        secret_parameters=secret_variables([*by_kind[APP_TOOLS.kind].values(), *by_kind[APP_TOOLSETS.kind].values()]),
        refuses_paused_input=True,
        variables=declared_variables(document),
        sequential=document.get("toolExecutionMode") == _SEQUENTIAL,
        ends_for_good=True,
    )


def scope_of_app(app: JsonObject) -> AgentScope:
    """What tools have from an `App` (v1beta JSON): its client certificate, in Dialogflow's words."""
    settings = as_object(app.get("clientCertificateSettings"))
    return AgentScope({"sslCertificate" if name == "tlsCertificate" else name: each for name, each in settings.items()})


def bundle_of_version(version: JsonObject) -> list[list[JsonValue]]:
    """Kind, name and document of what a turn reads, from an `AppVersion` (v1beta JSON)."""
    snapshot = as_object(version.get("snapshot"))
    app = as_object(snapshot.get("app"))
    listed = (
        (kind, as_object(each)) for field, kind in SNAPSHOT_FIELDS.items() for each in as_list(snapshot.get(field))
    )
    return [[APPS.kind, app.get("name", ""), app], *([kind, each.get("name", ""), each] for kind, each in listed)]


def _guardrails(documents: Mapping[str, JsonObject], directory: AppDirectory) -> dict[str, Guardrail]:
    """Those that are applied; agents that they transfer to by resource name."""
    applied: dict[str, Guardrail] = {}
    for name, document in documents.items():
        guardrail = compile_guardrail(document)
        if guardrail is not None and isinstance(guardrail.action, TransferAgent):
            target = directory.agent(guardrail.action.agent) or guardrail.action.agent
            guardrail = replace(guardrail, action=TransferAgent(target))
        if guardrail is not None:
            applied[name] = guardrail
    return applied


def _examples(
    documents: Mapping[str, JsonObject],
    root: str,
    directory: AppDirectory,
    resources: Mapping[str, JsonObject],
    tools: Mapping[str, Tool],
) -> dict[str, list[Example]]:
    """Compiled examples by agent."""

    calls = call_lookups(directory, ExampleCalls(resources, tools))
    examples: dict[str, list[Example]] = {}
    for document in documents.values():
        for example in compile_example(document, root, directory, calls.actions, calls.facts):
            examples.setdefault(example.playbook, []).append(example)
    return examples


def call_lookups(directory: AppDirectory, calls: ExampleCalls) -> CallLookups:
    """What is known of the tools that examples of an app call."""

    def called(target: DirectoryEntry) -> str:
        is_one = target.kind is EntryKind.TOOL or target.operation
        own = calls.own_name(target.name, "" if target.kind is EntryKind.TOOL else target.operation) if is_one else ""
        return own or target.operation or directory.display_names[target.name]

    def facts(tool: str, action: str) -> ActionFacts | None:
        return calls.facts(tool, action) or ActionFacts(AS_GIVEN)

    return CallLookups(called, facts, calls.check)
