"""Which playbooks the planner can follow."""

import pytest

from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    Entry,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    ModelTurn,
    UserText,
)
from openplaybook.models.offline.competence import lines_looked_at, shortfall
from openplaybook.resources.compiled_forms import InstructionStep
from openplaybook.resources.playbook_instructions import find_references

NOTHING = "it has no tool, no other playbook and no example that the offline model could go by"
LANGUAGE = "the offline model speaks English, German, Spanish, French, Portuguese, Italian, Japanese and Korean only"


def declared(name: str, description: str, kind: DeclarationKind = DeclarationKind.TOOL) -> Declaration:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    return Declaration(name, description, schema, None, kind, reference=name, action=name)


WEATHER = declared("get_weather", "The weather in a city.")
TICKETS = declared("issue", "Purchases admission for concerts.")


def playbook(
    *steps: str,
    goal: str = "Help people.",
    functions: tuple[Declaration, ...] = (WEATHER,),
    examples: tuple[tuple[Entry, ...], ...] = (),
    language_code: str = "en",
) -> ModelTurn:
    return ModelTurn(
        playbook="Start",
        declarations=functions,
        goal=goal,
        instructions=tuple(InstructionStep(step, tuple(find_references(step))) for step in steps),
        examples=tuple(ExampleDialogue(f"e{n}", entries) for n, entries in enumerate(examples)),
        conversation=(),
        language_code=language_code,
    )


def calling(function: str, text: str) -> tuple[Entry, ...]:
    """An example in which these words lead to a call."""
    call = FunctionCall("c", function, {"city": "Oslo"})
    return (UserText(text), call, FunctionResult("c", function, {"temperature": 3}), AgentText("It is 3 degrees."))


def test_a_function_that_the_instructions_speak_of_can_be_followed() -> None:
    assert shortfall(playbook("Tell users the weather in a city with ${TOOL: get_weather}.")) == ""


def test_a_goal_that_speaks_of_the_function_is_enough() -> None:
    assert shortfall(playbook("Use ${TOOL: get_weather}.", goal="Tell the weather in a city.")) == ""


def test_without_anything_to_go_by_a_model_is_needed() -> None:
    assert shortfall(playbook("Give good advice on gardens.", functions=())) == NOTHING
    closing = declared("end_conversation", "Ends the conversation.", DeclarationKind.CLOSE)
    assert shortfall(playbook("Give good advice on gardens.", functions=(closing,))) == NOTHING


def test_a_function_that_no_text_leads_to_needs_a_model() -> None:
    assert shortfall(playbook("Once you have all details, redirect to ${TOOL: issue}.", functions=(TICKETS,))) == (
        "neither goal, instructions nor examples tell the offline model when to use issue"
    )


def test_an_example_shows_when_a_function_is_called() -> None:
    example = calling("issue", "I want to see the opera in Oslo")
    text = "Once you have all details, redirect to ${TOOL: issue}."
    assert shortfall(playbook(text, "Be kind and brief.", functions=(TICKETS,), examples=(example,))) == ""


def test_instructions_that_are_mostly_prose_need_a_model() -> None:
    prose = ("Explain how clouds come about.", "Never promise sunshine.", "Compare today with the last years.")
    assert shortfall(playbook("Tell the weather in a city with ${TOOL: get_weather}.", *prose)) == (
        "3 of 4 lines of its instructions are not covered by a tool, playbook or example"
    )


def test_half_of_the_lines_may_be_prose() -> None:
    shown = ("Greet the user.", "Ask for the city.", "Tell the weather in a city with ${TOOL: get_weather}.")
    prose = ("Explain how clouds come about.", "Never promise sunshine.", "Compare today with the last years.")
    assert shortfall(playbook(*shown, *prose)) == ""


def test_lines_of_one_long_text_are_looked_at_one_by_one() -> None:
    text = "<role>\nGreet the user.\n</role>\nExplain how clouds come about.\nNever promise sunshine."
    goal = "Tell the weather in a city."
    assert shortfall(playbook(text, goal=goal)).startswith("2 of 3 lines of its instructions ")


def test_words_alone_are_enough_where_examples_show_them() -> None:
    said = (UserText("When do you open on Sundays?"), AgentText("At ten."))
    assert shortfall(playbook("When do you open on Sundays?", functions=(), examples=(said,))) == ""
    assert shortfall(playbook("Give good advice.", "Tell jokes about cats.", functions=(), examples=(said,))) == (
        "2 of 2 lines of its instructions are not covered by a tool, playbook or example"
    )


@pytest.mark.parametrize(
    ("code", "answer"),
    [("de-AT", ""), ("fr", ""), ("", ""), ("ja", ""), ("pt-BR", ""), ("nl", LANGUAGE), ("zh-CN", LANGUAGE)],
)
def test_other_languages_than_its_own_need_a_model(code: str, answer: str) -> None:
    assert shortfall(playbook("Tell the weather in a city.", language_code=code)) == answer


def test_texts_in_another_writing_need_a_model_whatever_the_agent_says_it_speaks() -> None:
    step = "使用 ${TOOL: get_weather} 告诉客户城市的天气"
    assert shortfall(playbook(step, goal="告诉客户天气")) == LANGUAGE


def test_japanese_is_read_where_an_example_shows_when_a_tool_is_called() -> None:
    step = "${TOOL: get_weather} を使って都市の天気を教えてください"
    assert shortfall(playbook(step, goal="お客様に天気を教える")) != LANGUAGE


@pytest.mark.parametrize(("functions", "lines"), [(0, 200), (5, 200), (300, 200), (600, 100), (3000, 20), (10_000, 20)])
def test_where_functions_are_many_the_first_lines_speak_for_all(functions: int, lines: int) -> None:
    assert lines_looked_at(functions) == lines


def test_lines_behind_those_that_are_looked_at_are_not_counted() -> None:
    prose = ["Explain how clouds come about."] * 300
    assert shortfall(playbook("Tell the weather in a city with ${TOOL: get_weather}.", *prose)) == (
        "199 of 200 lines of its instructions are not covered by a tool, playbook or example"
    )


def test_a_checkpoint_before_each_line_can_end_the_work() -> None:
    steps, calls = ["Explain how clouds come about."] * 10, 0

    def checkpoint() -> None:
        nonlocal calls
        calls += 1
        if calls == end:
            raise TimeoutError

    end = 0
    shortfall(playbook(*steps), checkpoint)
    assert calls == 10
    end, calls = 3, 0
    with pytest.raises(TimeoutError):
        shortfall(playbook(*steps), checkpoint)
    assert calls == 3
