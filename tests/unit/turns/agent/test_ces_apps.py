"""Apps compiled as a turn sees them, with the real toolbox."""

from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.models.base import AgentText, DeclarationKind, FunctionCall, FunctionResult, UserText
from openplaybook.resources.compiled_forms import LlmSettings
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.agent.ces_apps import KINDS, bundle_of_version
from openplaybook.turns.agent.snapshot import AgentSnapshot, PlaybookView
from openplaybook.turns.agent.snapshot_store import compile_snapshot
from tests.kit.openapi import Remembering

APP = "projects/p/locations/l/apps/a"
ROOT, BILLING = f"{APP}/agents/root", f"{APP}/agents/billing"
WEATHER, ASK, PETS = f"{APP}/tools/weather", f"{APP}/tools/ask", f"{APP}/toolsets/pets"
_TEXTS = """
name displayName description instruction tools toolsets toolset toolIds childAgents guardrails rootAgent messages chunks
role text toolCall toolResponse args response agentTransfer targetAgent clientFunction parameters properties type agent
openApiToolset openApiSchema agentTool systemTool contentFilter bannedContents matchType action enabled childAgent
variableDeclarations modelSettings languageSettings transferRules remoteDialogflowAgent
"""
_FIELDS = sorted(_TEXTS.split())
"""Of all kinds of resources."""

TOOL, PLAYBOOK, CLOSE = DeclarationKind.TOOL, DeclarationKind.PLAYBOOK, DeclarationKind.CLOSE

