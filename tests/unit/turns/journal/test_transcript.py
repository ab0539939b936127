import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, FunctionCall, FunctionResult, ProviderReply, UserText
from openplaybook.resources.guardrails import GuardStage
from openplaybook.turns.journal.events import (
    CallSettled,
    Event,
    HistoryRestored,
    ModelReplied,
    PlaybookReplaced,
    UserHeard,
)
from openplaybook.turns.journal.session_state import CallKind, PendingCall
from openplaybook.turns.journal.transcript import WITHHELD, Transcript
from tests.kit.happenings import begun, entered, guarded, left, replaced, replied, settled


def transcript(*happened: Event) -> Transcript:
    grown = Transcript()
    for event in happened:
        grown.apply(event)
    return grown


def heard(text: str, frame: int = 1) -> UserHeard:
    return UserHeard(frame=frame, text=text)


def reply(text: str, *ids: str, raw: JsonObject | None = None) -> ModelReplied:
    return replied(text, *(PendingCall(each, f"m-{each}", "f", CallKind.TOOL, {}) for each in ids), raw=raw)


def result(call: str) -> CallSettled:
    return settled(call, call)


def test_results_join_in_the_order_of_the_calls_once_all_are_there() -> None:
    grown = transcript(heard("go"), reply("", "a", "b"), result("b"))
    asked = [UserText("go"), FunctionCall("m-a", "f", {}), FunctionCall("m-b", "f", {})]
    assert grown.conversation(1) == asked
    grown.apply(result("a"))
    assert grown.conversation(1) == [*asked, FunctionResult("m-a", "f", "a"), FunctionResult("m-b", "f", "b")]


def test_what_the_provider_needs_back_stands_before_what_it_said() -> None:
    assert transcript(reply("hi", raw={"x": 1})).conversation(1) == [ProviderReply("m", {"x": 1}), AgentText("hi")]


def test_frames_have_conversations_of_their_own_and_lose_them_when_left() -> None:
    grown = transcript(heard("go"), entered(2, text="go"), heard("inside", 2))
    assert (grown.conversation(1), grown.conversation(2)) == ([UserText("go")], [UserText("go"), UserText("inside")])
    grown.apply(left(2))
    assert grown.conversation(2) == []


def test_starting_at_another_playbook_forgets_everything() -> None:
    grown = transcript(heard("go"), begun(playbook="other"))
    assert grown.conversation(1) == []


def test_only_the_latest_utterances_are_taken_as_spoken() -> None:
    grown = transcript(heard("one"), reply("two", "a"), result("a"), reply("three"))
    assert grown.spoken(1, 2) == (AgentText("two"), AgentText("three"))
    assert grown.last_user_text(1) == "one"


def move(frame: int, before: int, text: str) -> PlaybookReplaced:
    return replaced(frame, before, text=text)


def test_what_was_said_before_reaches_over_every_frame_that_gave_way_and_no_words_twice() -> None:
    grown = transcript(
        heard("one"), reply("two"), heard("three"), move(2, 1, "three"), heard("four", 2), move(3, 2, "")
    )
    said = (UserText("one"), AgentText("two"), UserText("three"), UserText("four"))
    assert (grown.spoken(2, 9), grown.spoken(2, 3), grown.spoken(2, 1)) == (said, said[1:], said[3:])
    assert grown.spoken(3, 9) == said
    assert grown.conversation(2) == [UserText("three"), UserText("four")]


def test_a_history_is_the_conversation_and_what_was_before_is_forgotten() -> None:
    restored = HistoryRestored(frame=2, entries=(UserText("a"), AgentText("b")))
    grown = transcript(heard("go"), begun(history="digest"), restored, heard("c", 2))
    assert (grown.conversation(1), grown.conversation(2)) == ([], [UserText("a"), AgentText("b"), UserText("c")])


@pytest.mark.parametrize(("stage", "shown"), [(GuardStage.INPUT, WITHHELD), (GuardStage.RESPONSE, UserText("go"))])
def test_words_of_the_user_that_a_guardrail_stopped_are_not_shown(stage: GuardStage, shown: UserText) -> None:
    grown = transcript(heard("go"), guarded(stage))
    assert grown.conversation(1) == [shown]
