"""Sessions that a newer server has written: this one refuses them at once, and leaves them as they are."""

import uuid
from collections.abc import Awaitable, Callable

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.services.turn_errors import rpc_error
from openplaybook.storage.base import BeginTurn, Lease, Recovered, Started, Store, TurnState
from openplaybook.turns.agent.snapshot_store import Snapshots
from openplaybook.turns.base import TextMessage
from openplaybook.turns.errors import NewerData
from openplaybook.turns.journal.rows import row_of
from openplaybook.turns.session.seals import SealedParameters
from openplaybook.turns.steps.intake import begin_event
from openplaybook.wire.errors import Code
from tests.integration.turns.conftest import SetStage, Stage, asked
from tests.kit.agents import AGENT, SESSION, AgentDraft, says

Row = tuple[str, bytes]
HOUR_US = 3_600_000_000


def newer(row: Row) -> Row:
    """The same in the form of the next version."""
    return row[0], dumps({**loads(row[1]), "form": 3})


async def stage_of(set_stage: SetStage) -> Stage:
    """A conversation that has begun."""
    draft = AgentDraft()
    draft.playbook("Start", "Greet.", start=True)
    stage = await set_stage(draft, says("Hello."), says("Never said."))
    await stage.say("hi")
    stage.engine = stage.new_engine()
    return stage


async def begin_row(stage: Stage, text: str) -> Row:
    digest = (await Snapshots(stage.store, stage.draft.shelf).current(AGENT)).digest
    return row_of(begin_event(asked(text), digest, SealedParameters({})))


async def begun(store: Store, row: Row, *, key: str = "k2", lease_us: int = HOUR_US) -> Lease:
    """A turn of another server."""
    turn = BeginTurn(SESSION, AGENT, str(uuid.uuid4()), key, "f", "newer", lease_us, 2**62, (row,))
    started = await store.begin_turn(turn)
    assert isinstance(started, Started)
    return started.lease


async def state_of(store: Store) -> bytes:
    session = await store.session(SESSION)
    assert session is not None
    return session.state


async def finish(stage: Stage, lease: Lease, steps: tuple[Row, ...] = (), **state: object) -> None:
    """End the turn as the other server does, with other members in the session's state."""
    changed = dumps({**loads(await state_of(stage.store)), **state})
    response = dumps({"form": 3, "turn": lease.number, "index": 2})
    await stage.store.finish_turn(lease, state=TurnState.DONE, steps=steps, response=response, session_state=changed)


async def with_newer_state(stage: Stage) -> None:
    await finish(stage, await begun(stage.store, await begin_row(stage, "and?")), version=3)


async def with_newer_row(stage: Stage) -> None:
    await finish(stage, await begun(stage.store, newer(await begin_row(stage, "and?"))))


async def with_unknown_kind(stage: Stage) -> None:
    row = ("dreamt", dumps({"form": 2, "at": 1}))
    await finish(stage, await begun(stage.store, await begin_row(stage, "and?")), (row,))


WRITTEN = [with_newer_state, with_newer_row, with_unknown_kind]


async def refused(stage: Stage, text: str, **request: object) -> None:
    """A request that ends in FAILED_PRECONDITION, long before its time is over or a lease has run out."""
    with pytest.raises(NewerData) as refusal:
        await stage.say(text, timeout_s=1, **request)
    assert rpc_error(refusal.value).code is Code.FAILED_PRECONDITION


@pytest.mark.parametrize("written", WRITTEN)
async def test_a_session_that_a_newer_server_has_gone_on_with_is_refused_and_left_as_it_is(
    set_stage: SetStage, written: Callable[[Stage], Awaitable[None]]
) -> None:
    stage = await stage_of(set_stage)
    await written(stage)
    state, kept = await state_of(stage.store), await stage.store.kept_turns(SESSION)
    for _ in range(2):
        await refused(stage, "go on")
        await refused(stage, "go on", parameters={"a": 1})
    assert await state_of(stage.store) == state
    assert await stage.store.kept_turns(SESSION) == kept
    assert len(stage.model.asked) == 1


async def test_an_answer_of_a_newer_server_is_not_given_again(set_stage: SetStage) -> None:
    stage = await stage_of(set_stage)
    await with_newer_state(stage)
    await refused(stage, "and?", request_key="k2")


async def newer_request(stage: Stage) -> JsonObject:
    """Leave behind a turn of a newer server that died, whose row has the next version's form."""
    row = newer(await begin_row(stage, "and?"))
    await begun(stage.store, row, lease_us=-1)
    return loads(row[1])


async def newer_session(stage: Stage) -> JsonObject:
    """Leave behind a turn of this version that died, in a session that a newer server went on with before."""
    await finish(stage, await begun(stage.store, await begin_row(stage, "well?"), key="k3"), version=3)
    row = await begin_row(stage, "and?")
    await begun(stage.store, row, lease_us=-1)
    return loads(row[1])


@pytest.mark.parametrize("left", [newer_request, newer_session])
@pytest.mark.parametrize("again", ["k2", None], ids=["repeated", "followed by another request"])
async def test_a_turn_of_a_newer_server_that_died_stays_for_a_server_that_knows_it(
    set_stage: SetStage, left: Callable[[Stage], Awaitable[JsonObject]], again: str | None
) -> None:
    stage = await stage_of(set_stage)
    row = await left(stage)
    state = await state_of(stage.store)
    for _ in range(2):
        await refused(stage, "and?" if again else "go on", request_key=again)
    assert await state_of(stage.store) == state
    repeat = BeginTurn(SESSION, AGENT, "turn-9", "k2", "f", "newer", HOUR_US, 2**62)
    recovered = await stage.store.begin_turn(repeat)
    assert isinstance(recovered, Recovered)
    assert [(step.kind, loads(step.payload)) for step in recovered.steps] == [("begin", row)]


async def test_a_session_of_this_version_goes_on(set_stage: SetStage) -> None:
    stage = await stage_of(set_stage)
    assert (await stage.say("go on")).messages == (TextMessage("Never said."),)
