"""Calling other playbooks, going back to the caller, and calls one after the other."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Declaration, DeclarationKind, FunctionCall, FunctionResult, UserText
from tests.unit.models.offline.talk import Agent, Talk, example, function

TEXT: JsonObject = {"type": "string"}


def _ok(output: JsonValue) -> tuple[JsonValue, bool]:
    return output, False


def _end(properties: JsonObject, required: list[str]) -> Declaration:
    schema: JsonObject = {"type": "object", "properties": properties, "required": required}
    return Declaration("end_playbook", "Leave", schema, None, DeclarationKind.END, reference="")


def _child(with_end: bool = True) -> Agent:
    declarations = [function("quote", "Price of a parcel", {"weight": {"type": "number"}}, ["weight"])]
    if with_end:
        declarations.append(_end({"price": {"type": "number"}, "state": TEXT}, ["price"]))
    ended = example(
        "Price",
        "U: what does a parcel of weight 2 cost?",
        ("quote", {"weight": 2}, {"price": 5.5}),
        "A: That is 5.5 euros.",
        end_state="OK",
    )
    return Agent("Prices of parcels", tuple(declarations), (ended,), {"quote": lambda given: _ok({"price": 9.9})})


async def test_a_called_playbook_ends_with_its_outputs_where_an_example_ends() -> None:
    talk = Talk(_child())
    assert await talk.say("what does a parcel of weight 7 cost?") == "That is 9.9 euros."
    assert talk.calls == [("quote", {"weight": 7}), ("end_playbook", {"price": 9.9, "state": "OK"})]
    assert talk.rules == ["wanted_function", "answer_and_end"]


async def test_without_an_end_it_only_answers() -> None:
    talk = Talk(_child(with_end=False))
    await talk.say("what does a parcel of weight 7 cost?")
    assert talk.rules == ["wanted_function", "answer"]


async def test_a_playbook_with_a_missing_output_does_not_end() -> None:
    talk = Talk(_child())
    assert await talk.say("bye") == "Goodbye!"
    assert talk.calls == []


async def test_an_input_of_the_playbook_fills_a_needed_value() -> None:
    talk = Talk(_child(), inputs={"weight": 3})
    await talk.say("what does the parcel cost?")
    assert talk.calls[0] == ("quote", {"weight": 3})
    assert talk.rules[0] == "wanted_function"


async def test_another_playbook_is_called_by_the_same_evidence() -> None:
    schema: JsonObject = {"type": "object", "properties": {"city": {**TEXT, "description": "City"}}}
    travel = Declaration("travel", "Books trips to a city", schema, None, DeclarationKind.PLAYBOOK, reference="Travel")
    agent = Agent("Route people", (travel,), (), {"travel": lambda given: _ok({"state": "OK"})})
    talk = Talk(agent)
    assert await talk.say("I want to book a trip to Rome") == "Is there anything else I can do for you?"
    assert talk.calls == [("travel", {"city": "Rome"})]


async def test_a_second_call_follows_where_an_example_shows_it() -> None:
    shown = example(
        "Owner's phone",
        "U: phone number of the owner of boat 4",
        ("getBoat", {"boat": 4}, {"200": {"ownerId": "u-17"}}),
        ("getUser", {"user": "u-17"}, {"200": {"phone": "555-0100"}}),
        "A: The owner's phone number is 555-0100.",
    )
    agent = Agent(
        "Boats",
        (
            function("getBoat", "Get a boat", {"boat": {"type": "integer"}}, ["boat"]),
            function("getUser", "Get a user", {"user": TEXT}, ["user"]),
        ),
        (shown,),
        {
            "getBoat": lambda given: _ok({"200": {"ownerId": "u-99"}}),
            "getUser": lambda given: _ok({"200": {"phone": "555-0199"}}),
        },
    )
    talk = Talk(agent)
    assert await talk.say("phone number of the owner of boat 8") == "The owner's phone number is 555-0199."
    assert talk.calls == [("getBoat", {"boat": 8}), ("getUser", {"user": "u-99"})]


async def test_a_playbook_that_is_called_without_words_greets() -> None:
    talk = Talk(_child(with_end=False))
    reply = await talk.step()
    assert reply.text == "Hello! I can help with the following: price of a parcel."


async def test_a_result_of_a_function_that_is_no_longer_declared_is_told() -> None:
    talk = Talk(_child(with_end=False))
    talk.conversation = [UserText("go"), FunctionCall("1", "gone", {}), FunctionResult("1", "gone", {"left": 2})]
    assert (await talk.step()).text == "Here is what I found: left 2."


async def test_several_results_are_answered_together() -> None:
    talk = Talk(_child(with_end=False))
    talk.conversation = [
        UserText("prices"),
        FunctionCall("1", "quote", {"weight": 1}),
        FunctionCall("2", "quote", {"weight": 2}),
        FunctionResult("1", "quote", {"price": 3.5}),
        FunctionResult("2", "quote", {"price": 4.5}),
    ]
    assert (await talk.step()).text == "That is 3.5 euros.\nThat is 4.5 euros."


async def test_a_german_agent_answers_in_german() -> None:
    agent = Agent(
        "Auskunft über Häfen",
        (
            function(
                "hafen", "Liegeplätze eines Hafens", {"hafen": {**TEXT, "description": "Name des Hafens"}}, ["hafen"]
            ),
        ),
        (
            example(
                "Liegeplätze",
                "U: Wie viele Liegeplätze hat der Hafen Kiel?",
                ("hafen", {"hafen": "Kiel"}, {"plätze": 40}),
                "A: Der Hafen Kiel hat 40 Plätze.",
            ),
        ),
        {"hafen": lambda given: _ok({"plätze": 12})},
        language="de-AT",
    )
    talk = Talk(agent)
    assert await talk.say("Wie viele Liegeplätze hat der Hafen Husum?") == "Der Hafen Husum hat 12 Plätze."
    assert await talk.say("xyz") == (
        "Das habe ich leider nicht verstanden. Dabei kann ich helfen: Liegeplätze eines Hafens."
    )
    assert await talk.say("danke") == "Gern geschehen."


def _breakfast() -> Agent:
    shown = example("Hours", "U: when is breakfast?", "A: Breakfast is from 7 to 10.", end_state="OK")
    end = _end({"executionSummary": TEXT, "state": {**TEXT, "enum": ["OK", "CANCELLED"]}}, [])
    return Agent("Questions about breakfast", (end,), (shown,), {})


async def test_words_about_something_else_go_back_to_the_caller() -> None:
    talk = Talk(_breakfast())
    assert await talk.say("when is breakfast?") == "Breakfast is from 7 to 10."
    assert await talk.say("I need a taxi to the airport") == ""
    gone_on: JsonObject = {"executionSummary": "The user goes on: I need a taxi to the airport", "state": "CANCELLED"}
    assert talk.calls == [("end_playbook", gone_on)]


def _reception(result: JsonObject) -> Talk:
    schema: JsonObject = {"type": "object", "properties": {}}
    kind = DeclarationKind.PLAYBOOK
    playbooks = [
        Declaration("breakfast", "Answer questions about breakfast", schema, None, kind, reference="Breakfast"),
        Declaration("taxi", "Get a taxi for a guest", schema, None, kind, reference="Taxi"),
    ]
    agent = Agent("Help guests", tuple(playbooks), (), {"taxi": lambda given: _ok({"state": "OK"})})
    talk = Talk(agent)
    talk.conversation = [
        UserText("a question about breakfast"),
        FunctionCall("1", "breakfast", {}),
        FunctionResult("1", "breakfast", result),
    ]
    return talk


async def test_the_caller_takes_up_what_a_playbook_did_not_know() -> None:
    talk = _reception({"state": "OK", "executionSummary": "The user goes on: please get a taxi for me"})
    reply = await talk.step()
    assert [call.name for call in reply.calls] == ["taxi"]


async def test_what_a_playbook_did_not_know_is_not_put_to_it_again() -> None:
    talk = _reception({"state": "OK", "executionSummary": "The user goes on: more breakfast questions"})
    reply = await talk.step()
    assert reply.calls == ()
    assert reply.text.startswith("Sorry, I did not understand that.")


async def test_a_playbook_that_has_come_to_its_end_is_answered_as_before() -> None:
    talk = _reception({"state": "OK", "executionSummary": "Breakfast hours were told."})
    assert (await talk.step()).text == "Is there anything else I can do for you?"
