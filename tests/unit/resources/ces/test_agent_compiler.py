import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.agent_compiler import AppFacts, compile_agent, compile_model_settings, models_of
from openplaybook.resources.ces.content_filters import compile_guardrail
from openplaybook.resources.ces.system_tools import END_FUNCTION
from openplaybook.resources.ces.transfers import Relatives, relatives_of
from openplaybook.resources.compiled_forms import (
    AgentTool,
    InstructionStep,
    LlmSettings,
    Playbook,
    Reference,
    ReferenceKind,
)
from openplaybook.resources.playbook_handlers import HandlerStage
from tests.unit.resources.ces.app import ASK, BILLING, GET_PET, PETS, ROOT, SUPPORT, WORDS, directory, documents

TOOL, AGENT = ReferenceKind.TOOL, ReferenceKind.PLAYBOOK


def compiled(name: str, app: JsonObject | None = None, **changes: JsonObject) -> Playbook:
    """An agent of the small app, with changes to agents by id."""
    stored = {
        name: {**document, **changes.get(name.rsplit("/", 1)[-1], {})}
        for kind, name, document in documents()
        if kind == "app_agent"
    }
    tools = {name: document for kind, name, document in documents() if kind == "app_tool"}
    banned = {"matchType": "SIMPLE_STRING_MATCH", "bannedContents": ["x"]}
    guardrail = compile_guardrail({"name": WORDS, "enabled": True, "contentFilter": banned})
    assert guardrail is not None
    relatives = relatives_of(stored, directory())
    facts = AppFacts(
        directory(),
        stored,
        tools,
        relatives,
        models_of(stored, relatives),
        guardrails={WORDS: guardrail},
        **(app or {}),
    )
    return compile_agent(name, facts)


def test_an_agent_is_a_playbook_that_gives_way_to_others() -> None:
    playbook = compiled(ROOT, root={"description": "Greets.", "instruction": "Be kind."})
    assert playbook == Playbook(
        name=ROOT,
        display_name="Root agent",
        goal="Greets.",
        steps=(InstructionStep("Be kind."),),
        is_routine=True,
        description="Greets.",
        has_variables=True,
        transfers=(BILLING, SUPPORT),
    )


def test_tools_and_toolsets_are_attached_in_order_and_once() -> None:
    playbook = compiled(ROOT, root={"tools": ["get_pet", GET_PET, "unknown"], "toolsets": [{"toolset": PETS}]})
    assert (playbook.referenced_tools, playbook.offered_actions) == ((GET_PET, PETS), {})


def test_of_a_toolset_the_named_operations_are_offered_in_either_spelling() -> None:
    chosen = {"toolset": PETS, "toolIds": ["getPet", "pets_addPet"]}
    assert compiled(ROOT, root={"toolsets": [chosen]}).offered_actions == {PETS: frozenset({"getPet", "addPet"})}
    single = compiled(ROOT, root={"tools": ["pets.getPet", "pets_addPet"]})
    assert (single.referenced_tools, single.offered_actions) == ((PETS,), {PETS: frozenset({"getPet", "addPet"})})


def test_the_end_of_the_session_is_a_function_where_the_tool_is_listed() -> None:
    assert compiled(ROOT).end_function is None
    assert compiled(ROOT, root={"tools": ["end_session"]}).end_function == END_FUNCTION


def test_an_agent_tool_is_a_playbook_that_is_called() -> None:
    assert compiled(ROOT, root={"tools": [ASK]}).agent_tools == (AgentTool("ask_billing", "Asks.", BILLING, ASK),)


def test_references_are_named_as_the_engine_knows_them() -> None:
    text = "{@AGENT: billing} {@TOOL: get_pet} {@TOOL: pets.getPet} {@TOOL: end_session} {@TOOL: gone} "
    text += "{@TOOL: transfer_to_agent}"
    (step,) = compiled(ROOT, root={"instruction": text}).steps
    assert step.text == text
    assert [(each.kind, each.name) for each in step.references] == [
        (AGENT, "Billing"),
        (TOOL, "get_pet_by_id"),
        (TOOL, "Pets API_getPet"),
        (TOOL, "end_session"),
        (TOOL, "gone"),
    ]
    assert step.references[0] == Reference(AGENT, "Billing", 0, 17)


def test_the_global_instruction_comes_first() -> None:
    (step,) = compiled(ROOT, {"global_instruction": "Be brief."}, root={"instruction": "Help."}).steps
    assert step.text == "Be brief.\n\nHelp."


def test_the_apps_guardrails_come_before_the_agents_and_count_once() -> None:
    assert compiled(ROOT).guardrails == ()
    both = compiled(ROOT, {"app_guardrails": ("Bad words",)}, root={"guardrails": [WORDS, "unknown"]})
    assert [each.name for each in both.guardrails] == [WORDS]


def test_a_model_is_the_parents_where_the_agent_names_none() -> None:
    own = {"modelSettings": {"model": "big", "temperature": 0.5}}
    assert compiled(ROOT, root=own).settings == LlmSettings(model="big", temperature=0.5)
    assert compiled(BILLING, root=own).settings == LlmSettings(model="big")
    assert compiled(BILLING, root=own, billing={"modelSettings": {"model": "small"}}).settings.model == "small"


def test_a_circle_of_parents_without_a_model_has_none() -> None:
    assert compiled(BILLING, billing={"childAgents": [ROOT]}).settings == LlmSettings()


def test_model_settings_that_are_not_set_are_left_to_the_level_above() -> None:
    assert compile_model_settings({"temperature": 0}) == LlmSettings(temperature=0.0)
    assert compile_model_settings(None) == LlmSettings()


def test_an_agent_of_dialogflow_elsewhere_says_that_it_is_not_run_here() -> None:
    playbook = compiled(ROOT, root={"remoteDialogflowAgent": {"agent": "projects/x/agents/y"}, "instruction": "no"})
    (handler,) = playbook.handlers
    assert (playbook.steps, playbook.transfers, handler.stage) == ((), (), HandlerStage.SELECTION)
    assert "projects/x/agents/y, which is not run here" in str(handler.fulfillment)


def test_parents_in_a_circle_give_the_next_model_of_it() -> None:
    parents = {"a": ["b"], "b": ["c"], "c": ["d"], "d": ["b"], "e": []}
    agents: dict[str, JsonObject] = {name: {} for name in parents}
    agents["a"] = {"modelSettings": {"model": "own"}}
    agents["c"] = {"modelSettings": {"model": "round"}}
    relatives = {name: Relatives(parents=above) for name, above in parents.items()}
    round_ = dict.fromkeys(("b", "c", "d"), "round")
    assert models_of(agents, relatives) == {"a": "own", **round_, "e": None}


@pytest.mark.timeout(10)
def test_thousands_of_agents_in_a_line_have_their_models_at_once() -> None:
    agents: dict[str, JsonObject] = {str(each): {} for each in range(20_000)}
    relatives = {name: Relatives(parents=[str(int(name) + 1)] if int(name) < 19_999 else []) for name in agents}
    agents["19999"] = {"modelSettings": {"model": "top"}}
    assert set(models_of(agents, relatives).values()) == {"top"}
