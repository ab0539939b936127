"""Requests without a key: the same words are a retry until the answer has reached its client."""

import asyncio

import pytest

from openplaybook.turns.base import TextMessage, TurnResult
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.session.repeats import Deliveries
from tests.faults.points import arm_store
from tests.integration.turns.conftest import SetStage, Stage, asked
from tests.kit.agents import SESSION, AgentDraft, calls, says


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
    draft.tool("pets", "createPet")
    return draft


def words(result: TurnResult) -> str:
    return " ".join(message.text for message in result.messages if isinstance(message, TextMessage))


async def begun(stage: Stage, *requests: TurnEngine) -> list["asyncio.Task[TurnResult]"]:
    """The same words by these engines, the first of which is inside its tool call when the others ask."""
    gate = stage.draft.shelf.tools["pets"]
    gate.gate = asyncio.Event()
    turns = [asyncio.create_task(requests[0].run(asked("add Rex")))]
    await gate.called.wait()
    return [*turns, *(asyncio.create_task(engine.run(asked("add Rex"))) for engine in requests[1:])]


class HaveAsked:
    """Knows when the store was asked for a turn so many times."""

    def __init__(self, times: int) -> None:
        self._left = times
        self.asked = asyncio.Event()

    async def passed(self, point: str, session: str) -> None:
        self._left -= point == "begin.after"
        if self._left == 0:
            self.asked.set()


def opened(stage: Stage) -> None:
    gate = stage.draft.shelf.tools["pets"].gate
    assert gate is not None
    gate.set()


async def test_the_same_words_join_the_turn_that_runs_whoever_else_waits(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("createPet", {})), says("Rex is in."))
    turns = await begun(stage, stage.engine, stage.engine, stage.engine)
    opened(stage)
    first = await turns[0]
    stage.engine.delivered(SESSION, first.turn)
    assert [await turn for turn in turns] == [first] * 3
    assert len(stage.model.asked) == 2


async def test_other_words_that_wait_are_a_turn_of_their_own(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("createPet", {})), says("Rex is in."), says("Hello!"), says("Again?"))
    turns = await begun(stage, stage.engine)
    other = asyncio.create_task(stage.engine.run(asked("hi")))
    again = asyncio.create_task(stage.engine.run(asked("add Rex")))
    await asyncio.sleep(0)
    opened(stage)
    assert [words(await turn) for turn in (*turns, other, again)] == ["Rex is in.", "Hello!", "Again?"]


async def test_the_same_words_after_a_delivered_answer_are_a_new_turn(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("First."), says("Second."))
    assert [words(await stage.say("yes")) for _ in range(2)] == ["First.", "Second."]


async def test_the_same_words_after_an_answer_that_was_never_delivered_get_that_answer(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("First."))
    first = await stage.engine.run(asked("yes"))
    assert await stage.engine.run(asked("yes")) == first
    stage.engine = stage.new_engine("after a restart")
    assert await stage.engine.run(asked("yes")) == first
    assert len(stage.model.asked) == 1


@pytest.mark.parametrize(
    "difference",
    [
        {"parameters": {"colour": "red"}},
        {"payload": {"colour": "red"}},
        {"end_user_metadata": {"colour": "red"}},
        {"language_code": "de"},
        {"client_execution": True},
    ],
    ids=lambda each: next(iter(each)),
)
async def test_the_same_words_with_anything_else_beside_them_are_a_new_turn(
    set_stage: SetStage, difference: dict[str, object]
) -> None:
    stage = await set_stage(pets(), says("First."), says("Second."))
    await stage.engine.run(asked("yes"))
    assert words(await stage.engine.run(asked("yes", **difference))) == "Second."


async def test_the_order_of_parameters_is_no_difference(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("First."))
    first = await stage.engine.run(asked("yes", parameters={"a": 1, "b": {"c": 2, "d": 3}}))
    assert await stage.engine.run(asked("yes", parameters={"b": {"d": 3, "c": 2}, "a": 1})) == first


async def test_a_delivery_is_known_to_the_next_process(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("First."), says("Second."))
    deliveries = Deliveries(stage.store)
    first = await stage.engine.run(asked("yes"))
    deliveries.delivered(SESSION, first.turn)
    await deliveries.close()
    assert words(await stage.new_engine("after a restart").run(asked("yes"))) == "Second."


async def test_words_said_twice_quickly_through_two_processes_are_two_turns(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("First."), says("Second."))
    deliveries = Deliveries(stage.store)
    stage.engine = stage.new_engine(deliveries=deliveries)
    assert words(await stage.say("yes")) == "First."
    # Its mark is not in the store yet: the other process waits for it before it takes the words for a retry.
    assert words(await stage.new_engine("another").run(asked("yes"))) == "Second."
    await deliveries.close()


async def test_a_retry_at_another_process_joins_the_turn_even_when_that_is_delivered_first(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("createPet", {})), says("Rex is in."))
    both = HaveAsked(2)
    arm_store(stage.store, both)
    turns = await begun(stage, stage.engine, stage.new_engine("another"))
    await both.asked.wait()
    opened(stage)
    first = await turns[0]
    stage.engine.delivered(SESSION, first.turn)
    assert await turns[1] == first
    assert len(stage.model.asked) == 2
