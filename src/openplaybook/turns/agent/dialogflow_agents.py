"""Agents of Dialogflow: what a snapshot is made of, from their stored resources."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.banned_phrases import banned_phrases
from openplaybook.resources.builtin_tools import builtin_tools
from openplaybook.resources.call_spellings import FactsLookup
from openplaybook.resources.compiled_forms import Example, LlmSettings, Playbook, ReferenceKind
from openplaybook.resources.dangling_references import with_display_names
from openplaybook.resources.example_compiler import compile_example
from openplaybook.resources.playbook_compiler import compile_llm_settings, compile_playbook
from openplaybook.tools.base import AgentScope
from openplaybook.tools.example_calls import ExampleCalls
from openplaybook.turns.agent.playbook_views import AgentSource, references_in, view_of_playbook
from openplaybook.turns.agent.snapshot import client_execution, secret_parameters

KINDS = frozenset({"agent", "playbook", "example", "tool", "generative_settings"})
"""Kinds of stored records that it is made of."""


def source_of_agent(agent: str, by_kind: Mapping[str, Mapping[str, JsonObject]]) -> AgentSource:
    """The source of the agent of that resource name, from its documents by kind and resource name."""
    document = by_kind["agent"].get(agent, {})
    compiled = {name: compile_playbook(each) for name, each in by_kind["playbook"].items()}
    tools = {**_builtin_tools(agent, compiled.values()), **by_kind["tool"]}
    language = str(document.get("defaultLanguageCode", ""))
    settings = _own_language_first(by_kind["generative_settings"].values(), language)
    guardrails = banned_phrases(agent, settings)
    named = _by_display_name(compiled, tools, by_kind["playbook"])
    playbooks = {name: replace(each, guardrails=guardrails) for name, each in named.items()}
    return AgentSource(
        start_playbook=_start_playbook(document, playbooks),
        playbooks=playbooks,
        tools=tools,
        examples=lambda built: _examples(by_kind["example"], ExampleCalls(tools, built, _names(tools)).facts),
        views=lambda parts: {name: view_of_playbook(each, parts) for name, each in playbooks.items()},
        scope=AgentScope(as_object(document.get("clientCertificateSettings"))),
        settings=agent_settings(settings, language),
        secret_parameters=secret_parameters(tools.values()),
        refuses_paused_input=any(each.get("pausedInput") == "REFUSE" for each in (document, *settings)),
        client_execution=client_execution([*settings, document]),
        takes_feedback=bool(as_object(document.get("answerFeedbackSettings")).get("enableAnswerFeedback")),
    )


def agent_settings(settings: Iterable[JsonObject], default_language: str) -> LlmSettings:
    """Model settings of the agent: those kept with its default language, else with any other."""
    ordered = _own_language_first(settings, default_language)
    configured = (each["llmModelSettings"] for each in ordered if each.get("llmModelSettings"))
    return next(map(compile_llm_settings, configured), LlmSettings())


def _start_playbook(agent: JsonObject, playbooks: Mapping[str, Playbook]) -> str:
    """Where conversations begin. Flows are not run: an agent that begins with one begins at its only playbook."""
    if agent.get("startFlow") and not agent.get("startPlaybook") and len(playbooks) == 1:
        return next(iter(playbooks))
    return str(agent.get("startPlaybook", ""))


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
    compiled: Mapping[str, Playbook], tools: Mapping[str, JsonObject], playbooks: Mapping[str, JsonObject]
) -> dict[str, Playbook]:
    """The playbooks as they refer to others now. Older exports refer by id: that becomes the display name."""
    ids = {
        kind: {_id(name): str(document.get("displayName", "")) for name, document in documents.items()}
        for kind, documents in ((ReferenceKind.TOOL, tools), (ReferenceKind.PLAYBOOK, playbooks))
    }
    return {name: with_display_names(playbook, ids) for name, playbook in compiled.items()}


def _names(tools: Mapping[str, JsonObject]) -> dict[str, str]:
    """Resource names by display name."""
    return {str(document.get("displayName")): name for name, document in tools.items()}


def _id(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _examples(documents: Mapping[str, JsonObject], facts: FactsLookup) -> dict[str, list[Example]]:
    """Compiled examples by playbook."""
    examples: dict[str, list[Example]] = {}
    for name, document in documents.items():
        playbook = name.rsplit("/examples/", 1)[0]
        examples.setdefault(playbook, []).append(compile_example(document, playbook, facts))
    return examples


def _own_language_first(settings: Iterable[JsonObject], default_language: str) -> list[JsonObject]:
    """Generative settings in order of precedence: those kept with the agent's default language first."""
    return sorted(settings, key=lambda each: each.get("languageCode") != default_language)
