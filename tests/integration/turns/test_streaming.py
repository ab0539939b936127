"""A turn as it happens, for listeners that keep up, lag or leave."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.models.base import ModelReply, ModelTurn, TextDelta
from openplaybook.models.errors import ModelUnavailable
from openplaybook.telemetry.log_lines import current_log_context
from openplaybook.tools.base import Call, Outcome, Success, ToolContext
from openplaybook.turns.base import Partial, PartialMoment, PartialText, PartialTrace, TurnRequest, TurnResult
from openplaybook.turns.errors import NoSuchAgent
from openplaybook.turns.turn_streams import TurnStreams
from tests.integration.turns.conftest import SetStage, Stage, asked
from tests.kit.agents import SESSION, START, AgentDraft, PlayedModel, calls, says
from tests.kit.told_steps import kinds_in


class SlowSpeaker(PlayedModel):
    """A model that lets everybody else go on after each word."""

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The next reply word by word."""
        async for item in super().stream(turn):
            yield item
            for _ in range(3):
                await asyncio.sleep(0)


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
    draft.tool("pets", "getPet", answer=lambda call, context: Success({"200": {"name": "Rex"}}))
    return draft


async def heard_of(streams: TurnStreams, request: TurnRequest) -> list[Partial | TurnResult]:
    return [item async for item in streams.stream(request)]


def told(items: list[Partial | TurnResult]) -> list[str]:
    """Words, whether a call started or ended, and the kinds of moments."""
    told: list[str] = []
    for item in items:
        if isinstance(item, PartialText):
            told.append(item.text)
        elif isinstance(item, PartialTrace):
            told.append("ended" if item.step.end_us else "started")
        elif isinstance(item, PartialMoment):
            told.append(f"<{item.step.KIND}>")
        else:
            told.append("result")
    return told


async def speaking_slowly(set_stage: SetStage, *part: object) -> Stage:
    stage = await set_stage(pets())
    stage.model = SlowSpeaker(*part)  # pyright: ignore[reportArgumentType]
    stage.engine = stage.new_engine()
    return stage


async def test_words_and_calls_are_told_as_they_happen_and_then_the_result(set_stage: SetStage) -> None:
    stage = await speaking_slowly(set_stage, calls(("getPet", {"petId": 3})), says("It is Rex."))
    items = await heard_of(TurnStreams(stage.engine), asked("show me pet 3"))
    assert told(items) == ["started", "ended", "It ", "is ", "Rex. ", "<agent>", "result"]
    began, ended, *_, complete, result = items
    assert isinstance(began, PartialTrace)
    assert isinstance(ended, PartialTrace)
    assert isinstance(result, TurnResult)
    assert began.step.arguments == {"petId": 3}
    assert replace(ended.step, turn=1) == result.trace[2]
    assert isinstance(complete, PartialMoment)
    assert (complete.reply, replace(complete.step, turn=1)) == (1, result.trace[4])


async def test_a_call_is_told_to_have_ended_once_its_result_is_on_record(set_stage: SetStage, tmp_path: Path) -> None:
    stage = await set_stage(pets(), calls(("getPet", {})), says("Rex."))
    on_record: list[tuple[bool, str]] = []

    def hear(partial: Partial) -> None:
        if isinstance(partial, PartialTrace):
            with closing(sqlite3.connect(tmp_path / "openplaybook.db")) as reading:
                [(latest,)] = reading.execute("SELECT kind FROM step ORDER BY seq DESC LIMIT 1")
            on_record.append((bool(partial.step.end_us), latest))

    await stage.engine.run(asked("pet 3"), hear)
    # Its intent when it starts.
    assert on_record == [(False, "intent"), (True, "result")]


async def test_words_are_joined_while_the_listener_lags(set_stage: SetStage) -> None:
    many = " ".join(["word"] * 5000)
    stage = await speaking_slowly(set_stage, calls(("getPet", {}), text="Let me see"), says(many))
    stream = TurnStreams(stage.engine).stream(asked("pet 3", request_key="k"))
    first = await anext(stream)
    # The turn does not wait for its listener: it is over before anything more is taken.
    finished = await stage.say("pet 3", request_key="k")
    items = [first, *[item async for item in stream]]
    assert told(items) == ["Let ", "me see ", "<agent>", "started", "ended", f"{many} ", "<agent>", "result"]
    assert items[-1] == finished


