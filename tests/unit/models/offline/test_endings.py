"""The planner and the end of the conversation."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Declaration, DeclarationKind, ExampleDialogue
from openplaybook.models.offline.language.handover import asks_for_person
from tests.unit.models.offline.talk import Agent, Function, Talk, example, function

SCHEMA = {
    "type": "object",
    "properties": {"state": {"type": "string", "enum": ["OK", "CANCELLED", "FAILED", "ESCALATED"]}},
}
CLOSE = Declaration("end_conversation", "", SCHEMA, None, DeclarationKind.CLOSE, "Start")
END = Declaration("end_playbook", "", SCHEMA, None, DeclarationKind.END, "Start")
ANGRY = example("Angry", "U: this is a scandal!", "A: I am sorry, a colleague will call you.", end_state="ESCALATED")


TEXT = {"type": "string"}


def agent(
    *declarations: Declaration, examples: tuple[ExampleDialogue, ...] = (), goal: str = "Help.", **functions: Function
) -> Agent:
    return Agent(goal, declarations, examples, functions)


@pytest.mark.parametrize("ending", [CLOSE, END])
async def test_an_example_that_ends_early_is_followed_to_its_end(ending: Declaration) -> None:
    talk = Talk(agent(ending, examples=(ANGRY,)))
    assert await talk.say("this is a scandal") == "I am sorry, a colleague will call you."
    assert (talk.calls, talk.rules) == ([(ending.name, {"state": "ESCALATED"})], ["like_an_example"])


async def test_an_example_that_ends_well_does_not_end_the_conversation() -> None:
    said = example("Hours", "U: when do you open?", "A: At nine.", end_state="OK")
    talk = Talk(agent(CLOSE, examples=(said,)))
    assert (await talk.say("when do you open?"), talk.calls) == ("At nine.", [])


END_SESSION = Declaration(
    "end_session",
    "",
    {"type": "object", "properties": {"session_escalated": {"type": "boolean"}}},
    None,
    DeclarationKind.CLOSE,
    "end_session",
)
"""How the conversations of apps end: their examples end where they call it."""


@pytest.mark.parametrize(("state", "arguments"), [("OK", {}), ("ESCALATED", {"session_escalated": True})])
async def test_an_example_of_an_app_is_followed_to_the_end_that_it_calls(state: str, arguments: JsonObject) -> None:
    said = example("All", "U: that was all for today", "A: See you.", end_state=state)
    talk = Talk(agent(END_SESSION, examples=(said,)))
    assert await talk.say("that was all for today") == "See you."
    assert (talk.calls, talk.rules) == ([("end_session", arguments)], ["like_an_example"])


@pytest.mark.parametrize(("state", "ends"), [("OK", [("end_session", {})]), ("", [])])
async def test_an_example_of_an_app_may_end_after_a_call(state: str, ends: list[tuple[str, JsonObject]]) -> None:
    stop = function("stop_timer", "Stops the timer", {})
    said = example("All", "U: stop the timer", ("stop_timer", {}, {"ok": True}), "A: Stopped.", end_state=state)
    talk = Talk(agent(END_SESSION, stop, examples=(said,), stop_timer=lambda _: ({"ok": True}, False)))
    assert (await talk.say("stop the timer"), talk.calls) == ("Stopped.", [("stop_timer", {}), *ends])


async def test_a_goodbye_ends_the_conversation_where_it_may_end() -> None:
    talk = Talk(agent(CLOSE))
    assert await talk.say("goodbye") == "Goodbye!"
    assert talk.calls == [("end_conversation", {"state": "OK"})]


async def test_a_goodbye_where_it_may_not_is_only_answered() -> None:
    talk = Talk(agent())
    assert (await talk.say("goodbye"), talk.calls) == ("Goodbye!", [])


async def test_thanks_do_not_end_the_conversation() -> None:
    talk = Talk(agent(CLOSE))
    await talk.say("thanks")
    assert talk.calls == []


async def test_a_user_who_wants_a_person_gets_one_where_the_playbook_knows_of_one() -> None:
    talk = Talk(agent(CLOSE, goal="Help, and hand off angry users."))
    assert await talk.say("let me talk to a human please") == "A colleague will take over from here."
    assert (talk.calls, talk.rules) == ([("end_conversation", {"state": "ESCALATED"})], ["wanted_person"])


async def test_where_it_knows_of_none_the_user_is_told_what_can_be_done() -> None:
    talk = Talk(agent(CLOSE, goal="Then end the conversation."))
    await talk.say("let me talk to a human please")
    assert (talk.calls, talk.rules) == ([], ["not_understood"])


async def test_a_call_that_fails_as_in_an_example_ends_as_there() -> None:
    order = function("findOrder", "Finds an order by its number", {"number": TEXT}, ["number"])
    failing = example(
        "Down",
        "U: where is order A1?",
        ("findOrder", {"number": "A1"}, {"503": {"message": "down"}}),
        "A: Our system is down, a colleague takes over.",
        end_state="ESCALATED",
    )
    working = example("Up", "U: where is order A2?", ("findOrder", {"number": "A2"}, {"at": "sea"}), "A: It is at sea.")
    down: JsonObject = {"error": {"code": "X", "message": "down"}}
    talk = Talk(agent(order, CLOSE, examples=(failing, working), findOrder=lambda arguments: (down, True)))
    await talk.say("where is order B3?")
    assert talk.calls[-1] == ("end_conversation", {"state": "ESCALATED"})


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("I want to speak to a human", True),
        ("connect me with a live agent!", True),
        ("can I talk to somebody?", True),
        ("real person please", True),
        ("Ich möchte mit einem Mitarbeiter sprechen", True),
        ("How many people work here?", False),
        ("talk to me about the weather", False),
        ("what does a travel agent earn?", False),
    ],
)
def test_who_asks_for_a_person_is_understood(text: str, asks: bool) -> None:
    assert asks_for_person(text) is asks
