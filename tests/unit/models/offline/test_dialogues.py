"""Conversations without a single example: what was said turns ago counts, and words point back at what was found."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, FunctionCall, FunctionResult, UserText
from tests.unit.models.offline.agents import travel
from tests.unit.models.offline.talk import Talk

_FOUND = "find meeting rooms in Vienna"


async def _after(*said: str) -> Talk:
    talk = Talk(travel.agent())
    for text in said:
        await talk.say(text)
    return talk


async def test_members_of_what_was_found_are_told_without_another_call() -> None:
    talk = await _after(_FOUND)
    answer = await talk.say("what is the phone number of the second one?")
    assert (answer, talk.calls) == ("Here is what I found: phone number 555-0142.", [])
    answer = await talk.say("does it have wifi?")
    assert (answer, talk.calls) == ("Here is what I found: has wifi False.", [])


async def test_what_was_found_is_reserved_after_a_yes_that_carries_all_values() -> None:
    talk = await _after(_FOUND, "what is the phone number of the second one?")
    assert await talk.say("reserve it for March 3rd") == (
        "I will do the following: reserve a meeting room (room name: Garden Studio; city: Vienna; date: March 3rd). "
        "Is that right?"
    )
    assert talk.calls == []
    await talk.say("yes")
    assert talk.calls == [("reserve_room", {"room_name": "Garden Studio", "city": "Vienna", "date": "March 3rd"})]


async def test_there_and_that_day_stand_for_what_was_said_before() -> None:
    talk = await _after(_FOUND, "reserve the Blue Hall for March 3rd", "yes")
    await talk.say("what is the weather there that day?")
    assert talk.calls == [("get_weather", {"city": "Vienna", "date": "March 3rd"})]


async def test_one_value_of_the_last_call_changes_and_the_others_stay() -> None:
    talk = await _after("I need a train to Vienna", "from Hamburg", "tomorrow")
    await talk.say("what about next Friday?")
    assert talk.calls == [("find_trains", {"origin": "Hamburg", "destination": "Vienna", "date": "2026-11-27"})]
    await talk.say("and from Berlin instead?")
    assert talk.calls == [("find_trains", {"origin": "Berlin", "destination": "Vienna", "date": "2026-11-27"})]


async def test_a_correction_repeats_a_call_that_only_looks() -> None:
    talk = await _after("Can you find trains from Hamburg to Vienna on March 4th?")
    await talk.say("No, I meant March 5th")
    assert talk.calls == [("find_trains", {"origin": "Hamburg", "destination": "Vienna", "date": "March 5th"})]


async def test_a_thing_is_picked_by_its_name_and_then_booked_with_a_corrected_day() -> None:
    talk = await _after(_FOUND)
    await talk.say("I like the Garden Studio")
    assert talk.calls == []
    assert await talk.say("please book it") == "What is the day of the meeting?"
    await talk.say("on Monday")
    assert await talk.say("no, make that Tuesday") == (
        "I will do the following: reserve a meeting room (room name: Garden Studio; city: Vienna; "
        "date: November 24, 2026). Is that right?"
    )
    assert talk.calls == []
    await talk.say("yes")
    assert talk.calls == [("reserve_room", {"room_name": "Garden Studio", "city": "Vienna", "date": "2026-11-24"})]


async def test_what_was_found_before_something_else_is_still_known() -> None:
    talk = await _after(_FOUND, "show me trains there from Graz on Friday")
    assert talk.calls == [("find_trains", {"origin": "Graz", "destination": "Vienna", "date": "Friday"})]
    assert await talk.say("ok now reserve the Blue Hall") == "What is the day of the meeting?"
    await talk.say("for that day")
    assert talk.calls == []
    await talk.say("yes please")
    assert talk.calls == [("reserve_room", {"room_name": "Blue Hall", "city": "Vienna", "date": "Friday"})]


async def test_praise_and_thanks_call_nothing() -> None:
    talk = await _after(_FOUND)
    for said in ("sounds good", "not now", "thanks, that's all"):
        await talk.say(said)
        assert talk.calls == [], said


async def test_a_yes_to_nothing_that_was_asked_does_nothing() -> None:
    talk = await _after(_FOUND, "I like the Garden Studio")
    await talk.say("yes")
    assert talk.calls == []
    talk = await _after(_FOUND, "reserve the Blue Hall for March 3rd", "no")
    await talk.say("yes")
    assert talk.calls == []


async def test_a_wish_that_only_names_a_function_is_asked_about() -> None:
    talk = Talk(travel.agent())
    assert await talk.say("I would like to reserve something like a meeting place") != ""
    assert talk.calls == []


def _say_instead(talk: Talk, text: str) -> None:
    """Somebody else speaks for the agent: nothing but the conversation tells what has come before."""
    talk.conversation[-1], talk.planner = AgentText(text), {}


async def test_a_no_with_another_value_corrects_what_is_under_way() -> None:
    talk = await _after(_FOUND, "reserve the Blue Hall for March 3rd")
    _say_instead(talk, "Shall I reserve the Blue Hall in Vienna on March 3rd?")
    await talk.say("no, on March 12th")
    _say_instead(talk, "Shall I reserve the Blue Hall in Vienna on March 12th?")
    await talk.say("that is right")
    assert talk.calls == [("reserve_room", {"room_name": "Blue Hall", "city": "Vienna", "date": "March 12th"})]


async def test_what_the_agent_offers_after_a_failure_is_done_after_a_yes_to_all_of_it() -> None:
    talk = await _after(_FOUND)
    arguments: JsonObject = {"room_name": "Blue Hall", "city": "Vienna", "date": "March 3rd"}
    offer = AgentText("That did not work. Shall I try the Blue Hall in Vienna on March 9th instead?")
    failed = FunctionResult("r", "reserve_room", {"error": "taken"}, is_error=True)
    talk.conversation += [
        UserText("reserve the Blue Hall"),
        FunctionCall("r", "reserve_room", arguments),
        failed,
        offer,
    ]
    talk.planner = {}
    await talk.say("yes, that works")
    assert [(name, dict(given)["date"]) for name, given in talk.calls if isinstance(given, dict)] == [
        ("reserve_room", "March 9th")
    ]
