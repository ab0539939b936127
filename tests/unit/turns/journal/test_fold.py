import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.base import NoInput, TextInput, ToolResultInput, TurnInput
from openplaybook.turns.journal.events import (
    CallsIntended,
    Event,
    ParametersDeclared,
    PlaybookEntered,
    TurnStopped,
    UserHeard,
    WaitLimited,
)
from openplaybook.turns.journal.fold import apply
from openplaybook.turns.journal.session_state import (
    CallKind,
    CallStatus,
    Frame,
    PendingCall,
    Phase,
    SessionState,
    phase_of,
)
from tests.kit.happenings import (
    begun,
    ended,
    entered,
    handed,
    handler_fired,
    inner_settled,
    left,
    noticed,
    replaced,
    replied,
    settled,
)

RESULT = ToolResultInput("t", "a", output={})


def waiting() -> SessionState:
    call = PendingCall("c1", "m1", "f", CallKind.CLIENT, {}, tool="t", action="a")
    return SessionState(turn=1, snapshot="old", frames=[Frame(1, "p", {}, batch=[call])], payload={"x": 1})


def test_parameters_are_merged_and_the_rest_belongs_to_the_request() -> None:
    state = SessionState(parameters={"a": 1, "b": 1}, payload={"x": 1}, metadata={"m": 1}, settings={"model": "m"})
    apply(begun(parameters={"b": 2}), state)
    assert (state.parameters, state.payload, state.metadata, state.settings) == ({"a": 1, "b": 2}, {}, {}, {})
    assert (state.turn, state.snapshot) == (1, "new")


def test_a_parameter_that_the_request_removes_is_gone() -> None:
    state = SessionState(parameters={"a": 1, "b": 1})
    apply(begun(parameters={"c": 2}, removed=("a", "none")), state)
    assert state.parameters == {"b": 1, "c": 2}


def test_a_result_goes_on_with_the_snapshot_and_payload_of_the_turn_that_paused() -> None:
    state = waiting()
    apply(begun(RESULT, payload={"y": 2}), state)
    assert (state.snapshot, state.payload) == ("old", {"x": 1, "y": 2})


def test_text_while_paused_begins_a_turn_of_its_own() -> None:
    state = waiting()
    apply(begun(), state)
    assert (state.snapshot, state.payload) == ("new", {})


@pytest.mark.proves("C1")
@pytest.mark.parametrize(
    ("before", "asked", "after"),
    [(True, None, True), (True, False, False), (None, True, True), (False, None, False), (None, None, None)],
)
def test_client_execution_holds_for_a_paused_turn_until_a_request_says_otherwise(
    before: bool | None, asked: bool | None, after: bool | None
) -> None:
    state = waiting()
    state.client_execution = before
    apply(begun(RESULT, client_execution=asked), state)
    assert state.client_execution == after
    assert SessionState.load(state.dump()).client_execution == after


@pytest.mark.proves("C1")
def test_client_execution_ends_with_its_turn() -> None:
    for state in (waiting(), SessionState()):
        state.client_execution = True
        apply(begun(client_execution=None), state)
        assert state.client_execution is None


def test_client_execution_goes_on_where_a_turn_was_cut_short() -> None:
    state = SessionState(client_execution=True, interrupted=RESULT)
    apply(begun(RESULT), state)
    assert state.client_execution is True


def test_a_wait_has_a_limit_until_the_model_decides_again() -> None:
    state = waiting()
    apply(WaitLimited(until=5), state)
    assert SessionState.load(state.dump()).waits_until == 5
    apply(replied(), state)
    assert state.waits_until is None


def test_another_start_playbook_sets_everything_aside() -> None:
    state = waiting()
    state.parameters = {"a": 1}
    apply(begun(RESULT, playbook="other", parameters={"b": 2}), state)
    assert (state.frames, state.parameters, state.snapshot) == ([], {"b": 2}, "new")