async def test_each_reply_has_a_number_and_a_speaker_and_ends_before_what_follows_it(set_stage: SetStage) -> None:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${PLAYBOOK: Helper}.", start=True)
    draft.playbook("Helper", "Help.")
    stage = await set_stage(draft, calls(("Helper", {}), text="Handing over."), says("I help."))
    items = await heard_of(TurnStreams(stage.engine), asked("help"))
    parts = [
        (item.playbook_display_name, item.reply, item.text)
        if isinstance(item, PartialText)
        else (item.step.playbook_display_name, item.reply, f"<{item.step.KIND}>")
        for item in items
        if isinstance(item, PartialText | PartialMoment)
    ]
    assert parts == [
        ("Start", 1, "Handing over. "),
        ("Start", 1, "<agent>"),
        ("Helper", 1, "<playbook>"),
        ("Helper", 2, "I help. "),
        ("Helper", 2, "<agent>"),
    ]


async def test_a_listener_that_leaves_does_not_end_the_turn(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, calls(("getPet", {"petId": 3})), says("It is Rex."))
    stream = TurnStreams(stage.engine).stream(asked("show me pet 3", request_key="k"))
    await anext(stream)
    await stream.aclose()
    result = await stage.say("show me pet 3", request_key="k")
    assert kinds_in(result.trace) == ["user", "model", "tool", "model", "agent"]
    assert len(draft.shelf.tools["pets"].invoked) == 1


async def test_draining_waits_for_turns_whose_listeners_have_left(set_stage: SetStage) -> None:
    draft = pets()
    tool = draft.shelf.tools["pets"]
    tool.gate = asyncio.Event()
    stage = await set_stage(draft, calls(("getPet", {"petId": 3})), says("It is Rex."))
    streams = TurnStreams(stage.engine)
    stream = streams.stream(asked("show me pet 3"))
    await anext(stream)
    await stream.aclose()
    assert await streams.drain(0) == 1
    tool.gate.set()
    assert await streams.drain(10) == 0
    assert stage.model.part == []


async def test_a_failure_that_nobody_is_left_to_hear_of_is_no_forgotten_one(set_stage: SetStage) -> None:
    stage = await speaking_slowly(set_stage, calls(("nothing", {}), text="One moment"), ModelUnavailable("down"))
    forgotten: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: forgotten.append(context["message"]))
    streams = TurnStreams(stage.engine)
    stream = streams.stream(asked("hi"))
    assert await anext(stream) == PartialText("One ", 1, 1, START, "Start")
    await stream.aclose()
    assert await streams.drain(10) == 0
    assert stage.model.part == []
    assert forgotten == []


async def test_a_repeated_request_gets_the_first_result_and_nothing_else(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("getPet", {"petId": 3})), says("It is Rex."))
    streams = TurnStreams(stage.engine)
    *_, first = await heard_of(streams, asked("show me pet 3", request_key="k"))
    assert await heard_of(streams, asked("show me pet 3", request_key="k")) == [first]


async def test_what_is_logged_in_a_turn_says_its_session_its_turn_and_its_trace(set_stage: SetStage) -> None:
    draft, noted = pets(), list[Mapping[str, str]]()

    def note(call: Call, context: ToolContext) -> Outcome:
        noted.append(current_log_context())
        return Success({})

    draft.shelf.tools["pets"].answer = note
    stage = await set_stage(draft, calls(("getPet", {})), says("It is Rex."))
    trace = "0af7651916cd43dd8448eb211c80319c"
    *_, result = await heard_of(TurnStreams(stage.engine), asked("hi", trace_parent=f"00-{trace}-b7ad6b7169203331-01"))
    assert isinstance(result, TurnResult)
    assert noted == [{"session": SESSION, "turn": result.response_id, "trace": trace}]


async def test_a_turn_that_cannot_begin_raises(set_stage: SetStage) -> None:
    stage = await set_stage(pets())
    with pytest.raises(NoSuchAgent):
        await anext(TurnStreams(stage.engine).stream(asked("hi", agent="projects/p/locations/l/agents/none")))
