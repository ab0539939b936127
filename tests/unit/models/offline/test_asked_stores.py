"""Functions that take questions as they stand: asked where nothing else is meant, and their answers given back."""

from dataclasses import replace

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
from tests.unit.models.offline.agents import orders, pets
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
    return Talk(Agent(agent.goal, (*pets.DECLARATIONS, DECLARATION), (*agent.examples, *examples), functions))


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


NOT_FOUND = "I'm sorry, I couldn't find an answer to that."


async def test_words_that_nobody_knows_are_not_understood_where_the_store_has_nothing_for_them() -> None:
    agent = pets.agent()
    talked = Talk(agent)
    said = await talked.say("qwertz")
    assert talked.calls == [(pets.PET_CARE.name, {"requestBody": {"query": "qwertz"}})]
    assert said.startswith("Sorry, I did not understand that.")
    assert "list all pets" in said
    assert talked.rules == ["asked_store", "not_understood"]


@pytest.mark.parametrize(
    "words", ["How often are hamsters fed?", "vaccinations of ferrets", "Who won the cup?", "Как часто?"]
)
async def test_a_question_without_an_answer_is_told_so_in_the_words_of_the_store(words: str) -> None:
    talked = Talk(pets.agent())
    assert await talked.say(words) == NOT_FOUND


async def test_one_unknown_word_is_answered_where_the_store_knows_it() -> None:
    talked = talk(TEXT)
    assert await talked.say("hamsters") == TEXT


@pytest.mark.parametrize("words", ["list all pets", "show me all pets", "list all dogs", "which pets does Maria own?"])
async def test_what_takes_questions_does_not_change_how_words_are_read_for_others(words: str) -> None:
    agent = pets.agent()
    without, talked = Talk(replace(agent, declarations=pets.DECLARATIONS)), Talk(agent)
    await without.say(words)
    await talked.say(words)
    assert talked.calls == without.calls
    assert talked.calls[0][0] == "listPets"


@pytest.mark.parametrize(
    "words", ["where is my order AB-7777?", "show me my shipped orders", "cancel order AB-1001", "orders since May 3rd"]
)
async def test_what_takes_questions_does_not_change_another_agent_either(words: str) -> None:
    agent = orders.agent()
    taker = replace(DECLARATION, description="Answers about orders shipped, cancelled or open, and about refunds.")
    shown = ExampleDialogue(
        "Policy",
        (
            UserText("what happens to open orders?"),
            FunctionCall("1", DOCS, {"requestBody": {"query": "order status shipped AB-1001", "status": "order"}}),
            FunctionResult("1", DOCS, {"200": {"answer": "They are sent.", "snippets": [{"status": "orders"}]}}),
            AgentText("They are sent."),
        ),
    )
    functions = {**agent.functions, DOCS: lambda _: ({"200": {"answer": TEXT, "snippets": [SNIPPET]}}, False)}
    with_taker = replace(
        agent,
        declarations=(*agent.declarations, taker),
        examples=(*agent.examples, shown),
        functions=functions,
    )
    without, talked = Talk(agent), Talk(with_taker)
    assert await talked.say(words) == await without.say(words)
    assert talked.calls == without.calls