def test_a_reply_without_calls_answers_the_turn_and_keeps_the_planner_state() -> None:
    state = SessionState(frames=[Frame(1, "p", {}, planner={"old": 1})])
    apply(replied(), state)
    assert (phase_of(state), state.top.planner) == (Phase.DONE, {"old": 1})
    apply(replied(planner={"new": 1}), state)
    assert state.top.planner == {"new": 1}


def test_calls_are_planned_then_sent_then_settled_and_the_last_one_empties_the_batch() -> None:
    state = SessionState(frames=[Frame(1, "p", {})])
    calls = [PendingCall(f"c{n}", f"m{n}", "f", CallKind.TOOL, {}) for n in (1, 2)]
    reply = replied("", *calls)
    apply(reply, state)
    assert [call.status for call in state.top.batch] == [CallStatus.PLANNED, CallStatus.PLANNED]
    apply(CallsIntended(calls=("c1",)), state)
    assert [call.status for call in state.top.batch] == [CallStatus.SENT, CallStatus.PLANNED]
    apply(settled("c1"), state)
    assert [call.status for call in state.top.batch] == [CallStatus.SETTLED, CallStatus.PLANNED]
    apply(settled("c2"), state)
    assert (state.top.batch, phase_of(state)) == ([], Phase.DECIDE)
    # What the model asked for stays as it was asked for.
    assert [call.status for call in reply.calls] == [CallStatus.PLANNED, CallStatus.PLANNED]


def test_playbooks_are_stacked_and_taken_off_again() -> None:
    state = SessionState()
    for frame in (1, 2):
        apply(entered(frame, f"p{frame}"), state)
    assert ([frame.id for frame in state.frames], state.frames_made) == ([1, 2], 2)
    apply(left(2), state)
    assert ([frame.id for frame in state.frames], state.frames_made) == ([1], 2)


def test_a_turn_cut_short_is_remembered_until_something_is_heard_or_decided() -> None:
    for event in (UserHeard(frame=1, text="hi"), replied()):
        state = SessionState(frames=[Frame(1, "p", {})])
        apply(TurnStopped(frame=1, input=TextInput("hi"), code="X", message="y"), state)
        assert (state.interrupted, phase_of(state)) == (TextInput("hi"), Phase.DONE)
        apply(event, state)
        assert state.interrupted is None


def test_events_without_effect_change_nothing() -> None:
    state = waiting()
    before = state.dump()
    apply(noticed(), state)
    assert state.dump() == before


def test_a_handler_sets_clears_and_seals_parameters_and_ends_its_playbooks_beginning() -> None:
    state = SessionState(frames=[Frame(1, "p", {})], parameters={"a": 1, "b": 2, "c": "x"}, sealed={"b", "c"})
    apply(handler_fired(parameters={"a": 5, "b": None, "d": "sealed"}, sealed=("d",)), state)
    assert (state.parameters, state.sealed) == ({"a": 5, "c": "x", "d": "sealed"}, {"c", "d"})
    assert (state.started, phase_of(state)) == ({"p"}, Phase.DECIDE)
    apply(handler_fired(rests=True), state)
    assert phase_of(state) is Phase.DONE


def test_a_transition_puts_another_playbook_in_the_place_of_the_deciding_one() -> None:
    beneath = Frame(1, "root", {})
    state = SessionState(frames=[beneath, Frame(2, "old", {}, call="c9")], frames_made=2, answered=True)
    apply(replaced(3, 2, "new", call="c9", inputs={"x": 1}), state)
    assert state.frames == [beneath, Frame(3, "new", {"x": 1}, call="c9", preceding=2)]
    assert (state.frames_made, phase_of(state)) == (3, Phase.DECIDE)


def test_after_the_end_the_next_input_finds_an_empty_session_whose_numbers_go_on() -> None:
    state = waiting()
    state.parameters, state.started, state.frames_made = {"a": 1}, {"p"}, 1
    apply(ended(), state)
    assert (phase_of(state), state.open_client_calls()) == (Phase.DONE, [])
    state = SessionState.load(state.dump())
    apply(begun(parameters={"b": 2}), state)
    assert state == SessionState(
        turn=2, began=1, snapshot="new", language_code="en", parameters={"b": 2}, frames_made=1
    )


