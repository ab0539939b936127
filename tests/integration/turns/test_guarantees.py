"""The ten guarantees of the turn engine, one class each. Each shows its guarantee once, whole; the files that go into
its every corner are named in the class."""

import asyncio
from collections.abc import Sequence

import pytest

from openplaybook.models.base import FunctionResult, ModelReply, ModelTurn, UserText
from openplaybook.models.errors import ModelUnavailable
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.base import TextMessage, ToolCallMessage, TurnResult
from openplaybook.turns.errors import ModelFailed, ResultMismatch, ResultNotExpected, SessionBusy, TurnTimedOut
from openplaybook.turns.steps.decisions import GAVE_UP
from openplaybook.turns.turn import TurnLimits
from tests.integration.turns.conftest import SetStage, asked
from tests.integration.turns.test_repeating import decided, died
from tests.kit.agents import AgentDraft, calls, says
from tests.kit.told_steps import notices_in


def shop() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}, ${TOOL: weather} and ${TOOL: taxi}.", start=True)
    draft.tool("pets", "createPet")
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    draft.tool("taxi", place=ExecutionPlace.CLIENT)
    return draft


def made(draft: AgentDraft) -> int:
    return len(draft.shelf.tools["pets"].invoked)


def open_calls(result: TurnResult) -> list[str]:
    return [message.id for message in result.messages if isinstance(message, ToolCallMessage)]


def outputs(turn: ModelTurn) -> Sequence[object]:
    return [entry.output for entry in turn.conversation if isinstance(entry, FunctionResult)]


class Test1ARepeatedRequestGetsItsAnswerAgain:
    """test_repeating, test_keyless, test_settled_results; over the wire tests/integration/server/test_retries."""

    @pytest.mark.parametrize("key", ["k", None], ids=["with a key", "without one, while it is not delivered"])
    async def test_the_answer_comes_from_the_store(self, set_stage: SetStage, key: str | None) -> None:
        draft = shop()
        stage = await set_stage(draft, calls(("createPet", {})), says("Rex is in."))
        first = await stage.engine.run(asked("add Rex", request_key=key))
        assert await stage.new_engine().run(asked("add Rex", request_key=key)) == first
        assert (made(draft), len(stage.model.asked)) == (1, 2)


class Test2AResultIsMatchedToItsCall:
    """test_pausing, test_settled_results, tests/unit/turns/steps/test_client_calls."""

    async def test_by_its_id_or_by_tool_and_action_the_oldest_first(self, set_stage: SetStage) -> None:
        stage = await set_stage(shop(), calls(("weather", {}), ("taxi", {}), ("weather", {})), says("Done."))
        await stage.say("go")
        with pytest.raises(ResultMismatch):
            await stage.answer("pets", "createPet", output={})
        with pytest.raises(ResultNotExpected):
            await stage.answer("weather", "weather", output={}, call_id="call-9-9-9")
        await stage.answer("weather", "weather", output={"n": 3}, call_id="call-1-1-3")
        await stage.answer("weather", "weather", output={"n": 1})
        await stage.answer("taxi", "taxi", output={"n": 2})
        assert outputs(stage.model.asked[1]) == [{"n": 1}, {"n": 2}, {"n": 3}]


class Test3SeveralClientCallsOfOneReply:
    """test_pausing, test_client_execution."""

    async def test_the_open_ones_are_asked_for_again_until_all_are_settled(self, set_stage: SetStage) -> None:
        stage = await set_stage(shop(), calls(("weather", {}), ("taxi", {})), says("Done."))
        first = await stage.say("go")
        second = await stage.answer("taxi", "taxi", output={"n": 2})
        last = await stage.answer("weather", "weather", output={"n": 1})
        assert [open_calls(each) for each in (first, second, last)] == [
            ["call-1-1-1", "call-1-1-2"],
            ["call-1-1-1"],
            [],
        ]
        assert outputs(stage.model.asked[1]) == [{"n": 1}, {"n": 2}]


class Test4ServerCallsRunBeforeThePause:
    """test_pausing, test_kills_at_every_point (its mixed plans)."""

    async def test_and_never_again(self, set_stage: SetStage) -> None:
        draft = shop()
        stage = await set_stage(draft, calls(("weather", {}), ("createPet", {})), says("Done."))
        await stage.say("go")
        assert made(draft) == 1
        stage.engine = stage.new_engine("after a restart")
        await stage.answer("weather", "weather", output={"n": 1})
        assert (made(draft), outputs(stage.model.asked[1])) == (1, [{"n": 1}, {"200": "done"}])