API = dumps(
    {
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": "https://pets.example"}],
        "paths": {
            "/pets/{id}": {
                "get": {
                    "operationId": "getPet",
                    "summary": "Finds a pet.",
                    "parameters": [
                        {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    ],
                    "responses": {},
                }
            },
            "/pets": {"post": {"operationId": "add pet", "summary": "Adds a pet.", "responses": {}}},
        },
    }
).decode()


def resources(**app: JsonValue) -> list[list[JsonValue]]:
    """A small app: two agents, a client's function, an API, an agent as a tool."""
    weather = {"name": "get_weather", "description": "Tells the weather.", "parameters": {"type": "OBJECT"}}
    ask = {"name": "ask_billing", "description": "Asks about bills.", "agent": BILLING}
    return [
        ["app", APP, {"name": APP, "rootAgent": ROOT, **app}],
        ["app_agent", ROOT, _root()],
        ["app_agent", BILLING, {"name": BILLING, "displayName": "Billing agent", "description": "Knows bills."}],
        ["app_tool", WEATHER, {"name": WEATHER, "clientFunction": weather}],
        ["app_tool", ASK, {"name": ASK, "agentTool": ask}],
        ["app_toolset", PETS, {"name": PETS, "displayName": "Pets", "openApiToolset": {"openApiSchema": API}}],
    ]


def _root(**more: JsonValue) -> JsonObject:
    return {
        "name": ROOT,
        "displayName": "root",
        "instruction": "Use {@TOOL: weather}, {@TOOL: Pets_getPet} and {@AGENT: billing}.",
        "tools": [WEATHER, ASK, f"{APP}/tools/end_session"],
        "toolsets": [{"toolset": PETS, "toolIds": ["getPet"]}],
        "childAgents": [BILLING],
        **more,
    }


def compiled(*extra: list[JsonValue], **app: JsonValue) -> AgentSnapshot:
    return compile_snapshot(APP, "d", [*resources(**app), *extra], Toolbox(Remembering()))


def root_of(snapshot: AgentSnapshot) -> PlaybookView:
    return snapshot.playbooks[snapshot.start_playbook]


def test_an_agent_offers_its_tools_agents_and_the_end_under_their_names() -> None:
    view = root_of(compiled())
    assert [(each.name, each.kind, each.description) for each in view.declarations] == [
        ("get_weather", TOOL, "Tells the weather."),
        ("Pets_getPet", TOOL, "Finds a pet."),
        ("ask_billing", PLAYBOOK, "Asks about bills."),
        ("Billing_agent", PLAYBOOK, "Knows bills."),
        ("end_session", CLOSE, view.declarations[-1].description),
    ]
    assert view.close_name == "end_session"
    assert [each.name for each in view.declarations_with_end] == [each.name for each in view.declarations[:-1]]


def test_transfers_give_way_and_agent_tools_answer() -> None:
    view = root_of(compiled())
    assert dict(view.children) == {"ask_billing": BILLING, "Billing_agent": BILLING}
    assert view.transitions == frozenset({BILLING})
    assert view.answering == {"ask_billing": ASK}
    back = compiled().playbooks[BILLING]
    assert (dict(back.children), back.transitions, back.close_name) == ({"root": ROOT}, frozenset({ROOT}), "")


def test_agents_whose_names_have_no_letter_that_models_take_are_told_apart_however_many() -> None:
    names = [f"{APP}/agents/n{each}" for each in range(1100)]
    agents: list[list[JsonValue]] = [["app_agent", each, {"name": each, "displayName": "花"}] for each in names]
    more: list[JsonValue] = ["app_agent", ROOT, _root(childAgents=[*names])]
    children = root_of(compiled(*agents, more)).children
    assert [*children][1:3] == ["playbook", "playbook_2"]
    assert len(children) == len(names) + 2


def test_an_agent_as_a_tool_takes_a_request() -> None:
    ask = next(each for each in root_of(compiled()).declarations if each.name == "ask_billing")
    assert (list(ask.input_schema["properties"]), ask.input_schema["required"]) == (["request"], ["request"])


def test_tools_may_call_whatever_the_app_has() -> None:
    view = compiled().playbooks[BILLING]
    assert dict(view.actions) == {}
    assert {name: (each.tool, each.action) for name, each in view.callable.items()} == {
        "get_weather": (WEATHER, "get_weather"),
        "Pets_getPet": (PETS, "getPet"),
        "Pets_add_pet": (PETS, "add pet"),
    }


def test_a_tool_that_is_called_like_the_end_of_the_session_keeps_its_name() -> None:
    name = f"{APP}/tools/own"
    agent = _root(tools=[name, f"{APP}/tools/end_session"])
    own: JsonObject = {"name": name, "clientFunction": {"name": "end_session"}}
    view = root_of(compiled(["app_tool", name, own], ["app_agent", ROOT, agent]))
    kinds = {each.name: each.kind for each in view.declarations}
    assert (view.close_name, kinds["end_session"], kinds["end_session_2"]) == ("end_session_2", TOOL, CLOSE)


def test_an_openapi_tool_offers_the_operation_it_is_named_like() -> None:
    name = f"{APP}/tools/api"
    tool: JsonObject = {"name": name, "openApiTool": {"name": "add_pet", "openApiSchema": API}}
    snapshot = compiled(["app_tool", name, tool])
    assert [(each.action, each.tool_display_name) for each in snapshot.tools[name].actions()] == [
        ("add pet", "add_pet")
    ]
    unnamed: JsonObject = {"name": name, "openApiTool": {"openApiSchema": API}}
    first = compiled(["app_tool", name, unnamed])
    assert [each.action for each in first.tools[name].actions()] == ["getPet"]
    assert "getPet" in first.playbooks[BILLING].callable


def test_the_app_says_how_its_agents_behave() -> None:
    snapshot = compiled(
        modelSettings={"model": "gemini", "temperature": 0.5},
        languageSettings={"defaultLanguageCode": "de"},
        toolExecutionMode="SEQUENTIAL",
        variableDeclarations=[{"name": "city", "schema": {"type": "STRING", "default": "Bonn"}}],
        globalInstruction="Be kind.",
    )
    assert snapshot.settings == LlmSettings(model="gemini", temperature=0.5)
    assert (snapshot.language_code, snapshot.sequential, snapshot.ends_for_good) == ("de", True, True)
    assert (snapshot.variables, snapshot.refuses_paused_input) == ({"city": "Bonn"}, True)
    assert root_of(snapshot).playbook.steps[0].text.startswith("Be kind.\n\nUse ")
    assert (compiled().sequential, compiled().variables) == (False, {})


def test_tools_are_known_by_name_and_kind() -> None:
    snapshot = compiled()
    assert snapshot.tool_names == {WEATHER: "get_weather", PETS: "Pets"}
    assert snapshot.tool_kinds == {WEATHER: "function", PETS: "openapi"}


def test_a_variable_that_an_authentication_reads_is_secret() -> None:
    token = {"bearerTokenConfig": {"token": "$context.variables.token"}}
    toolset = {"openApiSchema": API, "apiAuthentication": token}
    snapshot = compiled(["app_toolset", PETS, {"name": PETS, "displayName": "Pets", "openApiToolset": toolset}])
    assert snapshot.secret_parameters == frozenset({"token"})


def test_a_tool_that_cannot_be_used_is_left_out_and_named() -> None:
    broken: JsonObject = {"name": PETS, "displayName": "Pets", "openApiToolset": {"openApiSchema": "{"}}
    view = root_of(compiled(["app_toolset", PETS, broken]))
    assert list(view.unusable_tools) == [PETS]
    assert "Pets_getPet" not in view.actions


def test_an_example_shows_calls_under_the_names_that_can_be_called() -> None:
    toolset_call = {"toolsetTool": {"toolset": PETS, "toolId": "getPet"}, "id": "1", "args": {"id": 7}}
    result = {"toolsetTool": {"toolset": PETS, "toolId": "getPet"}, "id": "1", "response": {"name": "Rex"}}
    messages = [
        {"role": "user", "chunks": [{"text": "Who is 7?"}]},
        {"role": "root", "chunks": [{"toolCall": toolset_call}]},
        {"role": "root", "chunks": [{"toolResponse": result}, {"text": "Rex."}]},
        {"role": "root", "chunks": [{"toolCall": {"tool": ASK, "id": "2", "args": {"request": "12?"}}}]},
        {"role": "root", "chunks": [{"agentTransfer": {"targetAgent": BILLING}}]},
    ]
    name = f"{APP}/examples/e"
    snapshot = compiled(["app_example", name, {"name": name, "displayName": "E", "messages": messages}])
    (dialogue,) = root_of(snapshot).examples
    assert dialogue.entries == (
        UserText("Who is 7?"),
        FunctionCall("example-2", "Pets_getPet", {"id": 7}),
        FunctionResult("example-2", "Pets_getPet", {"200": {"name": "Rex"}}),
        AgentText("Rex."),
        FunctionCall("example-4", "ask_billing", {"request": "12?"}),
        FunctionResult("example-4", "ask_billing", {}),
        FunctionCall("example-5", "Billing_agent", {}),
        FunctionResult("example-5", "Billing_agent", {}),
    )
    assert [each.entries for each in snapshot.playbooks[BILLING].examples] == [(UserText("Who is 7?"),)]


def test_a_guardrail_of_the_app_holds_for_every_agent() -> None:
    name = f"{APP}/guardrails/words"
    document: JsonObject = {
        "name": name,
        "displayName": "Words",
        "enabled": True,
        "contentFilter": {"matchType": "SIMPLE_STRING_MATCH", "bannedContents": ["x"]},
        "action": {"transferAgent": {"agent": "billing"}},
    }
    snapshot = compiled(["app_guardrail", name, document], guardrails=[name])
    assert [[each.display_name for each in view.playbook.guardrails] for view in snapshot.playbooks.values()] == [
        ["Words"],
        ["Words"],
    ]
    (guardrail,) = root_of(snapshot).playbook.guardrails
    assert guardrail.action.agent == BILLING  # pyright: ignore[reportAttributeAccessIssue]


def test_a_version_is_compiled_from_what_it_keeps() -> None:
    kept: JsonObject = {"app": resources()[0][2]}
    for kind, _, document in resources()[1:]:
        kept.setdefault({"app_agent": "agents", "app_tool": "tools", "app_toolset": "toolsets"}[kind], []).append(
            document
        )
    bundle = bundle_of_version({"snapshot": kept})
    assert sorted(map(str, bundle)) == sorted(map(str, resources()))
    assert bundle_of_version({}) == [["app", "", {}]]


def test_an_app_without_a_root_agent_has_nothing_to_start_with() -> None:
    assert compiled(rootAgent="gone").start_playbook == ""


def test_an_example_with_a_call_of_nothing_is_not_shown() -> None:
    messages = [{"role": "root", "chunks": [{"toolCall": {"tool": "gone"}}, {"text": "Done."}]}]
    name = f"{APP}/examples/e"
    snapshot = compiled(["app_example", name, {"name": name, "displayName": "E", "messages": messages}])
    assert root_of(snapshot).examples == ()


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["", "x", ROOT, WEATHER, PETS]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_FIELDS), inner, max_size=4),
    max_leaves=10,
)


@given(st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.dictionaries(st.sampled_from(_FIELDS), _JUNK))))
def test_an_app_compiles_whatever_its_resources_hold(documents: list[tuple[str, JsonObject]]) -> None:
    names = {"app": APP, "app_agent": ROOT, "app_tool": WEATHER, "app_toolset": PETS}
    junk: list[list[JsonValue]] = [[kind, names.get(kind, f"{APP}/{kind}/x"), each] for kind, each in documents]
    first, again = (compile_snapshot(APP, "d", [*resources(), *junk], Toolbox(Remembering())) for _ in range(2))
    assert {name: view.declarations for name, view in first.playbooks.items()} == {
        name: view.declarations for name, view in again.playbooks.items()
    }
