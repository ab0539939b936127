"""What a recording holds of a conversation, and what it leaves out."""

import asyncio

import pytest

from openplaybook.models.errors import ModelUnavailable
from openplaybook.recordings import recorded_session
from openplaybook.recordings.errors import NoConversation
from openplaybook.recordings.form import ClientResult, RecordedTurn
from openplaybook.recordings.recorded_session import record_session
from openplaybook.recordings.recording_yaml import write_recording
from openplaybook.recordings.step_form import Enter, Leave, OtherEvent, RecordedCall, RecordedDecision, RecordedError
from openplaybook.tools.base import Call as ToolCall
from openplaybook.tools.base import Exchange, ExecutionPlace, Outcome, Success, ToolContext
from openplaybook.turns.errors import ModelFailed
from tests.kit.agents import AGENT, AgentDraft, PlayedModel, calls, says
from tests.kit.recordings import SESSION, Talk, found, staged
from tests.kit.threads_seen import threads_of

BEARER = {
    "openApiSpec": {"authentication": {"bearerTokenConfig": {"token": "$session.params.user_token"}}},
}


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}, ${TOOL: weather}, then ${PLAYBOOK: Returns}.", start=True)
    draft.playbook("Returns", "Use ${TOOL: pets}.", outputParameterDefinitions=[{"name": "done"}])
    draft.tool("pets", "getPet", answer=lambda call, context: Success({"200": {"name": "Rex"}}))
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


@pytest.mark.proves("X6")
async def test_a_recording_holds_decisions_outcomes_and_transitions_in_their_order() -> None:
    part = (
        calls(("getPet", {"petId": 3}), ("weather", {"city": "Rome"}), text="One moment."),
        calls(("Returns", {})),
        calls(("end_playbook", {"state": "OK", "done": True})),
        says("Rex is back."),
    )
    async with staged(pets()) as stage:
        talk = Talk(stage, PlayedModel(*part))
        await talk.say("return Rex", parameters={"mood": "good"})
        await talk.give("weather", "weather", output={"temperature": 20})
        recording = await talk.recorded()
    assert (recording.agent, recording.language, recording.model) == ("Test", "en", "played")
    first, second = recording.turns
    assert (first.user, first.parameters, first.at) == ("return Rex", {"mood": "good"}, "Start")
    assert first.steps == [
        Enter(enters="Start"),
        RecordedDecision(
            decides="Start",
            says="One moment.",
            calls=[
                RecordedCall(tool="pets", action="getPet", arguments={"petId": 3}, output={"200": {"name": "Rex"}}),
                RecordedCall(tool="weather", action="weather", arguments={"city": "Rome"}),
            ],
        ),
    ]
    assert [(ask.tool, ask.arguments) for ask in first.asks or ()] == [("weather", {"city": "Rome"})]
    assert second.result == ClientResult(tool="weather", action="weather", output={"temperature": 20})
    kinds = [type(step) for step in second.steps or ()]
    assert kinds == [RecordedDecision, Enter, RecordedDecision, Leave, RecordedDecision]
    assert Leave(leaves="Returns", state="OK", outputs={"done": True}) in (second.steps or ())


async def test_a_recording_is_made_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    made = threads_of(monkeypatch, recorded_session, "recording_of")
    async with staged(pets()) as stage:
        talk = Talk(stage, PlayedModel(says("Hello.")))
        await talk.say("hi")
        await talk.recorded()
    assert made == ["openplaybook-packages"]


async def test_equal_conversations_have_equal_recordings() -> None:
    def answer(call: ToolCall, context: ToolContext) -> Outcome:
        return Success({"file": f"{AGENT}/sessions/{context.session_id}/files/f", "session": context.session_id})

    async def text(session: str) -> str:
        draft = pets()
        draft.tool("pets", "getPet", answer=answer)
        async with staged(draft) as stage:
            talk = Talk(stage, PlayedModel(calls(("getPet", {})), says("Here.")), f"{AGENT}/sessions/{session}")
            await talk.say("show me")
            return write_recording(await talk.recorded())

    one, other = await text("11111111-aaaa"), await text("22222222-bbbb")
    assert one == other
    assert 'file: "${SESSION}/files/f"\n' in one
    assert 'session: "${SESSION_ID}"\n' in one


