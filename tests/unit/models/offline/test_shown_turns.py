"""What an example shows of later turns: how its agent opens, what it asks, and what replies to its agent's words."""

from dataclasses import dataclass, replace

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import AgentText, Effect, Entry, ModelTurn, UserText
from tests.unit.models.offline.talk import Agent, Talk, example, function

TEXT: JsonObject = {"type": "string"}
ACCOUNTS: dict[str, JsonObject] = {
    "5550001111": {"name": "Mia", "balance": 120.5, "due": "2026-12-03"},
    "5550002222": {"name": "Noah", "balance": 9.75, "due": "2026-12-09"},
}


def _found(given: JsonObject) -> tuple[JsonValue, bool]:
    return {"200": ACCOUNTS[str(given["phone"])]}, False


def bank() -> Agent:
    """Its example opens with a question, reads the answer back, and goes on after the call."""
    shown = example(
        "Account",
        "A: Welcome to the Fern Bank! May I have your phone number?",
        "U: 5550009999",
        "A: Just to be sure, is that 5550009999?",
        "U: yes",
        (
            "getAccount",
            {"phone": "5550009999"},
            {"200": {"name": "Ada", "balance": 77.25, "due": "2026-11-25"}},
        ),
        "A: Hi Ada, your balance is 77.25. Anything else?",
        "U: when is my payment due?",
        "A: It is due on 2026-11-25. Shall I remind you?",
        "U: yes please",
        "A: I will send a note to Ada.",
    )
    tool = function("getAccount", "Returns an account by phone", {"phone": TEXT}, ["phone"], effect=Effect.CHANGES)
    return Agent("Accounts", (tool,), (shown,), {"getAccount": _found})


async def opened(*, planner: bool = True) -> Talk:
    """A conversation that the agent has opened; without what the planner remembers where somebody else did."""
    talk = Talk(bank())
    await talk.step()
    if not planner:
        talk.planner = {}
    return talk


async def test_a_playbook_opens_as_its_example_does() -> None:
    talk = await opened()
    assert talk.conversation == [AgentText("Welcome to the Fern Bank! May I have your phone number?")]
    assert talk.rules == ["opening"]


async def test_a_greeting_is_answered_with_the_opening_of_an_example() -> None:
    talk = Talk(bank())
    assert await talk.say("hello") == "Welcome to the Fern Bank! May I have your phone number?"


async def test_a_bare_value_answers_the_question_with_which_an_example_opens() -> None:
    for planner in (True, False):
        talk = await opened(planner=planner)
        assert await talk.say("5550001111") == "Just to be sure, is that 5550001111?"
        assert talk.calls == []
        assert await talk.say("yes") == "Hi Mia, your balance is 120.5. Anything else?"
        assert talk.calls == [("getAccount", {"phone": "5550001111"})]


async def test_a_later_turn_of_an_example_tells_of_the_result_that_is_there() -> None:
    talk = await opened()
    await talk.say("5550002222")
    await talk.say("yes")
    assert await talk.say("when is my payment due?") == "It is due on 2026-12-09. Shall I remind you?"


async def test_what_an_example_tells_of_its_own_user_is_not_told_to_others() -> None:
    talk = await opened()
    await talk.say("5550002222")
    await talk.say("yes")
    await talk.say("when is my payment due?")
    assert "Ada" not in await talk.say("yes")


async def test_a_yes_counts_only_behind_the_question_that_it_answers() -> None:
    shown = example("Tips", "U: any tips?", "A: Do you have a garden?", "U: yes", "A: Then grow ferns.")
    talk = Talk(Agent("Plants", (), (shown,), {}))
    assert "ferns" not in await talk.say("yes")
    await talk.say("any tips?")
    assert await talk.say("yep") == "Then grow ferns."
    assert talk.rules == ["shown_turn"]


async def test_a_no_to_an_examples_question_leads_to_the_examples_call() -> None:
    shown = example(
        "Offers",
        "U: any news?",
        "A: We have a sale. Would you rather see plants?",
        "U: no",
        ("listPots", {}, {"pots": "clay"}),
        "A: We have clay.",
    )
    tool = function("listPots", "Pots in the shop", {})
    talk = Talk(Agent("Shop", (tool,), (shown,), {"listPots": lambda given: ({"pots": "iron"}, False)}))
    talk.conversation = [UserText("any news?"), AgentText("We have a sale. Would you rather see plants?")]
    assert await talk.say("no thanks") == "We have iron."


@dataclass
class Called(Talk):
    """A playbook that another one called for these words."""

    before: tuple[Entry, ...] = (UserText("I lost my card"),)

    def turn(self) -> ModelTurn:
        """Also with what was said before."""
        return replace(super().turn(), preceding_conversation=self.before)


async def test_an_entered_playbook_opens_as_its_example_does_whatever_the_words() -> None:
    talk = Called(bank())
    assert await talk.say("I lost my card") == "Welcome to the Fern Bank! May I have your phone number?"
    assert talk.rules == ["entered"]
    assert await talk.say("5550001111") == "Just to be sure, is that 5550001111?"


async def test_an_entered_playbook_with_one_function_asks_for_what_it_lacks() -> None:
    tool = function("blockCard", "Blocks it", {"number": {**TEXT, "description": "Card number"}}, ["number"])
    talk = Called(Agent("", (tool,), (), {}))
    assert await talk.say("I lost my purse") == "What is the card number?"


async def test_an_entered_playbook_with_several_functions_says_what_can_be_done() -> None:
    tools = (function("a", "Block a card", {}), function("b", "Order a card", {}))
    talk = Called(Agent("", tools, (), {}))
    assert await talk.say("my purse is gone") == "I can help with the following: block a card and order a card."
    assert await talk.say("hm tja") != ""
    assert talk.rules == ["not_understood"]
