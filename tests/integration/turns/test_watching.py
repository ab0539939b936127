"""A turn that is watched by somebody else than who began it, in its own process and in another one."""

import asyncio
from collections.abc import Sequence

import pytest

from openplaybook.turns.base import AgentStep, ModelStep, ToolStep, TraceStep, UserStep
from openplaybook.turns.session.history import PastTurn
from openplaybook.turns.turn import Turn
from openplaybook.turns.turn_watch import RunningTurns, TurnWatch, Watched, WatchedSteps
from tests.integration.turns.conftest import SetStage, Stage
from tests.integration.turns.test_keyless import begun, opened, pets
from tests.kit.agents import AGENT, SESSION, calls, says


def kinds(updates: Sequence[Watched]) -> list[type[TraceStep]]:
    return [type(step) for update in updates if isinstance(update, WatchedSteps) for step in update.steps]


async def until_end(watch: TurnWatch, number: int = 0, after: int = -1) -> list[Watched]:
    return [update async for update in watch.updates(AGENT, SESSION, number, after=after)]


@pytest.mark.parametrize("is_here", [True, False])
async def test_steps_are_told_as_they_happen_and_the_turn_at_last(set_stage: SetStage, is_here: bool) -> None:
    stage = await set_stage(pets(), calls(("createPet", {})), says("Rex is in."))
    watch = TurnWatch(stage.store, stage.engine.running if is_here else RunningTurns())
    turns = await begun(stage, stage.engine)
    stream = watch.updates(AGENT, SESSION)
    updates: list[Watched] = [await anext(stream)]
    assert isinstance(updates[0], WatchedSteps)
    assert kinds(updates) == [UserStep, ModelStep]
    assert [call.action for call in updates[0].under_way] == ["createPet"]
    opened(stage)
    updates += [update async for update in stream]
    await asyncio.gather(*turns)
    assert kinds(updates) == [UserStep, ModelStep, ToolStep, ModelStep, AgentStep]
    last = updates[-1]
    assert isinstance(last, PastTurn)
    assert (last.number, last.is_answered) == (1, True)


async def test_whoever_comes_before_the_turn_waits_for_it(set_stage: SetStage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = await set_stage(pets(), says("Hello."), says("Again."))
    await stage.say("hi")
    watch = TurnWatch(stage.store, stage.engine.running)
    running_here, is_waiting = RunningTurns.of, asyncio.Event()

    def of(turns: RunningTurns, session: str) -> Turn | None:
        is_waiting.set()
        return running_here(turns, session)

    monkeypatch.setattr(RunningTurns, "of", of)
    waiting = asyncio.ensure_future(until_end(watch))
    await is_waiting.wait()
    await stage.say("once more")
    told = await waiting
    assert isinstance(told[-1], PastTurn)
    assert (told[-1].number, kinds(told)) == (2, [UserStep, ModelStep, AgentStep])


async def test_steps_that_are_known_are_not_told_again(set_stage: SetStage) -> None:
    stage: Stage = await set_stage(pets(), says("Hello."))
    await stage.say("hi")
    told = await until_end(TurnWatch(stage.store, RunningTurns()), 1, after=1)
    assert isinstance(told[0], WatchedSteps)
    assert (told[0].first, kinds(told)) == (2, [AgentStep])
    assert await until_end(TurnWatch(stage.store, RunningTurns()), 9) == []
