"""Apps of CX Agent Studio: what a snapshot is made of, from their stored resources."""

from collections.abc import Mapping
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.ces.agents import AppFacts, compile_agent, compile_model_settings, models_of
from openplaybook.resources.ces.directory import Directory, Kind, Target, directory_of
from openplaybook.resources.ces.examples import CallLookups, compile_example
from openplaybook.resources.ces.guardrails import compile_guardrail
from openplaybook.resources.ces.names import AGENTS, APPS, EXAMPLES, GUARDRAILS, TOOLS, TOOLSETS
from openplaybook.resources.ces.relations import relatives_of
from openplaybook.resources.ces.tools import toolbox_documents
from openplaybook.resources.ces.variables import declared_variables, secret_variables
from openplaybook.resources.compiled import Example
from openplaybook.resources.guardrails import Guardrail, TransferAgent
from openplaybook.resources.spellings import ActionFacts, ToolKind
from openplaybook.tools.base import AgentScope, Tool
from openplaybook.tools.shown_calls import ShownCalls
from openplaybook.turns.agent_source import AgentSource
from openplaybook.turns.app_views import views_of_agents

KINDS = frozenset(each.kind for each in (APPS, AGENTS, TOOLS, TOOLSETS, EXAMPLES, GUARDRAILS))
"""Kinds of stored records that it is made of."""

SNAPSHOT_FIELDS: Mapping[str, str] = {
    "agents": AGENTS.kind,
    "tools": TOOLS.kind,
    "toolsets": TOOLSETS.kind,
    "examples": EXAMPLES.kind,
    "guardrails": GUARDRAILS.kind,
}
"""Kind of record by the field of `AppSnapshot` that holds such resources; `app` holds the app itself."""

_SEQUENTIAL = "SEQUENTIAL"


def source_of_app(app: str, by_kind: Mapping[str, Mapping[str, JsonObject]]) -> AgentSource:
    """The source of the app of that resource name, from its documents by kind and resource name."""
    document = by_kind[APPS.kind].get(app, {})
    directory = directory_of([(kind, name, each) for kind in KINDS for name, each in sorted(by_kind[kind].items())])
    relatives = relatives_of(by_kind[AGENTS.kind], directory)
    facts = AppFacts(
        directory=directory,
        agents=by_kind[AGENTS.kind],
        tools=by_kind[TOOLS.kind],
        relatives=relatives,
        models=models_of(by_kind[AGENTS.kind], relatives),
        global_instruction=str(document.get("globalInstruction") or ""),
        guardrails=_guardrails(by_kind[GUARDRAILS.kind], directory),
        app_guardrails=tuple(str(each) for each in as_list(document.get("guardrails"))),
    )
    root = directory.agent(str(document.get("rootAgent") or "")) or ""
    tools = toolbox_documents({**by_kind[TOOLS.kind], **by_kind[TOOLSETS.kind]})
    return AgentSource(
        start_playbook=root,
        playbooks={name: compile_agent(name, facts) for name in by_kind[AGENTS.kind]},
        tools=tools,
        examples=lambda built: _examples(by_kind[EXAMPLES.kind], root, directory, tools, built),
        views=views_of_agents,
        scope=scope_of_app(document),
        settings=compile_model_settings(document.get("modelSettings")),
        language_code=str(as_object(document.get("languageSettings")).get("defaultLanguageCode") or ""),
        secret_parameters=secret_variables([*by_kind[TOOLS.kind].values(), *by_kind[TOOLSETS.kind].values()]),
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


def _guardrails(documents: Mapping[str, JsonObject], directory: Directory) -> dict[str, Guardrail]:
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
    directory: Directory,
    resources: Mapping[str, JsonObject],
    tools: Mapping[str, Tool],
) -> dict[str, list[Example]]:
    """Compiled examples by agent."""

    calls = call_lookups(directory, ShownCalls(resources, tools))
    examples: dict[str, list[Example]] = {}
    for document in documents.values():
        for example in compile_example(document, root, directory, calls.actions, calls.facts):
            examples.setdefault(example.playbook, []).append(example)
    return examples


def call_lookups(directory: Directory, calls: ShownCalls) -> CallLookups:
    """What is known of the tools that examples of an app call."""

    def called(target: Target) -> str:
        is_one = target.kind is Kind.TOOL or target.operation
        own = calls.own_name(target.name, "" if target.kind is Kind.TOOL else target.operation) if is_one else ""
        return own or target.operation or directory.display_names[target.name]

    def facts(tool: str, action: str) -> ActionFacts | None:
        return calls.facts(tool, action) or ActionFacts(ToolKind.PYTHON)

    return CallLookups(called, facts, calls.check)
