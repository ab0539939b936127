"""Requests without a key through two processes that share a PostgreSQL database."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from openplaybook.turns.base import TextMessage, TurnResult
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.session import turn_admission
from openplaybook.turns.session.repeats import Deliveries
from tests.faults.points import arm_store
from tests.integration.turns.conftest import Stage, asked
from tests.integration.turns.test_keyless import HaveAsked, begun, opened, pets, words
from tests.kit.agents import SESSION, PlayedModel, calls, says
from tests.kit.postgres import Cluster, running_cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as started:
        yield started


@pytest.fixture
async def replicas(cluster: Cluster) -> AsyncIterator[list[Stage]]:
    """Two of them, with one model between them."""
    cluster.sql("DROP SCHEMA IF EXISTS openplaybook CASCADE")
    draft, model, stages, deliveries = pets(), PlayedModel(), list[Stage](), list[Deliveries]()
    for number in (1, 2):
        store = PostgresStore(read_address(cluster.url()))
        await store.open()
        stages.append(Stage(store, draft, model))
        deliveries.append(Deliveries(store, is_shared=True))
        stages[-1].engine = stages[-1].new_engine(f"replica {number}", deliveries=deliveries[-1])
    await draft.put(stages[0].store)
    yield stages
    for each in deliveries:
        await each.close()
    for stage in stages:
        await stage.store.close()


async def said(engine: TurnEngine, text: str) -> TurnResult:
    """The answer, which reaches its client."""
    result = await engine.run(asked(text))
    engine.delivered(SESSION, result.turn)
    return result


@pytest.mark.proves("X4")
async def test_words_said_again_after_their_answer_are_new_words_at_either(
    replicas: list[Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A busy machine may need longer to mark a delivery than one server waits for another's.
    monkeypatch.setattr(turn_admission, "_HEARSAY_S", 0.5)
    replicas[0].model.then(*[says(f"Number {n}.") for n in range(1, 7)])
    engines = [replica.engine for replica in replicas]
    answers = [await said(engines[turn % 2], "yes") for turn in range(6)]
    assert [answer.messages for answer in answers] == [(TextMessage(f"Number {n}."),) for n in range(1, 7)]


@pytest.mark.proves("X4")
async def test_words_said_again_before_their_answer_came_get_that_answer_at_either(replicas: list[Stage]) -> None:
    replicas[0].model.then(says("Number 1."))
    first = await replicas[0].engine.run(asked("yes"))
    assert [await replica.engine.run(asked("yes")) for replica in replicas] == [first, first]


@pytest.mark.proves("X4")
async def test_a_retry_at_the_other_one_joins_the_turn_that_runs(replicas: list[Stage]) -> None:
    one, other = replicas
    one.model.then(calls(("createPet", {})), says("Rex is in."))
    asked_there = HaveAsked(1)
    arm_store(other.store, asked_there)
    turns = await begun(one, one.engine, other.engine)
    await asked_there.asked.wait()
    opened(one)
    first = await turns[0]
    one.engine.delivered(SESSION, first.turn)
    again = await turns[1]
    assert (words(again), again.response_id) == ("Rex is in.", first.response_id)
    assert len(one.draft.shelf.tools["pets"].invoked) == 1


class HeldUp:
    """Lets the store be asked for a turn when it may be."""

    def __init__(self) -> None:
        self.came = asyncio.Event()
        self.may_ask = asyncio.Event()

    async def passed(self, point: str, session: str) -> None:
        if point == "begin.before":
            self.came.set()
            await self.may_ask.wait()


@pytest.mark.proves("X4")
async def test_a_retry_that_is_held_up_at_the_other_one_joins_the_turn_that_ran_when_it_came(
    replicas: list[Stage],
) -> None:
    one, other = replicas
    one.model.then(calls(("createPet", {})), says("Rex is in."), says("Another Rex is in."))
    held_up = HeldUp()
    arm_store(other.store, held_up)
    turns = await begun(one, one.engine, other.engine)
    await held_up.came.wait()
    opened(one)
    first = await turns[0]
    await one.store.mark_delivered([(SESSION, first.turn)])
    held_up.may_ask.set()
    assert (await turns[1]).response_id == first.response_id
    assert words(await said(other.engine, "add Rex")) == "Another Rex is in."


@pytest.mark.proves("X4")
async def test_two_inputs_at_two_of_them_are_ordered(replicas: list[Stage]) -> None:
    one, other = replicas
    one.model.then(calls(("createPet", {})), says("Rex is in."), says("Hello!"))
    turns = await begun(one, one.engine)
    asked_there = HaveAsked(1)
    arm_store(other.store, asked_there)
    second = asyncio.create_task(other.engine.run(asked("hi")))
    await asked_there.asked.wait()
    opened(one)
    assert [words(await turn) for turn in (*turns, second)] == ["Rex is in.", "Hello!"]
