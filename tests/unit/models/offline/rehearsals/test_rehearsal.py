"""Examples put to the planner."""

from dataclasses import replace

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Declaration, DeclarationKind, Effect, ExampleDialogue
from openplaybook.models.offline.rehearsals.rehearsal import Rehearsal, Rehearser
from tests.unit.models.offline.agents import order_desk, orders
from tests.unit.models.offline.talk import TODAY, Agent, Talk, example, function

TEXT: JsonObject = {"type": "string"}


async def rehearsals(agent: Agent, *, held_out: bool = False) -> list[Rehearsal]:
    turn = Talk(agent).turn()
    return [each async for each in Rehearser(lambda: TODAY).rehearsals(turn, held_out=held_out)]


def shop(*examples: ExampleDialogue, end: str = "") -> Agent:
    state: JsonObject = {"type": "object", "properties": {"state": TEXT}}
    ending = (Declaration(end, "Leave", state, None, DeclarationKind.END, reference=""),) if end else ()
    declared = (
        function("get_order", "Look up an order", {"order_id": TEXT}, ["order_id"]),
        function("cancel_order", "Cancel an order", {"order_id": TEXT}, ["order_id"], Effect.CHANGES),
    )
    return Agent("Orders", (*declared, *ending), examples, {})


def told(rehearsal: Rehearsal) -> list[tuple[str, tuple[str, ...]]]:
    """Verdicts and differences of all steps."""
    return [(step.verdict.value, step.differences) for turn in rehearsal.turns for step in turn.steps]


async def test_the_examples_that_were_learned_are_replayed() -> None:
    for agent in (order_desk.agent(), orders.agent()):
        found = await rehearsals(agent)
        assert [each.example for each in found if not each.is_replayed] == []
        assert {verdict for each in found for verdict, _ in told(each)} == {"same"}


async def test_without_the_example_itself_fewer_are() -> None:
    found = await rehearsals(order_desk.agent(), held_out=True)
    assert {each.example: each.is_replayed for each in found}["Cancel"]
    assert not {each.example: each.is_replayed for each in found}["Move"]


SHOWN = example(
    "Shown", "U: where is order 4711?", ("get_order", {"order_id": "4711"}, {"eta": "today"}), "A: It comes today."
)


async def test_a_wrong_value_is_told_with_both_values() -> None:
    wrong = example(
        "Wrong", "U: where is order 12?", ("get_order", {"order_id": "13"}, {"eta": "soon"}), "A: You get it soon."
    )
    _, found = await rehearsals(shop(SHOWN, wrong), held_out=True)
    assert not found.is_replayed
    step, answer = found.turns[0].steps
    assert step.differences == ('order_id is "12"; the example has "13"',)
    assert (step.shown, step.happened) == ('get_order {"order_id": "13"}', 'get_order {"order_id": "12"}')
    # The answer is judged on the example's own result.
    assert answer.verdict.value == "own words"


async def test_a_call_that_is_read_back_first_counts_with_a_remark() -> None:
    unsure = example(
        "Unsure", "U: my order 12 of 3 mugs: cancel it", ("cancel_order", {"order_id": "12"}, {}), "A: Done."
    )
    _, found = await rehearsals(shop(SHOWN, unsure), held_out=True)
    assert told(found)[0] == ("confirms", ())


async def test_a_function_that_is_not_called_is_named_with_what_is_asked_instead() -> None:
    asked = example("Asked", "U: cancel my order", ("cancel_order", {"order_id": "12"}, {}), "A: Done.")
    _, found = await rehearsals(shop(SHOWN, asked), held_out=True)
    assert told(found)[0] == ("different", ("cancel_order is not called: the planner asks for order_id",))


async def test_what_goes_wrong_in_one_turn_is_not_held_against_the_next() -> None:
    two = example(
        "Two",
        "U: xyzzy plugh",
        ("get_order", {"order_id": "1"}, {"eta": "today"}),
        "A: Today.",
        "U: where is order 2?",
        ("get_order", {"order_id": "2"}, {"eta": "today"}),
        "A: Today.",
    )
    _, found = await rehearsals(shop(SHOWN, two), held_out=True)
    assert [turn.is_replayed for turn in found.turns] == [False, True]


async def test_an_answer_in_other_words_must_tell_the_same_values() -> None:
    def answer(words: str) -> ExampleDialogue:
        call = ("get_order", {"order_id": "77"}, {"status": "packed", "colour": "green"})
        return example("Told", "U: where is order 77?", call, words)

    _, found = await rehearsals(shop(SHOWN, answer("A: Number 77 is packed.")), held_out=True)
    assert told(found)[-1] == ("different", ("the answer does not tell 77",))
    shown = replace(answer("A: It is packed and green."), display_name="Before")
    _, found = await rehearsals(shop(shown, answer("A: Look: packed, green.")), held_out=True)
    assert told(found)[-1] == ("own words", ())


async def test_an_end_that_comes_too_early_is_told() -> None:
    ended = replace(SHOWN, end_state="OK")
    goes_on = example(
        "Goes on",
        "U: where is order 9?",
        ("get_order", {"order_id": "9"}, {"eta": "today"}),
        "A: Today.",
        "U: where is order 8?",
        ("get_order", {"order_id": "8"}, {"eta": "today"}),
        "A: Today.",
    )
    _, found = await rehearsals(shop(ended, goes_on, end="end_playbook"))
    assert told(found)[1] == ("different", ("the conversation is ended here; the example goes on",))
