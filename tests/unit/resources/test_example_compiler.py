import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.call_spellings import OPENAPI, ActionFacts
from openplaybook.resources.compiled_forms import (
    Example,
    ExampleAgent,
    ExamplePlaybookCall,
    ExampleToolUse,
    ExampleUser,
)
from openplaybook.resources.example_compiler import compile_example
from openplaybook.resources.findings import Finding, Severity

DESK = "projects/p/locations/l/agents/a/playbooks/desk"
PET = {"petId": 7, "requestBody": {"name": "Rex"}}
AS_LIST = [{"name": "petId", "value": 7}, {"name": "requestBody", "value": {"name": "Rex"}}]


def entries_of(*actions: JsonValue, found: list[Finding] | None = None) -> tuple[object, ...]:
    sink = (found if found is not None else []).append
    return compile_example({"actions": list(actions)}, DESK, report=sink).entries


def test_a_whole_example_is_compiled() -> None:
    found: list[Finding] = []
    resource = {
        "name": f"{DESK}/examples/1",
        "displayName": "Find a pet",
        "description": "not shown",
        "languageCode": "en",
        "retrievalStrategy": "STATIC",
        "conversationState": "OUTPUT_STATE_ESCALATED",
        "playbookInput": {"precedingConversationSummary": "Before.", "actionParameters": {"owner": "Ann"}},
        "playbookOutput": {"executionSummary": "After.", "actionParameters": {"done": True}, "state": "OK"},
        "actions": [
            {"userUtterance": {"text": " Hello "}},
            {"agentUtterance": {"text": "Hi"}},
            {"toolUse": {"tool": "pets", "action": "getPet", "inputActionParameters": {"petId": 7}}},
            {
                "playbookInvocation": {
                    "playbook": "Orders",
                    "playbookInput": {"parameters": [{"name": "id", "value": 1}]},
                    "playbookOutput": {"actionParameters": {"ok": True}},
                }
            },
        ],
    }
    assert compile_example(resource, DESK, report=found.append) == Example(
        name=f"{DESK}/examples/1",
        display_name="Find a pet",
        playbook=DESK,
        language_code="en",
        strategy="STATIC",
        entries=(
            ExampleUser(" Hello "),
            ExampleAgent("Hi"),
            ExampleToolUse("pets", "getPet", {"petId": 7}, {}),
            ExamplePlaybookCall("Orders", {"id": 1}, {"ok": True}),
        ),
        inputs={"owner": "Ann"},
        outputs={"done": True},
        preceding_summary="Before.",
        execution_summary="After.",
        end_state="ESCALATED",
    )
    assert found == []


def test_an_empty_resource_is_an_empty_example() -> None:
    assert compile_example({}, DESK) == Example("", "", DESK, "", "DEFAULT", ())


@pytest.mark.proves("G5")
@pytest.mark.parametrize(
    "inputs",
    [
        {"inputActionParameters": PET},
        {"inputParameters": AS_LIST},
        {"inputParameters": PET},
        {"inputActionParameters": PET, "inputParameters": AS_LIST},
        {"inputActionParameters": {}, "inputParameters": AS_LIST},
    ],
)
@pytest.mark.parametrize(
    "outputs",
    [
        {"outputActionParameters": {"200": {"id": 7}}},
        {"outputParameters": [{"name": "200", "value": {"id": 7}}]},
        {"outputParameters": {"200": {"id": 7}}},
    ],
)
def test_values_are_read_as_object_and_as_list(inputs: JsonObject, outputs: JsonObject) -> None:
    use = {"tool": "pets", "action": "updatePet", **inputs, **outputs}
    assert entries_of({"toolUse": use}) == (ExampleToolUse("pets", "updatePet", PET, {"200": {"id": 7}}),)


def test_what_is_known_of_the_action_decides_on_its_spelling() -> None:
    asked: list[tuple[str, str]] = []

    def facts(tool: str, action: str) -> ActionFacts:
        asked.append((tool, action))
        return ActionFacts(OPENAPI, frozenset({"petId"}))

    use = {
        "tool": "pets",
        "action": "updatePet",
        "inputParameters": [{"name": "updatePet input", "value": {"petId": 7, "name": "Rex"}}],
        "outputParameters": [{"name": "updatePet output", "value": {"id": 7}}],
    }
    entries = compile_example({"actions": [{"toolUse": use}]}, DESK, facts).entries
    assert entries == (ExampleToolUse("pets", "updatePet", PET, {"200": {"id": 7}}),)
    assert asked == [("pets", "updatePet")]


