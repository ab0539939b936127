"""Nothing is made for pets: agents about other things, with other tools."""

from dataclasses import replace

import pytest

from tests.unit.models.offline.agents import orders, tables, weather
from tests.unit.models.offline.talk import Talk


async def test_a_function_of_the_client_is_called_and_its_result_told() -> None:
    talk = Talk(weather.agent())
    assert await talk.say("what is the weather in Mountain View") == "It is 28 degrees and clear in Mountain View."
    assert await talk.say("and in Oslo?") == "It is -3 degrees and snowy in Oslo."
    assert await talk.say("do I need an umbrella?") == "Which city are you in?"
    assert await talk.say("Mountain View") == "It is 28 degrees and clear in Mountain View."
    assert await talk.say("wie ist das Wetter in Oslo?") == "It is -3 degrees and snowy in Oslo."


async def test_an_error_of_the_client_is_told_in_its_words() -> None:
    talk = Talk(weather.agent())
    await talk.say("what is the weather in Oslo?")
    assert await talk.say("what about paris?") == "Sorry, that did not work: No weather station in paris."
    assert talk.calls == [("current_weather", {"city": "paris"})]


async def test_an_option_is_taken_when_it_is_said_and_left_out_when_not() -> None:
    talk = Talk(weather.agent())
    await talk.say("what's the weather like in Oslo in Fahrenheit?")
    assert talk.calls == [("current_weather", {"city": "Oslo", "unit": "fahrenheit"})]


async def test_numbers_dates_and_options_of_orders_are_understood() -> None:
    talk = Talk(orders.agent())
    assert await talk.say("where is my order AB-1001?") == "Order AB-1001 is shipped. Its total is 49.9."
    assert await talk.say("where is order ZX-4?") == "Sorry, that did not work: Order ZX-4 is not known"
    assert await talk.say("which orders were cancelled since March 3rd 2026?") == "I found one order: AB-1001."
    assert talk.calls == [("searchOrders", {"status": "CANCELLED", "since": "2026-03-03"})]
    await talk.say("show me orders since yesterday")
    assert talk.calls == [("searchOrders", {"since": "2026-11-19"})]


async def test_a_yes_is_asked_for_where_an_example_asks_for_one() -> None:
    talk = Talk(orders.agent())
    assert await talk.say("cancel order AB-1001 with refund") == "Do you really want to cancel order AB-1001?"
    assert talk.calls == []
    assert await talk.say("yes") == "Order AB-1001 is cancelled."
    assert talk.calls == [("cancelOrder", {"orderId": "AB-1001", "refund": True})]
    await talk.say("please cancel order QQ-3")
    assert await talk.say("no") == "All right, I won't do that."
    assert talk.calls == []


async def test_a_confirmation_can_be_answered_with_a_correction() -> None:
    talk = Talk(orders.agent())
    await talk.say("please cancel order QQ-3")
    assert await talk.say("cancel order QQ-4") == "Do you really want to cancel order QQ-4?"
    await talk.say("yes")
    assert talk.calls == [("cancelOrder", {"orderId": "QQ-4"})]


async def test_an_agent_without_examples_asks_by_descriptions() -> None:
    talk = Talk(tables.agent())
    assert await talk.say("hi") == (
        "Hello! I can help with the following: book a table at the restaurant and opening hours of the restaurant."
    )
    assert await talk.say("book a table for 2") == "What is the day of the visit?"
    assert await talk.say("next friday") == "Please tell me: time of day, HH:MM."
    assert await talk.say("7:30 pm") == "What is the name of the guest?"
    await talk.say("Kim Lee")
    body = {"date": "2026-11-27", "time": "19:30", "people": 2, "name": "Kim Lee"}
    assert talk.calls == [("book_table", {"requestBody": body})]


async def test_all_can_be_said_at_once() -> None:
    talk = Talk(tables.agent())
    said = await talk.say("I'd like to book a table for four people tomorrow at 7pm under the name Smith")
    body = {"people": 4, "date": "2026-11-21", "time": "19:00", "name": "Smith"}
    assert talk.calls == [("book_table", {"requestBody": body})]
    assert said == "Done: booking id 77, people 4, date November 21, 2026, time 19:00, name Smith."


async def test_a_value_out_of_range_is_not_taken() -> None:
    talk = Talk(tables.agent())
    assert await talk.say("a table for 40 people tomorrow at noon, name is O'Brien") == "What is the number of people?"
    assert (await talk.say("twelve")).endswith("Is that right?")
    await talk.say("yes")
    body = {"date": "2026-11-21", "time": "12:00", "name": "O'Brien", "people": 12}
    assert talk.calls == [("book_table", {"requestBody": body})]


async def test_a_result_without_an_example_is_told_by_its_members() -> None:
    talk = Talk(tables.agent())
    assert await talk.say("opening hours please") == "Here is what I found: opens 12:00, closes 23:00."
    assert await talk.say("when are you open?") == "Here is what I found: opens 12:00, closes 23:00."


@pytest.mark.parametrize(
    "said",
    ["please order 12 coffee mugs", "I want to order 3 blue pens", "can you order 5 boxes of paper for me?"],
)
async def test_a_number_of_things_to_order_is_no_order_that_is_looked_up(said: str) -> None:
    for agent in (orders.agent(), replace(orders.agent(), examples=())):
        talk = Talk(agent)
        await talk.say(said)
        assert talk.calls == []


async def test_the_number_of_an_order_is_still_looked_up() -> None:
    talk = Talk(orders.agent())
    await talk.say("where is order 12 please")
    assert talk.calls == [("getOrder", {"orderId": "12"})]