@pytest.mark.proves("X6")
async def test_no_secret_is_written_and_masks_fit_whatever_is_there_in_a_replay() -> None:
    def agent() -> AgentDraft:
        draft = AgentDraft()
        draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
        draft.tool("pets", "getPet", document=BEARER, answer=lambda call, context: Success({"password": "planted-3"}))
        return draft

    async with staged(agent()) as stage:
        asked = {"apiKey": "planted-4", "note": "with planted-4/x"}
        talk = Talk(stage, PlayedModel(calls(("getPet", asked)), says("The key is planted-4, the word planted-3.")))
        await talk.say(
            "pet, I am planted-2",
            parameters={"user_token": "planted-1", "db_password": "planted-2", "city": "Rome"},
            payload={"secret": "planted-5"},
        )
        recording = await talk.recorded()
    text = write_recording(recording)
    assert "planted" not in text
    assert "sealed:v1" not in text
    masked = {"user_token": "[redacted]", "db_password": "[redacted]", "city": "Rome"}
    assert recording.turns[0].parameters == masked
    assert await found(recording, agent()) == [[]]


@pytest.mark.proves("X6")
async def test_parameters_that_a_tool_sets_and_a_request_takes_away_replay_and_secret_ones_are_masked() -> None:
    def agent() -> AgentDraft:
        draft = AgentDraft()
        draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
        sets = {"user_token": "planted-1", "seen": {"z": 1, "a": 2}}
        draft.tool("pets", "getPet", document=BEARER, answer=lambda call, context: Success({}, parameters=sets))
        return draft

    async with staged(agent()) as stage:
        talk = Talk(stage, PlayedModel(calls(("getPet", {})), says("Rex."), says("Bye.")))
        await talk.say("pet", parameters={"mood": "good"})
        await talk.say("bye", removed=frozenset({"mood"}))
        recording = await talk.recorded()
    first, second = recording.turns
    [call] = [call for step in first.steps or () if isinstance(step, RecordedDecision) for call in step.calls]
    assert call.sets == {"user_token": "[redacted]", "seen": {"z": 1, "a": 2}}
    assert (first.sets, second.removes, second.sets) == ({"seen": {"z": 1, "a": 2}}, ["mood"], {})
    assert "planted" not in write_recording(recording)
    assert await found(recording, agent()) == [[], []]


async def test_what_calls_side_by_side_set_replays_in_the_order_in_which_they_ended() -> None:
    ended = asyncio.Event()

    def agent(gate: asyncio.Event | None) -> AgentDraft:
        def fast(call: ToolCall, context: ToolContext) -> Outcome:
            ended.set()
            return Success({}, parameters={"last": "fast", "fast": 1})

        draft = AgentDraft()
        draft.playbook("Start", "Use ${TOOL: slow} and ${TOOL: fast}.", start=True)
        draft.tool("slow", answer=lambda call, context: Success({}, parameters={"last": "slow"})).gate = gate
        draft.tool("fast", answer=fast)
        return draft

    async with staged(agent(ended)) as stage:
        talk = Talk(stage, PlayedModel(calls(("slow", {}), ("fast", {})), says("Done.")))
        await talk.say("go")
        recording = await talk.recorded()
    [turn] = recording.turns
    assert turn.sets == {"last": "slow", "fast": 1}
    made = [call for step in turn.steps or () if isinstance(step, RecordedDecision) for call in step.calls]
    assert [call.sets for call in made] == [{"last": "slow"}, {"fast": 1}]
    assert await found(recording, agent(None)) == [[]]


