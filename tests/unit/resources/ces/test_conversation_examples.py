import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.call_spellings import AS_GIVEN, OPENAPI, ActionFacts
from openplaybook.resources.ces.app_directory import DirectoryEntry
from openplaybook.resources.ces.conversation_examples import compile_example
from openplaybook.resources.compiled_forms import (
    Example,
    ExampleAgent,
    ExamplePlaybookCall,
    ExampleToolUse,
    ExampleUser,
)
from openplaybook.resources.findings import Finding, Severity
from tests.unit.resources.ces.app import APP, ASK, BILLING, GET_PET, PETS, ROOT, directory

END = f"{APP}/tools/end_session"


def said(role: str, text: str) -> JsonObject:
    return {"role": role, "chunks": [{"text": text}]}


def agent(*chunks: JsonObject) -> JsonObject:
    return {"role": "root_agent", "chunks": list(chunks)}


def compiled(*messages: JsonObject, found: list[Finding] | None = None, **more: object) -> tuple[Example, ...]:
    def facts(tool: str, action: str) -> ActionFacts:
        is_api = tool == PETS
        return ActionFacts(OPENAPI, frozenset({"id"}), True) if is_api else ActionFacts(AS_GIVEN)

    def action(target: DirectoryEntry) -> str:
        return target.operation or "get_pet_by_id"

    document = {"name": "e", "displayName": "Example", "messages": list(messages), **more}
    sink = (lambda finding: None) if found is None else found.append
    return compile_example(document, ROOT, directory(), action, facts, sink)


def test_words_and_a_call_with_its_response_become_entries() -> None:
    call = {"tool": GET_PET, "id": "1", "args": {"input": {"id": 7}}}
    response = {"tool": GET_PET, "id": "1", "response": {"output": {"name": "Rex"}}}
    (example,) = compiled(
        said("user", "Who is 7?"), agent({"toolCall": call}), agent({"toolResponse": response}), agent({"text": "Rex."})
    )
    assert example == Example(
        name="e",
        display_name="Example",
        playbook=ROOT,
        language_code="",
        strategy="DEFAULT",
        entries=(
            ExampleUser("Who is 7?"),
            ExampleToolUse(GET_PET, "get_pet_by_id", {"input": {"id": 7}}, {"name": "Rex"}),
            ExampleAgent("Rex."),
        ),
    )


def test_a_toolsets_call_is_on_the_canonical_shape_of_openapi() -> None:
    tool = {"toolsetTool": {"toolset": PETS, "toolId": "getPet"}}
    (example,) = compiled(
        said("user", "7"),
        agent({"toolCall": {**tool, "args": {"id": 7, "color": "red"}}}),
        agent({"toolResponse": {**tool, "response": {"name": "Rex"}}}),
    )
    assert example.entries[1] == ExampleToolUse(
        PETS, "getPet", {"id": 7, "requestBody": {"color": "red"}}, {"200": {"name": "Rex"}}
    )


@pytest.mark.parametrize(
    ("response", "output"),
    [
        ({"output": "done"}, {"result": "done"}),
        ({"output": {"a": 1}}, {"a": 1}),
        ({"error": "no"}, {"error": "no"}),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ({}, {}),
    ],
)
def test_the_result_is_output_or_error_or_all_of_the_response(response: JsonObject, output: JsonObject) -> None:
    call, answer = {"tool": "get_pet", "id": "1"}, {"tool": "get_pet", "id": "1", "response": response}
    (example,) = compiled(agent({"toolCall": call}, {"toolResponse": answer}))
    assert example.entries == (ExampleToolUse(GET_PET, "get_pet_by_id", {}, output),)


def test_a_transfer_makes_an_example_of_each_agent() -> None:
    first, second = compiled(
        said("user", "Hello"),
        agent({"text": "Hi."}),
        said("user", "My bill?"),
        agent({"agentTransfer": {"targetAgent": BILLING}}),
        agent({"text": "12 euros."}),
    )
    assert (first.playbook, first.entries[-1]) == (ROOT, ExamplePlaybookCall(BILLING, {}, {}))
    assert (second.playbook, second.entries) == (BILLING, (ExampleUser("My bill?"), ExampleAgent("12 euros.")))


@pytest.mark.parametrize("argument", ["agent", "agent_name"])
def test_a_call_of_the_transfer_tool_is_a_transfer_and_is_not_told_twice(argument: str) -> None:
    first, second = compiled(
        said("user", "My bill?"),
        agent({"toolCall": {"tool": "transfer_to_agent", "args": {argument: "Billing"}}}),
        agent({"agentTransfer": {"targetAgent": BILLING}}),
        agent({"text": "12 euros."}),
    )
    assert first.entries == (ExampleUser("My bill?"), ExamplePlaybookCall(BILLING, {}, {}))
    assert second.entries == (ExampleUser("My bill?"), ExampleAgent("12 euros."))


@pytest.mark.parametrize(
    ("arguments", "state", "summary"),
    [
        ({}, "OK", ""),
        ({"session_escalated": True, "reason": "asked for a person"}, "ESCALATED", "asked for a person"),
    ],
)
def test_the_end_of_the_session_is_the_end_of_the_example(arguments: JsonObject, state: str, summary: str) -> None:
    (example,) = compiled(
        said("user", "Bye"),
        agent({"text": "Bye."}, {"toolCall": {"tool": END, "args": arguments}}),
        agent({"text": "never said"}),
    )
    assert (example.end_state, example.execution_summary) == (state, summary)
    assert example.entries == (ExampleUser("Bye"), ExampleAgent("Bye."))


def test_an_agent_that_is_a_tool_is_called_like_one() -> None:
    (example,) = compiled(agent({"toolCall": {"tool": ASK, "args": {"request": "12?"}}}))
    assert example.entries == (ExampleToolUse(ASK, "get_pet_by_id", {"request": "12?"}, {}),)


def test_variables_in_the_beginning_are_the_inputs() -> None:
    (example,) = compiled(agent({"defaultVariables": {"city": "Bonn"}}), said("user", "Hi"))
    assert (example.inputs, example.entries) == ({"city": "Bonn"}, (ExampleUser("Hi"),))


def test_the_entry_agent_has_the_example() -> None:
    assert [each.playbook for each in compiled(said("user", "Hi"), entryAgent=BILLING)] == [BILLING]


def test_an_invalid_example_is_left_out() -> None:
    found: list[Finding] = []
    assert compiled(said("user", "Hi"), invalid=True, found=found) == ()
    assert [(each.path, each.severity) for each in found] == [("$.invalid", Severity.REMARK)]


def test_what_cannot_be_shown_is_told_with_its_place() -> None:
    found: list[Finding] = []
    (example,) = compiled(
        agent({"toolCall": {"tool": "nothing"}}, {"agentTransfer": {"targetAgent": "nobody"}}, {"image": {}}),
        found=found,
    )
    assert [(each.path, each.severity) for each in found] == [
        ("$.messages[0].chunks[0].toolCall", Severity.ERROR),
        ("$.messages[0].chunks[1].agentTransfer.targetAgent", Severity.ERROR),
        ("$.messages[0].chunks[2]", Severity.REMARK),
    ]
    assert example.entries == (ExampleToolUse("nothing", "", {}, {}), ExamplePlaybookCall("nobody", {}, {}))
    assert compiled(said("user", "Hi"), entryAgent="nobody", found=found) == ()
    assert found[-1] == Finding("$.entryAgent", "'nobody' is not an agent of the app", Severity.ERROR)
