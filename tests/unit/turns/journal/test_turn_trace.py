"""What the trace tells of each kind of event."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import DecisionFacts, DecisionFault, Usage
from openplaybook.resources.guardrails import GuardStage
from openplaybook.tools.base import Exchange
from openplaybook.turns.base import (
    AgentStep,
    DepartureStep,
    EntryStep,
    HandlerStep,
    ModelStep,
    NoticeStep,
    StepFault,
    TextInput,
    ToolStep,
    TraceStep,
    TransitionStep,
    UserStep,
)
from openplaybook.turns.journal.events import (
    CallsIntended,
    EngineSpoke,
    Event,
    HistoryRestored,
    InnerCallIntended,
    ModelFaulted,
    ParametersDeclared,
    ToolDecision,
    TurnStopped,
    UserHeard,
    WaitLimited,
)
from openplaybook.turns.journal.session_state import CallKind, Frame, PendingCall, SessionState
from openplaybook.turns.journal.turn_trace import moments_of, tool_ended, tool_started, trace_of, without_parameters
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
from tests.kit.told_steps import steps_in


class Names:
    """An agent whose display names are told from its resource names."""

    tool_names: Mapping[str, str] = {"t": "Tool"}

    def display_name(self, playbook: str) -> str:
        """Of a playbook."""
        return f"The {playbook}"


NAMES = Names()
IN_P, IN_Q = ("p", "The p", 0, 0, 0), ("q", "The q", 0, 0, 0)
"""Where steps happened, as `told` gives it."""


def trace(*happened: Event) -> tuple[TraceStep, ...]:
    return trace_of(happened, NAMES, {1: "p"}, 7)


def told(*happened: Event) -> list[TraceStep]:
    """The steps without their frame, times and turn."""
    return [replace(step, frame=0, start_us=0, end_us=0, turn=0) for step in trace(*happened)]


def decided(
    usage: Usage = Usage(),
    facts: DecisionFacts | None = None,
    error: StepFault | None = None,
    *,
    attempts: int = 1,
    within: str = "",
    text: str = "",
    prompt: str = "7/1",
) -> ModelStep:
    return ModelStep(
        *IN_P,
        model="m",
        usage=usage,
        attempts=attempts,
        facts=facts or DecisionFacts(),
        error=error,
        within=within,
        text=text,
        prompt=prompt,
    )


def called(output: JsonValue = None, **more: object) -> ToolStep:
    return replace(CALLED, output=output, **more)


CALLED = ToolStep(*IN_P, call_id="c1", tool="t", tool_display_name="Tool", action="f", arguments={})
TEXT: JsonObject = {"text": {"text": ["Hello."]}}
HELLO = AgentStep(*IN_P, text="Hello.")
ODD = NoticeStep(*IN_P, code="X", message="y")
LATE = StepFault(code="C", message="late")


@pytest.mark.parametrize(
    ("event", "steps"),
    [
        (UserHeard(frame=1, text="hi"), [UserStep(*IN_P, text="hi")]),
        (EngineSpoke(frame=1, text="Hello.", code="X"), [HELLO]),
        (EngineSpoke(frame=1, text="", code="EVENT"), []),
        (noticed(), [ODD]),
        (TurnStopped(frame=1, input=TextInput("hi"), code="X", message="y"), [ODD]),
        (replied("Hello."), [decided(text="Hello."), HELLO]),
        (replace(replied("Not aloud."), unheard=True), [decided(text="Not aloud.")]),
        (
            replace(replied(usage=Usage(3, 4)), call=DecisionFacts(max_tokens=9)),
            [decided(Usage(3, 4), DecisionFacts(max_tokens=9))],
        ),
        (
            ModelFaulted(frame=1, started=1, model="m", code="C", message="late", attempts=3),
            [decided(error=LATE, attempts=3)],
        ),
        (settled("c1", {"x": 1}), [called({"x": 1})]),
        (settled("c1", {}, kind=CallKind.CLIENT), [called({}, is_client=True)]),
        (settled("c1", kind=CallKind.PLAYBOOK), []),
        (
            settled("c1", {}, parameters={"a": 1, "b": "sealed"}, sealed=("b",)),
            [called({}, parameters={"a": 1})],
        ),
        (inner_settled("c1"), [called(call_id="c1.1", within="c1")]),
        (
            handler_fired(TEXT, {"payload": {}}, parameters={"b": 1, "a": None}),
            [
                HandlerStep(
                    *IN_P,
                    stage="START",
                    event="",
                    handler=0,
                    condition="",
                    call_id="",
                    messages=2,
                    parameters=("a", "b"),
                ),
                HELLO,
            ],
        ),
        (entered(2), []),
        (entered(2, "q", call="c1", inputs={"a": 1}), [EntryStep(*IN_Q, arguments={"a": 1})]),
        (replaced(2, 1, "q", inputs={"a": 1}), [TransitionStep(*IN_Q, arguments={"a": 1})]),
        (
            guarded(GuardStage.RESPONSE),
            [
                NoticeStep(
                    *IN_P,
                    code="GUARDRAIL",
                    message="Guardrail The g fired on the agent's words.",
                    guardrail="The g",
                    stage="response",
                )
            ],
        ),
    ],
)
def test_an_event_is_told_as_steps(event: Event, steps: Sequence[TraceStep]) -> None:
    assert told(event) == steps


def test_a_playbook_that_is_left_tells_what_it_gave_and_one_that_was_called_like_a_function_its_call_too() -> None:
    event, gone = left(2, "q", outputs={"b": 2}), DepartureStep(*IN_Q, output={"b": 2}, state="OK", summary="")
    assert told(event) == [gone]
    assert told(replace(event, call="c1", name="ask", tool="t")) == [replace(gone, call_id="c1", name="ask", tool="t")]
    begun_as_tool = replace(entered(2, "q", call="c1"), answers=True, name="ask", tool="t")
    assert told(begun_as_tool) == [EntryStep(*IN_Q, arguments={}, call_id="c1", name="ask", tool="t")]


def test_the_end_of_the_conversation_tells_of_the_playbook_that_ended_it() -> None:
    assert told(ended(summary="s")) == [DepartureStep(*IN_P, output={}, state="OK", summary="s")]


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
    fault = StepFault(code="C", message="no")
    assert told(settled("c1", error(), is_error=True)) == [called(error=fault)]
    answered = settled("c1", error(output={"404": "gone"}), is_error=True)
    assert told(answered) == [called({"404": "gone"}, error=fault)]


def test_a_call_that_could_not_be_taken_is_a_notice() -> None:
    refused = replace(settled("c1", error(), is_error=True, kind=CallKind.INVALID), code="NO_SUCH_FUNCTION")
    assert told(refused) == [NoticeStep(*IN_P, code="NO_SUCH_FUNCTION", message="no")]


def test_exchanges_are_those_of_the_event() -> None:
    exchange = Exchange("GET", "https://a.example", {"accept": "*/*"}, "", 200, {}, "ok", 1.5)
    assert told(settled("c1", {}, exchanges=(exchange,))) == [called({}, exchanges=(exchange,))]


def test_what_a_tool_asked_of_its_model_is_told_before_its_result() -> None:
    asked = ToolDecision(started=2, at=4, model="m", usage=Usage(3, 4), attempts=1, call=DecisionFacts(finish="stop"))
    failed = replace(asked, usage=Usage(), call=DecisionFacts(), error=DecisionFault(code="C", message="late"))
    event = replace(settled("c1", {}, at=5), models=(asked, failed))
    assert [(step.KIND, step.start_us, step.end_us) for step in trace(event)] == [
        ("model", 2, 4),
        ("model", 2, 4),
        ("tool", 1, 5),
    ]
    assert told(event) == [
        decided(Usage(3, 4), DecisionFacts(finish="stop"), within="c1", prompt="7/c1/1"),
        decided(error=LATE, within="c1", prompt="7/c1/2"),
        called({}),
    ]


def test_a_call_for_the_client_is_told_as_asked_for_and_has_no_end() -> None:
    asked = PendingCall("c1", "m1", "f", CallKind.CLIENT, {"n": 1}, tool="t", action="a")
    ours = PendingCall("c2", "m2", "f", CallKind.TOOL, {})
    steps = steps_in(trace(replied("", asked, ours, at=3), handed("c2")), ToolStep)
    assert [(step.call_id, step.arguments, step.output, step.end_us) for step in steps] == [
        ("c1", {"n": 1}, None, 0),
        ("c2", {}, None, 0),
    ]


def test_steps_know_their_turn_playbook_and_time() -> None:
    heard, inside = UserHeard(at=4, frame=1, text="hi"), replace(settled("c1", {}, frame=2, started=6), at=9)
    first, _, second = trace(heard, entered(2, "q", at=5, call="c0"), inside)
    assert first == UserStep("p", "The p", 1, 4, 4, 7, text="hi")
    assert (second.playbook, second.frame, second.start_us, second.end_us, second.turn) == ("q", 2, 6, 9, 7)


def test_a_running_turn_tells_replies_and_handovers_at_once() -> None:
    happened = [replied("Hello."), entered(2, "q", call="c1"), replaced(3, 2, "r"), left(3, "r"), ended()]
    moments = [(each.KIND, each.playbook) for event in happened for each in moments_of(event, NAMES, "p")]
    assert moments == [("agent", "p"), ("playbook", "q"), ("transition", "r"), ("playbook", "r")]


def test_a_call_that_runs_is_told_without_an_end_and_one_that_is_settled_with_it() -> None:
    state = SessionState(frames=[Frame(3, "p", {})])
    call = PendingCall("c1", "m1", "f", CallKind.TOOL, {"n": 1}, tool="t", action="f")
    started = tool_started(state, NAMES, call, 5, within="c0")
    assert (started.playbook, started.frame, started.start_us, started.end_us) == ("p", 3, 5, 0)
    assert (started.within, started.tool_display_name) == ("c0", "Tool")
    over = tool_ended(settled("c1", {"x": 1}, frame=3, started=5, at=9), NAMES, "p")
    assert (over.start_us, over.end_us, over.output) == (5, 9, {"x": 1})


def test_values_of_parameters_that_became_secret_are_left_out_of_the_past() -> None:
    [step] = trace(settled("c1", {}, parameters={"a": 1, "b": 2}))
    assert without_parameters(step, {"b"}) == replace(step, parameters={"a": 1})
    [heard] = trace(UserHeard(frame=1, text="hi"))
    assert without_parameters(heard, {"b"}) is heard
