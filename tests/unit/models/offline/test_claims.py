"""Functions that say themselves which words are for them, and what code gave that one of them ran."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    UserText,
)
from tests.unit.models.offline.agents import pets
from tests.unit.models.offline.talk import Agent, Talk

COMPUTE = "generate_and_execute"


def given(result: str = "", error: str = "") -> JsonObject:
    """An output in Google's form."""
    return {f"{COMPUTE} output": {"execution_result": result, "execution_error": error, "output_files": []}}


DECLARATION = Declaration(
    name=COMPUTE,
    description="Writes and runs Python code.",
    input_schema={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    output_schema=None,
    kind=DeclarationKind.TOOL,
    reference="code-interpreter",
    action=COMPUTE,
    claims=lambda words: {"query": words} if "+" in words else None,
)
EXAMPLE = ExampleDialogue(
    "Compute",
    (
        UserText("what is 4 + 4?"),
        FunctionCall("1", COMPUTE, {"query": "what is 4 + 4?"}),
        FunctionResult("1", COMPUTE, given("8")),
        AgentText("The result is 8."),
    ),
)


def talk(output: JsonValue, *examples: ExampleDialogue) -> Talk:
    """With the demo agent, which can compute as well."""
    agent = pets.agent()
    functions = {**agent.functions, COMPUTE: lambda arguments: (output, False)}
    return Talk(Agent(agent.goal, (*agent.declarations, DECLARATION), (*agent.examples, *examples), functions))


@pytest.mark.proves("B6", "X3")
async def test_words_that_a_function_claims_go_to_it_as_they_stand() -> None:
    talked = talk(given("51"), EXAMPLE)
    assert await talked.say("please, 17 + 34 = ?") == "The result is 51."
    assert talked.calls == [(COMPUTE, {"query": "please, 17 + 34 = ?"})]
    assert talked.rules == ["claimed", "answer"]


async def test_no_other_words_go_to_it_and_it_changes_nothing_for_other_functions() -> None:
    talked = talk(given("8"), EXAMPLE)
    assert await talked.say("list all pets") == await Talk(pets.agent()).say("list all pets")
    assert talked.calls == [("listPets", {})]
    sorry = await talked.say("what is the meaning of life?")
    assert sorry == await Talk(pets.agent()).say("what is the meaning of life?")


async def test_an_answer_to_a_question_is_not_taken_from_it() -> None:
    talked = talk(given("8"))
    await talked.say("where is the nearest shelter?")
    await talked.say("10115")
    assert talked.calls == [("nearest_shelter", {"zip_code": "10115"})]


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (given("8"), "Here is what I found: 8."),
        (given(error="Traceback\n  File\nValueError: no\nexit code 1"), "Sorry, that did not work: ValueError: no"),
        (given(error="ended by the limit: time"), "Sorry, that did not work: ended by the limit: time"),
        (given("half", "exit code 3"), "Sorry, that did not work: exit code 3"),
        (given(), "Done."),
    ],
)
async def test_what_code_gave_is_told_without_an_example(output: JsonObject, said: str) -> None:
    alone = Agent("Compute.", (DECLARATION,), (), {COMPUTE: lambda arguments: (output, False)})
    assert await Talk(alone).say("1 + 1") == said
