"""Functions that take questions as they stand: asked where nothing else is meant, and their answers given back."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    Effect,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    UserText,
)
from tests.unit.models.offline.agents import pets
from tests.unit.models.offline.talk import Agent, Talk

DOCS = "docs"
TEXT = "Hamsters are fed once a day."
SNIPPET = {"title": "Hamsters", "text": TEXT, "uri": ""}
BODY: JsonObject = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "filter": {"type": "string"}},
    "required": ["query"],
}
DECLARATION = Declaration(
    name=DOCS,
    description="Knows how hamsters and other animals are cared for.",
    input_schema={"type": "object", "properties": {"requestBody": BODY}, "required": ["requestBody"]},
    output_schema=None,
    kind=DeclarationKind.TOOL,
    reference=DOCS,
    action=DOCS,
    as_question=lambda words: {"requestBody": {"query": words}},
    effect=Effect.READS,
)
EXAMPLE = ExampleDialogue(
    "Care",
    (
        UserText("What do rabbits eat?"),
        FunctionCall("1", DOCS, {"requestBody": {"query": "food of rabbits"}}),
        FunctionResult("1", DOCS, {"200": {"answer": "Hay.", "snippets": []}}),
        AgentText("Mostly hay."),
    ),
)


def talk(answer: str, *examples: ExampleDialogue) -> Talk:
    """With the demo agent, which can look things up as well."""
    agent = pets.agent()
    output = {"200": {"answer": answer, "snippets": [SNIPPET] if answer else []}}
    functions = {**agent.functions, DOCS: lambda arguments: (output, False)}
    return Talk(Agent(agent.goal, (*agent.declarations, DECLARATION), (*agent.examples, *examples), functions))


@pytest.mark.parametrize("examples", [(), (EXAMPLE,)])
async def test_a_question_that_nothing_else_fits_is_asked_as_it_stands(examples: tuple[ExampleDialogue, ...]) -> None:
    talked = talk(TEXT, *examples)
    assert await talked.say("How often should hamsters be fed?") == TEXT
    assert talked.calls == [(DOCS, {"requestBody": {"query": "How often should hamsters be fed?"}})]


async def test_a_question_like_an_examples_is_asked_in_its_own_words() -> None:
    talked = talk("Carrots, seldom.", EXAMPLE)
    assert await talked.say("What do guinea pigs eat?") == "Carrots, seldom."
    assert talked.calls == [(DOCS, {"requestBody": {"query": "What do guinea pigs eat?"}})]


async def test_a_follow_up_is_asked_too() -> None:
    talked = talk(TEXT)
    await talked.say("How often should hamsters be fed?")
    await talked.say("And what about mice?")
    assert talked.calls == [(DOCS, {"requestBody": {"query": "And what about mice?"}})]


async def test_without_an_answer_it_is_said_that_nothing_was_found() -> None:
    assert await talk("").say("How often should hamsters be fed?") == "I didn't find anything."


async def test_what_another_function_does_goes_to_that_and_small_talk_to_none() -> None:
    talked = talk(TEXT)
    await talked.say("Hello!")
    await talked.say("Show me pet 1")
    assert [name for name, _ in talked.calls] == ["getPet"]


@pytest.mark.parametrize(
    "words",
    [
        "ハムスターの餌は何回ですか",
        "แฮมสเตอร์กินอาหารวันละกี่ครั้ง",
        "कितनी बार खिलाएँ?",
        "Как часто кормить хомяка?",
        "¿Cada cuánto come un hámster?",
    ],
)
async def test_questions_of_any_language_are_asked(words: str) -> None:
    talked = talk(TEXT)
    await talked.say(words)
    assert talked.calls == [(DOCS, {"requestBody": {"query": words}})]


@pytest.mark.parametrize("words", ["???", "and the of"])
async def test_what_says_nothing_is_not_asked(words: str) -> None:
    talked = talk(TEXT)
    await talked.say(words)
    assert talked.calls == []
