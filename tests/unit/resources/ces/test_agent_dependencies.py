"""What agents of an app lean on, as their resources tell."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.agent_dependencies import AppDocuments, dependencies_of_agents
from openplaybook.resources.ces.app_directory import directory_of
from openplaybook.resources.names import APP_AGENTS, APP_GUARDRAILS, APP_TOOLS, APP_TOOLSETS

APP = "projects/p/locations/l/apps/a"
FRONT, DESK = f"{APP}/agents/front", f"{APP}/agents/desk"
POLICY, WORDS = f"{APP}/guardrails/policy", f"{APP}/guardrails/words"
LOOK, PRICES = f"{APP}/tools/look", f"{APP}/toolsets/prices"


def leanings(app: JsonObject | None = None, tool: JsonObject | None = None, **agent: object) -> list[str]:
    agents: dict[str, JsonObject] = {
        FRONT: {"name": FRONT, "displayName": "front", **agent},
        DESK: {"name": DESK, "displayName": "desk"},
    }
    tools = {LOOK: {"name": LOOK, "pythonFunction": {"name": "look", **(tool or {"pythonCode": "def look(): ..."})}}}
    toolsets = {
        PRICES: {"name": PRICES, "displayName": "prices", "openApiToolset": {"openApiSchema": "openapi: 3.0.0"}}
    }
    guardrails = {
        POLICY: {"name": POLICY, "displayName": "Policy", "enabled": True, "llmPolicy": {}},
        WORDS: {"name": WORDS, "displayName": "Words", "enabled": True, "contentFilter": {}},
    }
    kinds = {
        APP_AGENTS.kind: agents,
        APP_TOOLS.kind: tools,
        APP_TOOLSETS.kind: toolsets,
        APP_GUARDRAILS.kind: guardrails,
    }
    directory = directory_of((kind, name, each) for kind, named in kinds.items() for name, each in named.items())
    resources = AppDocuments(app or {}, agents, {**tools, **toolsets}, guardrails, directory)
    return dependencies_of_agents(resources)[FRONT]


def test_what_is_there_is_nothing_to_lean_on() -> None:
    toolsets = [{"toolset": "prices"}]
    assert leanings(tools=["look", "end_session"], toolsets=toolsets, childAgents=["desk"], guardrails=["Words"]) == []


def test_callbacks_are_counted_by_when_they_run() -> None:
    callbacks = [{"pythonCode": "a"}, {"pythonCode": "b"}, {"pythonCode": "c", "disabled": True}]
    assert leanings(beforeModelCallbacks=callbacks, afterToolCallbacks=[{"pythonCode": "d"}]) == [
        "2 beforeModelCallbacks",
        "1 afterToolCallback",
    ]


def test_guardrails_that_are_not_applied_are_named_those_of_the_app_too() -> None:
    assert leanings(app={"guardrails": ["Policy"]}) == ["the guardrail Policy (llmPolicy)"]
    assert leanings(guardrails=[POLICY, "Words"]) == ["the guardrail Policy (llmPolicy)"]


def test_a_dialogflow_agent_elsewhere_is_named() -> None:
    assert leanings(remoteDialogflowAgent={"agent": "projects/x/locations/l/agents/y"}) == [
        "the Dialogflow agent projects/x/locations/l/agents/y"
    ]


def test_what_is_missing_is_named() -> None:
    toolsets = [{"toolset": "routes"}]
    assert leanings(tools=["gone"], toolsets=toolsets, childAgents=["away"]) == [
        "the tool gone, which does not exist",
        "the tool routes, which does not exist",
        "the agent away, which does not exist",
    ]


def test_a_tool_whose_file_is_not_there_is_named_with_it() -> None:
    assert leanings(tools=["look"], tool={"pythonCode": "tools/look/code.py"}) == [
        "the tool look, whose file tools/look/code.py is not there"
    ]


def test_conditions_of_transfer_rules_are_not_judged_here() -> None:
    assert leanings(transferRules=[{"childAgent": "desk", "deterministicTransfer": {}}]) == [
        "conditions of its transfer rules"
    ]
