"""From stored resources to an `AgentSnapshot`, the same way for agents of Dialogflow and apps of CX Agent Studio."""

from collections.abc import Iterable, Mapping, Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.ces.names import APPS
from openplaybook.resources.spellings import facts_of
from openplaybook.tools.base import AgentScope, InvalidTool, Tool, ToolBuilder
from openplaybook.turns.agent.ces_apps import KINDS as OF_APPS
from openplaybook.turns.agent.ces_apps import source_of_app
from openplaybook.turns.agent.dialogflow_agents import KINDS as OF_AGENTS
from openplaybook.turns.agent.dialogflow_agents import source_of_agent
from openplaybook.turns.agent.playbook_views import AgentParts
from openplaybook.turns.agent.snapshot import AgentSnapshot

AGENT_KINDS = OF_AGENTS | OF_APPS
"""Kinds of stored records that a snapshot is made of."""

ROOT_KINDS = frozenset({"agent", APPS.kind})
"""Those of them that everything else belongs to."""


def compile_snapshot(
    agent: str, digest: str, bundle: Iterable[Sequence[JsonValue]], toolbox: ToolBuilder
) -> AgentSnapshot:
    """Compile an agent or an app from (kind, name, document) triples. A tool that cannot be compiled is left out and
    named."""
    by_kind: dict[str, dict[str, JsonObject]] = {kind: {} for kind in AGENT_KINDS}
    for kind, name, document in bundle:
        by_kind[kind][name] = document
    source = source_of_app(agent, by_kind) if APPS.fits(agent) else source_of_agent(agent, by_kind)
    tools, unusable = _compile_tools(source.tools, toolbox, source.scope)
    tool_names = {name: str(document.get("displayName", "")) for name, document in source.tools.items()}
    parts = AgentParts(
        playbooks=source.playbooks,
        examples=source.examples(tools),
        tools=tools,
        unusable_tools=unusable,
        playbook_ids={playbook.display_name: name for name, playbook in source.playbooks.items()},
        tool_ids={display_name: name for name, display_name in tool_names.items()},
    )
    return AgentSnapshot(
        digest=digest,
        agent=agent,
        start_playbook=source.start_playbook,
        playbooks=source.views(parts),
        tools=tools,
        tool_names=tool_names,
        tool_kinds={name: _kind(document) for name, document in source.tools.items()},
        settings=source.settings,
        refuses_paused_input=source.refuses_paused_input,
        client_execution=source.client_execution,
        secret_parameters=source.secret_parameters,
        variables=source.variables,
        sequential=source.sequential,
        language_code=source.language_code,
        takes_feedback=source.takes_feedback,
        ends_for_good=source.ends_for_good,
    )


def _kind(tool: JsonObject) -> str:
    facts = facts_of(tool)
    return "other" if facts is None else facts.kind.value


def _compile_tools(
    documents: Mapping[str, JsonObject], toolbox: ToolBuilder, scope: AgentScope
) -> tuple[dict[str, Tool], dict[str, str]]:
    tools: dict[str, Tool] = {}
    unusable: dict[str, str] = {}
    for name, document in documents.items():
        try:
            tools[name] = toolbox.build(document, scope)
        except InvalidTool as error:
            unusable[name] = str(error)
    return tools, unusable
