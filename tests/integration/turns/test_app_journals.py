"""The journal of an app's conversation says all there is to know, wherever its processes died: what the session is,
what its agents have seen, and what happened."""

from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.models.base import AgentText, FunctionResult, ModelReply, ModelTurn, UserText
from openplaybook.tools.base import CLIENT_SIDE, Call, ExecutionPlace, Failure, Outcome, Success, ToolContext
from openplaybook.turns.base import (
    AgentStep,
    TextInput,
    ToolCallMessage,
    ToolResultInput,
    ToolResultsInput,
    ToolStep,
    TurnRequest,
    UserStep,
)
from openplaybook.turns.journal.fold import apply
from openplaybook.turns.journal.rows import event_of
from openplaybook.turns.journal.session_state import SessionState
from openplaybook.turns.journal.transcript import Transcript
from openplaybook.turns.session.history import History
from tests.kit.agents import PlayedModel, calls, says
from tests.kit.apps import APP, APP_SESSION, AppDraft, declares, tool_name
from tests.kit.dying import DiesAt, Process, started
from tests.kit.told_steps import steps_in

KINDS = {"begin", "declared", "push", "restored", "heard", "reply", "intent", "handed", "result", "guarded", "say"}
LOOK = ToolCallMessage("call-1-1-1", tool_name("look"), "look", {})
FIRST = TurnRequest(
    agent=APP,
    session=APP_SESSION,
    input=TextInput("Look."),
    language_code="en",
    history=(UserText("hi"), AgentText("Hello.")),
    use_tool_fakes=True,
    request_key="1",
)
REQUESTS = [
    FIRST,
    replace(
        FIRST, input=ToolResultsInput((ToolResultInput("", "", LOOK.id, {"seen": 1}),)), history=(), request_key="2"
    ),
    replace(FIRST, input=TextInput("Tell me of the wyvern."), history=(), request_key="3"),
]


def shop() -> AppDraft:
    """A function that its fake leaves to the client, a tool that sets a variable, and words that are banned."""
    draft = AppDraft(variableDeclarations=declares(size="M", paid=None))
    draft.agent("root", tools=[tool_name("look"), tool_name("pay")])
    draft.tool("look", place=ExecutionPlace.CLIENT, has_fake=True, safe_to_repeat=True, answer=_left_open)
    draft.tool("pay", answer=lambda call, context: Success({}, parameters={"paid": "yes"}), safe_to_repeat=True)
    draft.guardrail("secrets", {"respondImmediately": {"responses": [{"text": "No."}]}}, bannedContents=["wyvern"])
    return draft


def _left_open(call: Call, context: ToolContext) -> Outcome:
    return Failure(CLIENT_SIDE, "no")


class Looking(PlayedModel):
    """Its replies depend on the conversation alone."""

    async def decide(self, turn: ModelTurn) -> ModelReply:
        assert turn.conversation[:2] == FIRST.history
        results = [entry for entry in turn.conversation if isinstance(entry, FunctionResult)]
        return says(f"Seen {turn.parameters}.") if results else calls(("look", {}), ("pay", {}))


async def held(path: Path, fault: DiesAt) -> Process:
    """The process that is left of a conversation whose process died at the fault."""
    draft = shop()
    process = await started(path, draft.shelf, Looking(), fault, APP)
    await draft.put(process.store)
    for request in REQUESTS:
        if await process.run(request, fault) is None:
            await process.end()
            process, fault = await started(path, draft.shelf, Looking(), None, APP), DiesAt()
            await process.run(request)
    return process


async def check_journal(process: Process) -> set[str]:
    """Hold the journal against the stored state, and against what clients are told of the past; its kinds of rows."""
    happened = [event_of(step) for step in await process.store.history(APP_SESSION)]
    state, transcript = SessionState(), Transcript()
    for event in happened:
        apply(event, state)
        transcript.apply(event)
    stored = await process.store.session(APP_SESSION)
    assert stored is not None
    assert state.dump() == stored.state
    assert (state.parameters, state.top.batch, state.use_fakes) == ({"size": "M", "paid": "yes"}, [], True)
    spoken = [entry.text for entry in transcript.conversation(1) if isinstance(entry, UserText | AgentText)]
    parameters = "{'size': 'M', 'paid': 'yes'}"
    withheld = "(The user's words are withheld by a guardrail.)"
    assert spoken == ["hi", "Hello.", "Look.", f"Seen {parameters}.", withheld, "No."]
    turns = [turn.result async for turn in History(process.store).turns(APP, APP_SESSION)]
    assert turns[0].messages == (LOOK,)
    trace = [step for each in turns for step in each.trace]
    said = [(step.KIND, step.text) for step in trace if isinstance(step, UserStep | AgentStep)]
    called = [(step.KIND, step.call_id) for step in steps_in(trace, ToolStep)]
    assert sorted([*said, *called]) == [
        ("agent", "No."),
        ("agent", f"Seen {parameters}."),
        ("tool", LOOK.id),
        ("tool", LOOK.id),
        ("tool", "call-1-1-2"),
        ("user", "Look."),
        ("user", "Tell me of the wyvern."),
    ]
    return {event.KIND for event in happened}


@pytest.mark.proves("X4")
async def test_state_transcript_and_trace_agree_wherever_an_apps_process_died(tmp_path: Path) -> None:
    counting = DiesAt()
    process = await held(tmp_path / "whole.db", counting)
    assert await check_journal(process) == KINDS
    await process.end()
    for nth in range(1, len(counting.points) + 1):
        process = await held(tmp_path / f"{nth}.db", DiesAt(nth))
        await check_journal(process)
        await process.end()
