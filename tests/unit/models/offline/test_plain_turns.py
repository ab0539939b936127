"""Functions whose arguments are in a language: filled from words, and learned from examples, in their plain form."""

from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    Effect,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    PlainForm,
    UserText,
)
from openplaybook.models.offline.plain_turns import PlainTurns
from tests.unit.models.offline.talk import Agent, Talk

FILTERED: JsonObject = {"type": "object", "properties": {"filter": {"type": "string"}}}
CITY: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def to_filter(values: JsonObject) -> JsonObject:
    return {"filter": f"city={values['city']}"} if "city" in values else values


def to_values(arguments: JsonObject) -> JsonObject:
    name, sign, value = str(arguments.get("filter", "")).partition("=")
    return {"city": value} if (name, sign) == ("city", "=") else arguments


LIST = Declaration(
    name="list_shops",
    description="Lists shops.",
    input_schema=FILTERED,
    output_schema=None,
    kind=DeclarationKind.TOOL,
    reference="shops",
    action="list_shops",
    plain=PlainForm(CITY, to_filter, to_values),
    effect=Effect.READS,
)


def example(user: str, arguments: JsonObject) -> ExampleDialogue:
    call, result = FunctionCall("1", LIST.name, arguments), FunctionResult("1", LIST.name, {"shops": ["Corner"]})
    return ExampleDialogue("Shops", (UserText(user), call, result, AgentText("There is Corner.")))


def talk(*examples: ExampleDialogue) -> Talk:
    found: tuple[JsonValue, bool] = ({"shops": ["Corner"]}, False)
    return Talk(Agent("Help with shops.", (LIST,), examples, {LIST.name: lambda arguments: found}))


async def test_a_value_that_an_example_has_within_a_condition_is_found_in_other_words() -> None:
    talked = talk(example("Which shops are in Bern?", {"filter": "city=Bern"}))
    await talked.say("Which shops are in Basel?")
    assert talked.calls == [(LIST.name, {"filter": "city=Basel"})]


async def test_what_the_plain_form_needs_is_asked_for() -> None:
    talked = talk()
    assert "city" in await talked.say("list shops")
    await talked.say("Basel")
    assert talked.calls == [(LIST.name, {"filter": "city=Basel"})]


async def test_what_an_example_does_without_is_not_needed() -> None:
    talked = talk(example("Show me all shops", {"filter": "size>3"}))
    await talked.say("Show me all shops")
    assert [name for name, _ in talked.calls] == [LIST.name]


def test_equal_declarations_and_examples_give_the_same_tuples() -> None:
    turns, turn = PlainTurns(), talk(example("Shops in Bern", {"filter": "city=Bern"})).turn()
    first = turns.plain(turn)
    assert [each.arguments for each in first.examples[0].entries if isinstance(each, FunctionCall)] == [
        {"city": "Bern"}
    ]
    again = turns.plain(replace(turn, declarations=(*turn.declarations,), examples=(*turn.examples,)))
    assert again.declarations is first.declarations
    assert again.examples is first.examples
    plain = replace(turn, declarations=(replace(LIST, plain=None),))
    assert turns.plain(plain) is plain
