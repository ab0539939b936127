"""What the trace tells of each kind of event."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import DecisionFacts, DecisionFault, Usage
from openplaybook.tools.base import Exchange
from openplaybook.turns.base import TextInput, TraceEvent
from openplaybook.turns.journal.events import (
    CallsIntended,
    EngineSpoke,
    Event,
    GuardStage,
    HistoryRestored,
    InnerCallIntended,
    ModelFaulted,
    ParametersDeclared,
    ToolDecision,
    TurnStopped,
    UserHeard,
    WaitLimited,
)
from openplaybook.turns.journal.rows import exchange_json
from openplaybook.turns.journal.state import CallKind, Frame, PendingCall, SessionState
from openplaybook.turns.journal.trace import moments_of, tool_started, trace_event, trace_of, without_parameters
from tests.kit.happenings import (
    begun,
    ended,
    entered,
    guarded,
    handed,
    handler_fired,
    inner_settled,
    left,
    noticed,
    replaced,
    replied,
    settled,
)


class Names:
    """An agent whose display names are told from its resource names."""

    tool_names: Mapping[str, str] = {"t": "Tool"}

    def display_name(self, playbook: str) -> str:
        """Of a playbook."""
        return f"The {playbook}"


NAMES = Names()
PLAIN = {"tool": "t", "tool_display_name": "Tool", "action": "f", "arguments": {}, "note": "", "exchanges": []}
MODEL = {"model": "m", "input_tokens": 0, "output_tokens": 0, "attempts": 1, "evidence": {}}


def trace(*happened: Event) -> tuple[TraceEvent, ...]:
    return trace_of(happened, NAMES, {1: "p"}, 7)


def told(*happened: Event) -> list[tuple[str, JsonObject]]:
    return [(event.kind, event.data) for event in trace(*happened)]


TEXT: JsonObject = {"text": {"text": ["Hello."]}}


@pytest.mark.parametrize(
    ("event", "steps"),
    [
        (UserHeard(frame=1, text="hi"), [("user", {"text": "hi"})]),
        (EngineSpoke(frame=1, text="Sorry.", code="X"), [("agent", {"text": "Sorry."})]),
        (EngineSpoke(frame=1, text="", code="EVENT"), []),
        (noticed(), [("notice", {"code": "X", "message": "y"})]),
        (
            TurnStopped(frame=1, input=TextInput("hi"), code="X", message="y"),
            [("notice", {"code": "X", "message": "y"})],
        ),
        (replied("Hello."), [("model", {**MODEL, "call": {}}), ("agent", {"text": "Hello."})]),
        (replace(replied("Not aloud."), unheard=True), [("model", {**MODEL, "call": {}})]),
        (
            replace(replied(usage=Usage(3, 4)), call=DecisionFacts(max_tokens=9)),
            [("model", {**MODEL, "input_tokens": 3, "output_tokens": 4, "call": {"maxTokens": 9}})],
        ),
        (
            ModelFaulted(frame=1, started=1, model="m", code="C", message="late", attempts=3),
            [("model", {**MODEL, "attempts": 3, "error": {"code": "C", "message": "late"}})],
        ),
        (settled("c1", {"x": 1}), [("tool", {"call_id": "c1", **PLAIN, "output": {"x": 1}})]),
        (
            settled("c1", {}, kind=CallKind.CLIENT),
            [("tool", {"call_id": "c1", **PLAIN, "output": {}, "client": True})],
        ),
        (settled("c1", kind=CallKind.PLAYBOOK), []),
        (
            settled("c1", {}, parameters={"a": 1, "b": "sealed"}, sealed=("b",)),
            [("tool", {"call_id": "c1", **PLAIN, "parameters": {"a": 1}, "output": {}})],
        ),
        (
            inner_settled("c1"),
            [("tool", {"call_id": "c1.1", "within": "c1", **PLAIN, "output": None})],
        ),
        (
            handler_fired(TEXT, {"payload": {}}, parameters={"b": 1, "a": None}),
            [
                (
                    "handler",
                    {
                        "stage": "START",
                        "event": "",
                        "handler": 0,
                        "condition": "",
                        "call": "",
                        "messages": 2,
                        "parameters": ["a", "b"],
                    },
                ),
                ("agent", {"text": "Hello."}),
            ],
        ),
        (entered(2), []),
        (
            entered(2, "q", call="c1", inputs={"a": 1}),
            [("playbook", {"playbook": "q", "playbook_display_name": "The q", "arguments": {"a": 1}})],
        ),
        (
            replaced(2, 1, "q", inputs={"a": 1}),
            [("transition", {"playbook": "q", "playbook_display_name": "The q", "arguments": {"a": 1}})],
        ),
        (
            guarded(GuardStage.RESPONSE),
            [
                (
                    "notice",
                    {
                        "code": "GUARDRAIL",
                        "message": "Guardrail The g fired on the agent's words.",
                        "guardrail": "The g",
                        "stage": "response",
                    },
                )
            ],
        ),
    ],
)
def test_an_event_is_told_as_steps(event: Event, steps: Sequence[tuple[str, JsonObject]]) -> None:
    assert told(event) == steps


LEFT: JsonObject = {"playbook": "q", "playbook_display_name": "The q", "output": {"b": 2}, "state": "OK", "summary": ""}


def test_a_playbook_that_is_left_tells_what_it_gave_and_one_that_was_called_like_a_function_its_call_too() -> None:
    event = left(2, "q", outputs={"b": 2})
    called: JsonObject = {"call_id": "c1", "name": "ask", "tool": "t"}
    assert told(event) == [("playbook", LEFT)]
    assert told(replace(event, call="c1", name="ask", tool="t")) == [("playbook", {**LEFT, **called})]
    begun_as_tool = replace(entered(2, "q", call="c1"), answers=True, name="ask", tool="t")
    assert told(begun_as_tool) == [
        ("playbook", {"playbook": "q", "playbook_display_name": "The q", "arguments": {}, **called})
    ]


def test_the_end_of_the_conversation_tells_of_the_playbook_that_ended_it() -> None:
    over: JsonObject = {"playbook": "p", "playbook_display_name": "The p", "output": {}, "state": "OK", "summary": "s"}
    assert told(ended(summary="s")) == [("playbook", over)]


@pytest.mark.parametrize(
    "event",
    [
        begun(),
        ParametersDeclared(parameters={}, sealed=frozenset()),
        HistoryRestored(frame=1, entries=()),
        CallsIntended(calls=("c1",)),
        InnerCallIntended(frame=1, call="c1", position=1, name="f", tool="t", action="f", arguments={}),
        WaitLimited(until=5),
    ],
    ids=lambda event: event.KIND,
)
def test_what_only_the_engine_needs_to_know_is_no_step(event: Event) -> None:
    assert trace(event) == ()


def error(**output: JsonValue) -> JsonObject:
    return {"error": {"code": "C", "message": "no"}, **output}


def test_an_error_is_told_with_what_the_other_side_answered() -> None:
    said = {"call_id": "c1", **PLAIN, "error": {"code": "C", "message": "no"}}
    assert told(settled("c1", error(), is_error=True)) == [("tool", {**said, "output": None})]
    answered = settled("c1", error(output={"404": "gone"}), is_error=True)
    assert told(answered) == [("tool", {**said, "output": {"404": "gone"}})]


def test_a_call_that_could_not_be_taken_is_a_notice() -> None:
    refused = replace(settled("c1", error(), is_error=True, kind=CallKind.INVALID), code="NO_SUCH_FUNCTION")
    assert told(refused) == [("notice", {"code": "NO_SUCH_FUNCTION", "message": "no"})]


def test_exchanges_are_told_as_the_journal_keeps_them() -> None:
    exchange = Exchange("GET", "https://a.example", {"accept": "*/*"}, "", 200, {}, "ok", 1.5)
    [(_, data)] = told(settled("c1", {}, exchanges=(exchange,)))
    assert data["exchanges"] == [exchange_json(exchange)]


def test_what_a_tool_asked_of_its_model_is_told_before_its_result() -> None:
    asked = ToolDecision(started=2, at=4, model="m", usage=Usage(3, 4), attempts=1, call=DecisionFacts(finish="stop"))
    failed = replace(asked, usage=Usage(), call=DecisionFacts(), error=DecisionFault(code="C", message="late"))
    steps = trace(replace(settled("c1", {}, at=5), models=(asked, failed)))
    assert [(step.kind, step.start_us, step.end_us) for step in steps] == [
        ("model", 2, 4),
        ("model", 2, 4),
        ("tool", 1, 5),
    ]
    within = {**MODEL, "within": "c1"}
    assert [step.data for step in steps[:2]] == [
        {**within, "input_tokens": 3, "output_tokens": 4, "call": {"finish": "stop"}},
        {**within, "call": {}, "error": {"code": "C", "message": "late"}},
    ]


def test_a_call_for_the_client_is_told_as_asked_for_and_has_no_end() -> None:
    asked = PendingCall("c1", "m1", "f", CallKind.CLIENT, {"n": 1}, tool="t", action="a")
    ours = PendingCall("c2", "m2", "f", CallKind.TOOL, {})
    steps = [step for step in trace(replied("", asked, ours, at=3), handed("c2")) if step.kind == "tool"]
    assert [(step.data["call_id"], step.data["arguments"], step.end_us) for step in steps] == [
        ("c1", {"n": 1}, 0),
        ("c2", {}, 0),
    ]
    assert "output" not in steps[0].data


def test_steps_know_their_turn_playbook_and_time() -> None:
    heard, inside = UserHeard(at=4, frame=1, text="hi"), replace(settled("c1", {}, frame=2, started=6), at=9)
    first, _, second = trace(heard, entered(2, "q", at=5, call="c0"), inside)
    assert first == TraceEvent("user", "p", "The p", 1, 4, 4, {"text": "hi"}, 7)
    assert (second.playbook, second.frame, second.start_us, second.end_us, second.turn) == ("q", 2, 6, 9, 7)


def test_a_running_turn_tells_replies_and_handovers_at_once() -> None:
    happened = [replied("Hello."), entered(2, "q", call="c1"), replaced(3, 2, "r"), left(3, "r"), ended()]
    moments = [(each.kind, each.playbook) for event in happened for each in moments_of(event, NAMES, "p")]
    assert moments == [("agent", "p"), ("playbook", "q"), ("transition", "r"), ("playbook", "r")]


def test_a_call_that_runs_is_told_without_an_end_and_one_that_is_settled_with_it() -> None:
    state = SessionState(frames=[Frame(3, "p", {})])
    call = PendingCall("c1", "m1", "f", CallKind.TOOL, {"n": 1}, tool="t", action="f")
    started = tool_started(state, NAMES, call, 5, within="c0")
    assert (started.playbook, started.frame, started.start_us, started.end_us) == ("p", 3, 5, 0)
    assert (started.data["within"], started.data["tool_display_name"]) == ("c0", "Tool")
    over = trace_event(settled("c1", {"x": 1}, frame=3, started=5, at=9), NAMES, "p")
    assert (over.kind, over.start_us, over.end_us, over.data["output"]) == ("tool", 5, 9, {"x": 1})


def test_values_of_parameters_that_became_secret_are_left_out_of_the_past() -> None:
    [step] = trace(settled("c1", {}, parameters={"a": 1, "b": 2}))
    assert without_parameters(step, {"b"}).data["parameters"] == {"a": 1}
    [heard] = trace(UserHeard(frame=1, text="hi"))
    assert without_parameters(heard, {"b"}) is heard
