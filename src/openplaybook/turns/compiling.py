"""From stored resources to an `AgentSnapshot`."""

from collections.abc import Iterable, Mapping, Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.resources.builtin_tools import builtin_tools
from openplaybook.resources.compiled import Example, LlmSettings, Playbook, ReferenceKind
from openplaybook.resources.examples import compile_example
from openplaybook.resources.playbooks import compile_llm_settings, compile_playbook
from openplaybook.resources.references import with_display_names
from openplaybook.resources.spellings import ActionFacts, FactsLookup, facts_of
from openplaybook.tools.base import AgentScope, InvalidTool, Tool, ToolBuilder
from openplaybook.turns.execution import client_execution
from openplaybook.turns.secret_parameters import secret_parameters
from openplaybook.turns.snapshot import AgentSnapshot
from openplaybook.turns.views import AgentParts, references_in, view_of_playbook

AGENT_KINDS = frozenset({"agent", "playbook", "example", "tool", "generative_settings"})
"""Kinds of stored records that a snapshot is made of."""


def compile_snapshot(
    agent: str, digest: str, bundle: Iterable[Sequence[JsonValue]], toolbox: ToolBuilder
) -> AgentSnapshot:
    """Compile an agent from (kind, name, document) triples. A tool that cannot be compiled is left out and named."""
    by_kind: dict[str, dict[str, JsonObject]] = {kind: {} for kind in AGENT_KINDS}
    for kind, name, document in bundle:
        by_kind[kind][name] = document
    document = by_kind["agent"].get(agent, {})
    scope = AgentScope(as_object(document.get("clientCertificateSettings")))
    compiled = {name: compile_playbook(each) for name, each in by_kind["playbook"].items()}
    by_kind["tool"] = {**_builtin_tools(agent, compiled.values()), **by_kind["tool"]}
    tools, unusable = _compile_tools(by_kind["tool"], toolbox, scope)
    playbooks = _by_display_name(compiled, by_kind)
    tool_names = {name: str(document.get("displayName", "")) for name, document in by_kind["tool"].items()}
    parts = AgentParts(
        playbooks=playbooks,
        examples=_examples(by_kind["example"], _facts(by_kind["tool"], tools)),
        tools=tools,
        unusable_tools=unusable,
        playbook_ids={playbook.display_name: name for name, playbook in playbooks.items()},
        tool_ids={display_name: name for name, display_name in tool_names.items()},
    )
    language = str(document.get("defaultLanguageCode", ""))
    settings = _own_language_first(by_kind["generative_settings"].values(), language)
    return AgentSnapshot(
        digest=digest,
        agent=agent,
        start_playbook=str(document.get("startPlaybook", "")),
        playbooks={name: view_of_playbook(playbook, parts) for name, playbook in playbooks.items()},
        tools=tools,
        tool_names=tool_names,
        tool_kinds={name: _kind(document) for name, document in by_kind["tool"].items()},
        settings=agent_settings(settings, language),
        refuses_paused_input=any(each.get("pausedInput") == "REFUSE" for each in (document, *settings)),
        client_execution=client_execution([*settings, document]),
        secret_parameters=secret_parameters(by_kind["tool"].values()),
    )


def _builtin_tools(agent: str, playbooks: Iterable[Playbook]) -> dict[str, JsonObject]:
    """The built-in tools that playbooks refer to. They are not stored, and an agent that uses none needs none."""
    used: set[str] = set()
    for playbook in playbooks:
        used.update(playbook.referenced_tools)
        used.update(name for kind, name in references_in(playbook.steps) if kind is ReferenceKind.TOOL)
    return {
        tool["name"]: tool
        for tool in builtin_tools(agent)
        if not used.isdisjoint((tool["name"], _id(tool["name"]), tool["displayName"]))
    }


def _by_display_name(
    playbooks: Mapping[str, Playbook], by_kind: Mapping[str, Mapping[str, JsonObject]]
) -> dict[str, Playbook]:
    """The playbooks as they refer to others now. Older exports refer by id: that becomes the display name."""
    ids = {
        kind: {_id(name): str(document.get("displayName", "")) for name, document in by_kind[stored].items()}
        for kind, stored in ((ReferenceKind.TOOL, "tool"), (ReferenceKind.PLAYBOOK, "playbook"))
    }
    return {name: with_display_names(playbook, ids) for name, playbook in playbooks.items()}


def _id(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _kind(tool: JsonObject) -> str:
    facts = facts_of(tool)
    return "other" if facts is None else facts.kind.value


def _examples(documents: Mapping[str, JsonObject], facts: FactsLookup) -> dict[str, list[Example]]:
    """Compiled examples by playbook."""
    examples: dict[str, list[Example]] = {}
    for name, document in documents.items():
        playbook = name.rsplit("/examples/", 1)[0]
        examples.setdefault(playbook, []).append(compile_example(document, playbook, facts))
    return examples


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


def _facts(documents: Mapping[str, JsonObject], tools: Mapping[str, Tool]) -> FactsLookup:
    """What is known of an action, for reading the spellings of examples."""
    named = {str(document.get("displayName")): name for name, document in documents.items()}

    def lookup(tool: str, action: str) -> ActionFacts | None:
        name = named.get(tool, tool)
        if name not in documents:
            return None
        offered = tools[name].actions() if name in tools else ()
        schema = next((each.input_schema for each in offered if each.action == action), None)
        return facts_of(documents[name], schema)

    return lookup


def agent_settings(settings: Iterable[JsonObject], default_language: str) -> LlmSettings:
    """Model settings of the agent: those kept with its default language, else with any other."""
    ordered = _own_language_first(settings, default_language)
    configured = (each["llmModelSettings"] for each in ordered if each.get("llmModelSettings"))
    return next(map(compile_llm_settings, configured), LlmSettings())


def _own_language_first(settings: Iterable[JsonObject], default_language: str) -> list[JsonObject]:
    """Generative settings in order of precedence: those kept with the agent's default language first."""
    return sorted(settings, key=lambda each: each.get("languageCode") != default_language)
