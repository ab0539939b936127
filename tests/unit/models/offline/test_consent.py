"""Whether a function that changes something was asked for, and how sure its values are."""

from collections.abc import Sequence

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Effect
from openplaybook.models.offline import OfflineModel
from tests.unit.models.offline.agents import pets
from tests.unit.models.offline.talk import TODAY, Agent, Talk, example, function

TEXT: JsonObject = {"type": "string"}
NUMBER: JsonObject = {"type": "integer"}
MODEL = OfflineModel(lambda: TODAY)


def agent(name: str, description: str, properties: JsonObject, effect: Effect, *examples: object) -> Agent:
    """An agent with one function that needs all its values."""
    declared = function(name, description, properties, list(properties), effect)
    return Agent("", (declared,), examples, {name: lambda arguments: ({"200": {}}, False)})  # pyright: ignore[reportArgumentType]


SHIP = agent("shipOrder", "Ship an order", {"orderId": NUMBER}, Effect.CHANGES)
PET = agent("getPet", "Find a pet by its number", {"petId": NUMBER}, Effect.READS)


async def called(agent: Agent, *lines: str) -> Sequence[object]:
    talk = Talk(agent, MODEL)
    for line in lines:
        await talk.say(line)
    return talk.calls


@pytest.mark.parametrize(
    "text",
    [
        "has order 7 been shipped?",
        "was order 7 shipped",
        "don't ship order 7",
        "I already shipped order 7",
        "what happens if I ship order 7?",
        "ship order 7 if it is ready",
        "can I ship order 7?",
        'they said "ship order 7"',
        "ship orders 7 and 8",
        "order 7",
        "ship order 7 " + "and wrap it well " * 100,
    ],
)
async def test_what_is_not_plainly_asked_for_is_not_done(text: str) -> None:
    assert await called(SHIP, text) == []


@pytest.mark.parametrize(
    "text", ["ship order 7", "please ship order 7", "could you ship order 7?", "I'd like to ship order 7"]
)
async def test_what_is_plainly_asked_for_is_done(text: str) -> None:
    assert await called(SHIP, text) == [("shipOrder", {"orderId": 7})]


async def test_a_yes_calls_exactly_what_was_read_back() -> None:
    talk = Talk(SHIP, MODEL)
    read_back = "I will do the following: ship an order (order id: 7). Is that right?"
    assert await talk.say("can I ship order 7?") == read_back
    await talk.say("yes")
    assert talk.calls == [("shipOrder", {"orderId": 7})]
    await talk.say("yes")
    assert talk.calls == []


@pytest.mark.parametrize(
    "text",
    ["what is 17% of 2340?", "pet 17%", "show 3 + 4", "find pets for 20 euros", "find a pet in 5 minutes", "pets at 7"],
)
async def test_a_number_that_measures_something_identifies_nothing(text: str) -> None:
    assert await called(PET, text) == []


@pytest.mark.parametrize(
    ("schema", "text", "arguments"),
    [
        ({"street": TEXT, "city": TEXT}, "move to Berlin Madrid", None),
        ({"street": TEXT, "city": TEXT}, "move to street Ahorn and city Bonn", {"street": "Ahorn", "city": "Bonn"}),
        ({"fromCity": TEXT, "toCity": TEXT}, "move from Bonn to Rome", {"fromCity": "Bonn", "toCity": "Rome"}),
        ({"old": TEXT, "new": TEXT}, "move A-1 B-2", None),
    ],
)
async def test_values_that_could_be_swapped_need_a_cue(
    schema: JsonObject, text: str, arguments: JsonObject | None
) -> None:
    move = agent("moveThing", "Move a thing", schema, Effect.CHANGES)
    assert await called(move, text) == ([("moveThing", arguments)] if arguments else [])


async def test_an_examples_own_words_do_what_it_did() -> None:
    items = {"type": "array", "items": {"type": "object"}}
    did: JsonObject = {"items": [{"sku": "K-1", "count": 5}, {"sku": "K-9", "count": 2}], "priority": "HIGH"}
    shown = example("x", "U: send 5 of K-1 and 2 of K-9 fast", ("send", did, {"200": {}}), "A: Sent.")
    made = agent("send", "Send items", {"items": items, "priority": TEXT}, Effect.CHANGES, shown)
    assert await called(made, "send 5 of K-1 and 2 of K-9 fast") == [("send", did)]
    other = {**did, "items": [{"sku": "Z-3", "count": 1}, {"sku": "Q-4", "count": 12}]}
    assert await called(made, "please send 1 of Z-3 and 12 of Q-4 fast!") == [("send", other)]
    assert await called(made, "send many of K-1 and 2 of K-9 fast") == []


async def test_an_examples_question_does_what_it_did_and_a_yes_of_it_does_nothing_alone() -> None:
    asked = example("x", "U: Is the shop open today?", ("wake", {}, {"200": {}}), "A: Woken.")
    agreed = example("y", "U: yes", ("wake", {}, {"200": {}}), "A: Woken.")
    made = agent("wake", "Wake somebody", {}, Effect.CHANGES, asked, agreed)
    assert await called(made, "is the shop open today?") == [("wake", {})]
    assert await called(made, "is the shop open tomorrow?") == []
    assert await called(made, "yes") == []


async def test_a_day_of_an_example_is_said_anew() -> None:
    shown = example("x", "U: close the shop tomorrow", ("closeShop", {"day": "2020-01-01"}, {"200": {}}), "A: Closed.")
    made = agent("closeShop", "Close the shop", {"day": {**TEXT, "format": "date"}}, Effect.CHANGES, shown)
    assert await called(made, "close the shop tomorrow") == [("closeShop", {"day": "2026-11-21"})]


async def test_a_clients_function_is_confirmed_only_where_it_is_unsure() -> None:
    door = agent("openDoor", "Open a door", {"doorNumber": NUMBER}, Effect.CLIENT)
    assert await called(door, "open door 3") == [("openDoor", {"doorNumber": 3})]
    assert await called(door, "don't open door 3") == []
    assert await called(pets.agent(), "which shelter is nearest to 10115?") == [
        ("nearest_shelter", {"zip_code": "10115"})
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1" * 1_000_000,
        "1 + " * 250_000,
        "17% of " * 150_000,
        "never mind " * 90_000,
        "forget the " * 90_000,
        "A " * 500_000,
        "don't " * 150_000,
        "and cancel " * 100_000,
        " if" * 300_000,
        '"' * 1_000_000,
    ],
    ids=lambda text: text[:10],
)
async def test_a_hostile_line_changes_nothing_and_the_next_one_is_understood(text: str) -> None:
    talk = Talk(SHIP, MODEL)
    await talk.say("can I ship order 7?")
    await talk.say(text)
    assert talk.calls == []
    await talk.say("ship order 8")
    if not talk.calls:
        # Read back first, as a correction of what was asked before.
        await talk.say("yes")
    assert talk.calls == [("shipOrder", {"orderId": 8})]