@pytest.mark.parametrize(
    ("resource", "state"),
    [
        ({"conversationState": "OUTPUT_STATE_OK"}, "OK"),
        ({"conversationState": "OUTPUT_STATE_PENDING"}, "PENDING"),
        ({"playbookOutput": {"state": "CANCELLED"}}, "CANCELLED"),
        ({"conversationState": "OUTPUT_STATE_UNSPECIFIED", "playbookOutput": {"state": "FAILED"}}, "FAILED"),
        ({"conversationState": "OUTPUT_STATE_OK", "playbookOutput": {"state": "FAILED"}}, "OK"),
        ({"playbookOutput": {"state": "STATE_UNSPECIFIED"}}, ""),
    ],
)
def test_the_end_state_stands_in_one_of_two_places(resource: JsonObject, state: str) -> None:
    found: list[Finding] = []
    assert compile_example(resource, DESK, report=found.append).end_state == state
    assert found == []


@pytest.mark.parametrize(
    ("value", "strategy"), [("DEFAULT", "DEFAULT"), ("NEVER", "NEVER"), ("RETRIEVAL_STRATEGY_UNSPECIFIED", "DEFAULT")]
)
def test_the_strategy_is_read(value: str, strategy: str) -> None:
    assert compile_example({"retrievalStrategy": value}, DESK).strategy == strategy


@pytest.mark.parametrize(
    ("resource", "path", "severity"),
    [
        ({"retrievalStrategy": "OFTEN"}, "$.retrievalStrategy", Severity.WARNING),
        ({"conversationState": "DONE"}, "$.conversationState", Severity.WARNING),
        ({"playbookOutput": {"state": 3}}, "$.playbookOutput.state", Severity.WARNING),
        ({"playbookInput": {"actionParameters": 3}}, "$.playbookInput.actionParameters", Severity.ERROR),
        ({"actions": [{"userUtterance": {}}]}, "$.actions[0].userUtterance", Severity.WARNING),
        ({"actions": [{"agentUtterance": {"text": " "}}]}, "$.actions[0].agentUtterance", Severity.WARNING),
        ({"actions": [{"toolUse": {"action": "a"}}]}, "$.actions[0].toolUse.tool", Severity.ERROR),
        ({"actions": [{"toolUse": {"tool": "a"}}]}, "$.actions[0].toolUse.action", Severity.WARNING),
        ({"actions": [{"playbookInvocation": {}}]}, "$.actions[0].playbookInvocation.playbook", Severity.ERROR),
        ({"actions": [{"playbookTransition": {}}]}, "$.actions[0].playbookTransition.playbook", Severity.ERROR),
        ({"actions": [{"flowInvocation": {"flow": "f"}}]}, "$.actions[0].flowInvocation", Severity.REMARK),
        ({"actions": [{"llmCall": {}}]}, "$.actions[0]", Severity.WARNING),
        ({"actions": [5]}, "$.actions[0]", Severity.WARNING),
    ],
)
def test_what_cannot_be_used_is_told_with_its_place(resource: JsonObject, path: str, severity: Severity) -> None:
    found: list[Finding] = []
    compile_example(resource, DESK, report=found.append)
    assert [(finding.path, finding.severity) for finding in found] == [(path, severity)]


def test_listed_values_without_a_name_of_their_own_are_left_out_and_told() -> None:
    found: list[Finding] = []
    listed = [{"value": 1}, {"name": "a", "value": 2}, {"name": "a", "value": 3}, {"name": "b"}]
    use = {"tool": "t", "action": "a", "inputParameters": listed}
    assert entries_of({"toolUse": use}, found=found) == (ExampleToolUse("t", "a", {"a": 2, "b": None}, {}),)
    assert [finding.path for finding in found] == [
        "$.actions[0].toolUse.inputParameters[0]",
        "$.actions[0].toolUse.inputParameters[2].name",
    ]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
action = st.dictionaries(
    st.sampled_from(["userUtterance", "agentUtterance", "toolUse", "playbookInvocation", "flowInvocation", "event"]),
    values
    | st.dictionaries(
        st.sampled_from(["text", "tool", "action", "playbook", "inputParameters", "inputActionParameters"]), values
    ),
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "name": values,
            "actions": st.lists(action, max_size=3) | values,
            "playbookInput": values,
            "playbookOutput": st.dictionaries(st.sampled_from(["state", "parameters", "actionParameters"]), values),
            "conversationState": values,
            "retrievalStrategy": values,
        },
    )
)
def test_odd_resources_never_raise(resource: JsonObject) -> None:
    assert isinstance(compile_example(resource, DESK), Example)


def test_a_transition_is_a_call_that_gives_nothing_back() -> None:
    action = {"playbookTransition": {"playbook": "Pay", "inputActionParameters": {"sum": 3}}}
    assert compile_example({"actions": [action]}, "p").entries == (ExamplePlaybookCall("Pay", {"sum": 3}, {}),)
