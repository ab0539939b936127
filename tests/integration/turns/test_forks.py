"""Sessions that begin with the earlier turns of another one."""

import pytest

from openplaybook.models.base import AgentText, UserText
from openplaybook.models.errors import ModelRejected
from openplaybook.services.openplaybook.session_forks import SessionBranch, SessionForks
from openplaybook.tools.session_files import SessionFiles
from openplaybook.turns.base import TextMessage, ToolResultInput
from openplaybook.turns.errors import ModelFailed, SessionBusy
from openplaybook.turns.session.history import History, ParameterOrigin, SetBy, parameter_origins
from openplaybook.turns.session.seals import ParameterSeals
from tests.integration.turns.conftest import SetStage, Stage, asked
from tests.integration.turns.test_sealing import TOKEN, shop, used
from tests.kit.agents import AGENT, SESSION, calls, says
from tests.kit.sealing import SEALER

FORK = f"{AGENT}/sessions/fork"


def forks(stage: Stage) -> SessionForks:
    return SessionForks(stage.store, ParameterSeals(SEALER))


async def forked(stage: Stage, before_turn: int, fork: str = FORK) -> None:
    await forks(stage).fork(AGENT, SESSION, fork, before_turn, ttl_s=60)


async def words_of(stage: Stage, session: str) -> list[tuple[int, str]]:
    return [(turn.number, turn.result.query_text) async for turn in History(stage.store).turns(AGENT, session)]


async def test_a_fork_goes_on_with_what_was_said_before(set_stage: SetStage) -> None:
    stage = await set_stage(shop(), says("One."), says("Two."), says("Three."), says("Other."))
    for text in ("1", "2", "3"):
        await stage.say(text, parameters={"n": text})
    await forked(stage, 3)
    answered = await stage.say("4", session=FORK)
    assert (answered.parameters, answered.index, answered.turn) == ({"n": "2"}, 3, 3)
    said = [UserText("1"), AgentText("One."), UserText("2"), AgentText("Two."), UserText("4")]
    assert list(stage.model.asked[-1].conversation) == said
    assert await words_of(stage, FORK) == [(1, "1"), (2, "2"), (3, "4")]
    assert await words_of(stage, SESSION) == [(1, "1"), (2, "2"), (3, "3")]


async def test_a_credential_is_open_in_calls_of_the_fork(set_stage: SetStage) -> None:
    stage = await set_stage(shop("token"), says("Hi."), calls(("buy", {})), says("Bought."))
    await stage.say("hi", parameters={"token": TOKEN})
    await forked(stage, 2)
    await stage.say("buy", session=FORK)
    assert used(stage) == [{"token": TOKEN}]


async def test_a_pause_is_answered_in_each_on_its_own(set_stage: SetStage) -> None:
    stage = await set_stage(shop(), calls(("ask", {})), says("Here."), says("There."))
    await stage.say("buy")
    await forked(stage, 2)
    name = f"{AGENT}/tools/ask"
    given = ToolResultInput(tool=name, action="ask", output={"answer": "yes"})
    results = [await stage.give(given), await stage.give(given, session=FORK)]
    assert [result.messages for result in results] == [(TextMessage("Here."),), (TextMessage("There."),)]


async def test_numbers_of_turns_stay_though_some_failed(set_stage: SetStage) -> None:
    stage = await set_stage(shop(), says("One."), ModelRejected("no"), says("Three."), says("Four."))
    await stage.say("1")
    with pytest.raises(ModelFailed, match="no"):
        await stage.say("2")
    await stage.say("3")
    await forked(stage, 9)
    await stage.say("4", session=FORK)
    assert await words_of(stage, FORK) == [(1, "1"), (3, "3"), (4, "4")]


async def test_files_come_along_under_the_new_name(set_stage: SetStage) -> None:
    stage = await set_stage(shop(), says("Hi."))
    file = await SessionFiles(stage.store, SESSION).put("a.txt", "text/plain", b"abc")
    request = asked("hi", payload={"files": [{"name": "a.txt", "contents": file.handle}]})
    await stage.run(request)
    await forked(stage, 2)
    handle = file.handle.replace(SESSION, FORK)
    copied = await SessionFiles(stage.store, FORK).get(handle)
    assert copied is not None
    assert copied.data == b"abc"
    [turn] = [turn async for turn in History(stage.store).turns(AGENT, FORK)]
    assert turn.request.payload["files"][0]["contents"] == handle


async def test_origin_and_branches_are_known(set_stage: SetStage) -> None:
    stage = await set_stage(shop(), says("One."), says("Two."))
    await stage.say("1")
    await stage.say("2")
    await forked(stage, 2)
    await forked(stage, 1, f"{FORK}-2")
    assert await forks(stage).branches(SESSION) == [SessionBranch(FORK, 2), SessionBranch(f"{FORK}-2", 1)]
    assert await forks(stage).origin(FORK) == SessionBranch(SESSION, 2)
    assert await forks(stage).origin(SESSION) is None
    assert await words_of(stage, f"{FORK}-2") == []


async def test_a_session_that_has_begun_takes_no_turns_of_another(set_stage: SetStage) -> None:
    stage = await set_stage(shop(), says("One."), says("Two."))
    await stage.say("1")
    await stage.say("2", session=FORK)
    with pytest.raises(SessionBusy, match="Session fork has begun already"):
        await forked(stage, 2)


async def test_who_set_a_parameter_is_known(set_stage: SetStage) -> None:
    stage = await set_stage(shop(), says("One."), says("Two."))
    await stage.say("1", parameters={"a": 1, "b": 1})
    await stage.say("2", parameters={"b": 2})
    assert parameter_origins(await stage.store.history(SESSION)) == {
        "a": ParameterOrigin(SetBy.REQUEST, 1),
        "b": ParameterOrigin(SetBy.REQUEST, 2),
    }