class Test5WordsDuringAPause:
    """test_pausing, both ways that an agent may choose."""

    async def test_cancel_what_is_open_and_a_late_result_is_refused(self, set_stage: SetStage) -> None:
        stage = await set_stage(shop(), calls(("weather", {})), says("Hello!"))
        await stage.say("weather?")
        await stage.say("hi")
        told = stage.model.asked[1].conversation[-2]
        assert isinstance(told, FunctionResult)
        assert (told.is_error, told.output["error"]["code"]) == (True, "CANCELLED")
        with pytest.raises(ResultNotExpected):
            await stage.answer("weather", "weather", output={"n": 1})


class Test6TimeIsLimited:
    """Per call tests/unit/tools/openapi/test_openapi_tool; per pause test_client_execution."""

    async def test_per_turn_between_two_steps(self, set_stage: SetStage) -> None:
        draft = shop()
        draft.shelf.tools["pets"].gate = asyncio.Event()
        stage = await set_stage(draft, calls(("createPet", {})), says("Rex is in."))
        # Long enough that the call is under way by then on a busy machine as well.
        turn = asyncio.create_task(stage.engine.run(asked("add Rex", timeout_s=0.5)))
        await draft.shelf.tools["pets"].called.wait()
        asyncio.get_running_loop().call_later(0.51, draft.shelf.tools["pets"].gate.set)
        with pytest.raises(TurnTimedOut):
            await turn
        # The call under way was not cut off, and what it gave is not lost.
        assert (await stage.say("add Rex")).messages == (TextMessage("Rex is in."),)
        assert (made(draft), outputs(stage.model.asked[1])) == (1, [{"200": "done"}])


class Test7LoopsEnd:
    """test_guards, tests/unit/turns/test_turn."""

    async def test_with_words_and_an_entry_in_the_trace(self, set_stage: SetStage) -> None:
        part = [calls(("createPet", {"n": n})) for n in range(3)]
        stage = await set_stage(shop(), *part, limits=TurnLimits(decisions=3))
        result = await stage.say("go")
        assert result.messages == (TextMessage(GAVE_UP),)
        assert [code for code, _ in notices_in(result.trace)] == ["STEP_LIMIT"]


class Test8WhoLeavesDoesNotEndATurn:
    """tests/integration/server/test_retries and test_streaming: connections that go, over REST and gRPC."""

    async def test_a_turn_that_failed_after_it_acted_goes_on_with_the_same_words(self, set_stage: SetStage) -> None:
        draft = shop()
        stage = await set_stage(draft, calls(("createPet", {})), ModelUnavailable("gone"), says("Rex is in."))
        with pytest.raises(ModelFailed):
            await stage.say("add Rex")
        assert (await stage.say("add Rex")).messages == (TextMessage("Rex is in."),)
        assert made(draft) == 1


class Test9ACrashLosesAndDoublesNothing:
    """test_kills_at_every_point here and in tests/e2e, test_orphans, `make proof`."""

    @pytest.mark.parametrize("text", ["add Rex", "did it work?"], ids=["for the retry", "for other words"])
    async def test_a_call_in_doubt_is_told_to_be_unknown(self, set_stage: SetStage, text: str) -> None:
        draft = shop()

        def asks(turn: ModelTurn) -> ModelReply:
            results = [entry for entry in turn.conversation if isinstance(entry, FunctionResult)]
            return says(str([each.output["error"]["code"] for each in results]))

        stage = await set_stage(draft, asks)
        await died(stage, *decided())
        key = "k1" if text == "add Rex" else None
        assert (await stage.say(text, request_key=key)).messages == (TextMessage("['OUTCOME_UNKNOWN']"),)
        assert made(draft) == 0


class Test10OneTurnAtATime:
    """test_admission, test_keyless; between processes tests/integration/storage/test_begin_turn."""

    async def test_the_second_waits_up_to_its_deadline(self, set_stage: SetStage) -> None:
        draft = shop()
        draft.shelf.tools["pets"].gate = asyncio.Event()
        stage = await set_stage(draft, calls(("createPet", {})), says("Rex is in."), says("Hello!"))
        first = asyncio.create_task(stage.say("add Rex"))
        await draft.shelf.tools["pets"].called.wait()
        with pytest.raises(SessionBusy):
            await stage.say("hurry", timeout_s=0.05)
        second = asyncio.create_task(stage.say("hi"))
        draft.shelf.tools["pets"].gate.set()
        await asyncio.gather(first, second)
        assert [entry.text for entry in stage.model.asked[2].conversation if isinstance(entry, UserText)] == [
            "add Rex",
            "hi",
        ]