SETS: JsonObject = {"b": None, "c": 3}


@pytest.mark.parametrize(
    "event",
    [
        settled("c1", parameters=SETS, sealed=("c",)),
        inner_settled("c1", parameters=SETS, sealed=("c",)),
    ],
    ids=["of a call", "of an inner call"],
)
def test_a_result_sets_parameters_and_null_takes_one_away(event: Event) -> None:
    state = waiting()
    state.parameters, state.sealed = {"a": 1, "b": 2}, {"b"}
    apply(event, state)
    assert (state.parameters, state.sealed) == ({"a": 1, "c": 3}, {"c"})


def test_a_result_that_sets_nothing_leaves_parameters_as_they_are() -> None:
    state = waiting()
    state.parameters, state.sealed = {"a": None}, {"a"}
    apply(settled("c1"), state)
    assert (state.parameters, state.sealed) == ({"a": None}, {"a"})


def test_the_result_of_an_inner_call_settles_no_call_of_the_model() -> None:
    call = PendingCall("c1", "m1", "f", CallKind.TOOL, {}, status=CallStatus.SENT)
    state = SessionState(frames=[Frame(1, "p", {}, batch=[call])])
    apply(inner_settled("c1"), state)
    assert (state.top.batch, call.status) == ([call], CallStatus.SENT)


def test_declared_parameters_join_those_of_the_request() -> None:
    state = SessionState(parameters={"a": 1})
    apply(ParametersDeclared(parameters={"b": "sealed"}, sealed=frozenset({"b"})), state)
    assert (state.parameters, state.sealed) == ({"a": 1, "b": "sealed"}, {"b"})


def test_a_history_sets_everything_aside() -> None:
    state = waiting()
    state.parameters = {"a": 1}
    apply(begun(NoInput(), history="digest", parameters={"b": 2}), state)
    assert (state.frames, state.parameters, state.snapshot) == ([], {"b": 2}, "new")


@pytest.mark.parametrize(("given", "after"), [(RESULT, True), (NoInput(), True), (TextInput("hi"), False)])
def test_fakes_are_used_until_the_turn_ends(given: TurnInput, after: bool) -> None:
    state = waiting()
    apply(begun(given, use_fakes=True), state)
    assert state.use_fakes is True
    apply(begun(given), state)
    assert SessionState.load(state.dump()).use_fakes is after


def test_a_playbook_that_answers_its_caller_answers_no_turn_and_hands_that_on() -> None:
    state = SessionState(frames=[Frame(1, "p", {})], frames_made=1)
    apply(PlaybookEntered(frame=2, playbook="q", inputs={}, call="c1", text="", answers=True), state)
    apply(replied(frame=2), state)
    assert (state.answered, state.top.answers) == (False, True)
    apply(replaced(3, 2, "r", call="c1"), state)
    assert (state.top, SessionState.load(state.dump()).top) == (Frame(3, "r", {}, "c1", preceding=2, answers=True),) * 2


def test_a_call_that_is_handed_over_waits_for_the_client() -> None:
    call = PendingCall("c1", "m1", "f", CallKind.TOOL, {}, status=CallStatus.SENT)
    state = SessionState(frames=[Frame(1, "p", {}, batch=[call])])
    apply(handed("c1"), state)
    assert (phase_of(state), state.open_client_calls(), call.status) == (Phase.PAUSED, [call], CallStatus.PLANNED)


def test_what_is_told_once_is_remembered_also_by_a_session_that_begins_anew_and_never_without_bound() -> None:
    state = SessionState()
    apply(noticed(), state)
    assert state.told == set()
    for number in range(100):
        apply(noticed(once=f"X {number}"), state)
    apply(begun(playbook="p"), state)
    assert ("X 0" in state.told, len(state.told)) == (True, 20)
    assert SessionState.load(state.dump()).told == state.told