@pytest.mark.proves("X6")
async def test_handlers_events_and_the_end_of_a_conversation_replay_the_same() -> None:
    hello = {"messages": [{"text": {"text": ["Welcome!"]}}], "setParameterActions": [{"parameter": "seen", "value": 1}]}
    start = {
        "lifecycleStage": "playbook-start",
        "fulfillment": {"setParameterActions": [{"parameter": "n", "value": 5}]},
    }

    def agent() -> AgentDraft:
        draft = pets()
        handlers = [
            {"eventHandler": {"event": "HELLO", "fulfillment": hello}},
            {"eventHandler": {"event": "BYE", "fulfillment": {"messages": [{"endInteraction": {}}]}}},
            {"lifecycleHandler": start},
        ]
        draft.playbook("Start", "Use ${TOOL: pets}.", start=True, handlers=handlers)
        return draft

    async with staged(agent()) as stage:
        talk = Talk(stage, PlayedModel(says("Rex."), says("Rex again.")))
        await talk.tell("HELLO")
        await talk.say("pet")
        await talk.tell("BYE")
        await talk.say("pet")
        recording = await talk.recorded()
    assert [turn.event or turn.user for turn in recording.turns] == ["HELLO", "pet", "BYE", "pet"]
    assert [turn.sets for turn in recording.turns] == [{"n": 5, "seen": 1}, {}, {}, {}]
    told = [step.event for turn in recording.turns for step in turn.steps or () if isinstance(step, OtherEvent)]
    assert told == ["handler", "handler", "handler", "end", "handler"]
    assert await found(recording, agent()) == [[], [], [], []]


async def test_a_session_that_began_anew_is_recorded_from_there() -> None:
    async with staged(pets()) as stage:
        talk = Talk(stage, PlayedModel(says("one"), says("two"), says("three")))
        await talk.say("first", session_ttl_s=1e-6)
        expired = await talk.recorded()
        await talk.say("second")
        await talk.say("third")
        recording = await talk.recorded()
    assert [turn.user for turn in expired.turns] == ["first"]
    assert [turn.user for turn in recording.turns] == ["second", "third"]


async def test_a_session_without_turns_cannot_be_recorded() -> None:
    async with staged(pets()) as stage:
        with pytest.raises(NoConversation, match="no turn that could be recorded"):
            await record_session(stage.store, AGENT, SESSION)


async def test_a_turn_that_was_cut_short_after_it_had_acted_is_so_again() -> None:
    part = (calls(("getPet", {})), ModelUnavailable("the model is away"), says("Hello again."))
    async with staged(pets()) as stage:
        talk = Talk(stage, PlayedModel(*part))
        with pytest.raises(ModelFailed):
            await talk.say("pet")
        await talk.say("hello")
        recording = await talk.recorded()
    message = "The model gave no decision (MODEL_UNAVAILABLE): the model is away"
    assert recording.turns[0].stopped == RecordedError(code="MODEL_FAILED", message=message)
    assert await found(recording, pets()) == [[], []]


async def test_what_a_tool_sends_is_told_without_credentials_and_without_the_place_of_the_service() -> None:
    def answer(call: ToolCall, context: ToolContext) -> Outcome:
        url = "https://user@api.example.com:8443/v1/pets/3?verbose=true&key=[redacted]"
        body = '{"kind": "dog", "token": "planted"}'
        headers = {"Authorization": "Bearer planted"}
        context.exchanged.append(Exchange("POST", url, headers, body, 200, {}, "{}", 1.5))
        return Success({"200": {}})

    draft = pets()
    draft.tool("pets", "getPet", answer=answer)
    async with staged(draft) as stage:
        talk = Talk(stage, PlayedModel(calls(("getPet", {})), says("Done.")))
        await talk.say("pet")
        turn: RecordedTurn = (await talk.recorded()).turns[0]
    [sent] = [call.request for step in turn.steps or () if isinstance(step, RecordedDecision) for call in step.calls]
    assert sent is not None
    assert sent.model_dump() == {
        "method": "POST",
        "path": "/v1/pets/3?verbose=true",
        "body": {"kind": "dog", "token": "[redacted]"},
        "form": None,
    }


async def test_a_short_session_id_is_kept_only_where_requests_hold_it() -> None:
    def answer(call: ToolCall, context: ToolContext) -> Outcome:
        url = f"https://api.example.com/{call.arguments['path']}"
        context.exchanged.append(Exchange("GET", url, {}, "", 200, {}, "{}", 1.5))
        return Success({"200": {}})

    async def session_of(path: str) -> str:
        draft = pets()
        draft.tool("pets", "getPet", answer=answer)
        async with staged(draft) as stage:
            talk = Talk(stage, PlayedModel(calls(("getPet", {"path": path})), says("Done.")), f"{AGENT}/sessions/s7")
            await talk.say("pet")
            return (await talk.recorded()).session

    assert [await session_of("carts/s7"), await session_of("carts/8")] == ["s7", ""]
