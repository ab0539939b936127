"""Twenty things that customers say at the order desk, in words of their own."""

from openplaybook.jsonvalues import JsonValue
from tests.unit.models.offline.agents import order_desk
from tests.unit.models.offline.talk import Talk

GET, LIST, PLACE, CANCEL, MOVE = "get_order", "list_orders", "place_order", "cancel_order", "change_address"
ASKS = ""
"""Nothing is called yet: the agent asks."""

SAID: dict[str, tuple[str, JsonValue]] = {
    "Where's my order 1001?": (GET, {"order_id": "1001"}),
    "has 2002 been shipped yet?": (GET, {"order_id": "2002"}),
    "can you track order number 77 for me": (GET, {"order_id": "77"}),
    "any news about my order 313?": (GET, {"order_id": "313"}),
    "when will order 90 arrive?": (GET, {"order_id": "90"}),
    "What did bob@shop.org order?": (LIST, {"email": "bob@shop.org"}),
    "list the open orders of kim@mail.net": (LIST, {"email": "kim@mail.net", "status": "open"}),
    "I need an overview of all my orders, I'm eve@web.de": (LIST, {"email": "eve@web.de"}),
    "which orders of joe@x.com were delivered?": (LIST, {"email": "joe@x.com", "status": "delivered"}),
    "I want to order 2 desk lamps": (PLACE, {"product": "desk lamps", "quantity": 2}),
    "please order 12 coffee mugs for me": (PLACE, {"product": "coffee mugs", "quantity": 12}),
    "I'd like to order five notebooks": (PLACE, {"product": "notebooks", "quantity": 5}),
    "cancel order 606 please": (CANCEL, {"order_id": "606"}),
    "I don't need order 515 any more, cancel it": (CANCEL, {"order_id": "515"}),
    "could you cancel my order 99?": (CANCEL, {"order_id": "99"}),
    "send order 12 to 8 Mill Lane, York instead": (MOVE, {"order_id": "12", "address": "8 Mill Lane, York"}),
    "change the address of order 45 to 3 Park Road, Bath": (
        MOVE,
        {"order_id": "45", "address": "3 Park Road, Bath"},
    ),
    "I want to cancel an order": (ASKS, None),
    "where is my parcel?": (ASKS, None),
    "should I cancel order 18?": (ASKS, None),
}
_FEWEST = 17
"""Of the twenty that come out right."""
_CHANGING = (PLACE, CANCEL, MOVE)


async def done(said: str) -> tuple[list[tuple[str, JsonValue]], list[tuple[str, JsonValue]]]:
    """The calls at once, and those after a yes where the agent asks for one."""
    talk = Talk(order_desk.agent())
    await talk.say(said)
    at_once = list(talk.calls)
    if not at_once and "Is that right?" in str(talk.conversation[-1]):
        await talk.say("yes")
        return at_once, talk.calls
    return at_once, at_once


async def test_most_are_understood_and_none_leads_to_something_unsafe() -> None:
    wrong: list[str] = []
    for said, (name, arguments) in SAID.items():
        at_once, calls = await done(said)
        wanted = [] if name == ASKS else [(name, arguments)]
        assert [call for call in at_once if call[0] in _CHANGING and call not in wanted] == [], said
        if (at_once if name == ASKS else calls) != wanted:
            wrong.append(f"{said} → {calls}")
    assert len(SAID) - len(wrong) >= _FEWEST, wrong
