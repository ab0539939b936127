"""One trace, four renderings: the same steps in the same order, at the same times, with the same inputs and outputs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from openplaybook.jsonvalues import JsonObject, JsonValue, loads
from openplaybook.models.base import Usage
from openplaybook.services.dialogflow.turn_traces import diagnostic_info, fill_generative_info, fill_trace_blocks
from openplaybook.telemetry.otel_spans import Spans
from openplaybook.turns.base import DepartureStep, EntryStep, ModelStep, ToolStep, TraceStep, TurnResult
from openplaybook.turns.journal.events import EngineSpoke, Event, ModelFaulted, NoticeGiven, UserHeard
from openplaybook.turns.journal.session_state import CallKind, PendingCall
from openplaybook.turns.journal.trace_spans import TurnFacts, span_tree
from openplaybook.turns.journal.turn_trace import trace_of
from openplaybook.wire.api import load_api
from openplaybook.wire.messages import ApiMessage
from tests.kit.happenings import entered, left, replied, settled
from tests.kit.told_steps import notices_in, steps_in

pytestmark = pytest.mark.proves("G6")

API = load_api()
RESPONSE = API.message("google.cloud.dialogflow.cx.v3beta1.DetectIntentResponse")
BEGAN = 1_800_000_000_000_000
"""Microseconds since the epoch."""

FIELDS = {
    "userUtterance": "user",
    "agentUtterance": "agent",
    "llmCall": "model",
    "toolUse": "tool",
    "playbookInvocation": "playbook",
}
SHOWN = frozenset(FIELDS.values())
"""Kinds of steps that Google's trace has an action for."""


class Names:
    """An agent whose display names are told from its resource names."""

    tool_names: Mapping[str, str] = {"t1": "Tool one"}

    def display_name(self, playbook: str) -> str:
        """Of a playbook."""
        return f"The {playbook}"


@dataclass
class Journal:
    """A turn's events as they are made, on a clock that never stands still."""

    happened: list[Event] = field(default_factory=list[Event])
    frames: list[int] = field(default_factory=lambda: [1])
    now: int = BEGAN
    calls: int = 0

    @property
    def frame(self) -> int:
        """Of the playbook that decides."""
        return self.frames[-1]


objects = st.dictionaries(st.sampled_from(["petId", "name", "ü"]), st.integers(0, 9) | st.text(max_size=4), max_size=2)
texts = st.text(min_size=1, max_size=8)


def user_heard(draw: st.DrawFn, journal: Journal) -> Event:
    return UserHeard(at=journal.now, frame=journal.frame, text=draw(texts))


def model_replied(draw: st.DrawFn, journal: Journal) -> Event:
    asked = [
        PendingCall(f"a{number}", f"m{number}", "ask", CallKind.CLIENT, draw(objects), tool="t1", action="ask")
        for number in range(draw(st.integers(0, 2)))
    ]
    return replied(
        draw(st.just("") | texts),
        *asked,
        at=journal.now,
        frame=journal.frame,
        started=journal.now - draw(st.integers(1, 50)),
        model=draw(st.sampled_from(["offline", "openai:m"])),
        usage=Usage(draw(st.integers(0, 9)), draw(st.integers(0, 9))),
    )


def model_faulted(draw: st.DrawFn, journal: Journal) -> Event:
    return ModelFaulted(
        at=journal.now,
        frame=journal.frame,
        started=journal.now - 7,
        model="openai:m",
        code="MODEL_TIMEOUT",
        message=draw(texts),
        attempts=3,
    )


def call_settled(draw: st.DrawFn, journal: Journal) -> Event:
    journal.calls += 1
    is_error = draw(st.booleans())
    return settled(
        f"c{journal.calls}",
        {"error": {"code": "TIMEOUT", "message": draw(texts)}} if is_error else draw(objects),
        at=journal.now,
        frame=journal.frame,
        kind=draw(st.sampled_from([CallKind.TOOL, CallKind.CLIENT])),
        tool=draw(st.sampled_from(["t1", "t2"])),
        action="getPet",
        arguments=draw(objects),
        # Calls run side by side: one may have begun before an earlier step ended.
        started=journal.now - draw(st.integers(1, 200)),
        is_error=is_error,
    )


def playbook_entered(draw: st.DrawFn, journal: Journal) -> Event:
    journal.frames.append(max(journal.frames) + 1)
    return entered(journal.frame, draw(st.sampled_from(["p2", "p3"])), at=journal.now, call="c", inputs=draw(objects))


def playbook_left(draw: st.DrawFn, journal: Journal) -> Event:
    frame = journal.frames.pop() if len(journal.frames) > 1 else journal.frame
    state = draw(st.sampled_from(["OK", "CANCELLED", "FAILED", "ESCALATED"]))
    return left(frame, "p2", at=journal.now, outputs=draw(objects), state=state)


def engine_spoke(draw: st.DrawFn, journal: Journal) -> Event:
    return EngineSpoke(at=journal.now, frame=journal.frame, text=draw(texts), code="")


def notice_given(draw: st.DrawFn, journal: Journal) -> Event:
    return NoticeGiven(at=journal.now, frame=journal.frame, code="STEP_LIMIT", message=draw(texts))


STEPS: Sequence[Callable[[st.DrawFn, Journal], Event]] = (
    user_heard,
    model_replied,
    model_faulted,
    call_settled,
    playbook_entered,
    playbook_left,
    engine_spoke,
    notice_given,
)


@st.composite
def traces(draw: st.DrawFn) -> tuple[TraceStep, ...]:
    journal = Journal()
    for step in draw(st.lists(st.sampled_from(STEPS), max_size=12)):
        journal.now += draw(st.integers(1, 1000))
        journal.happened.append(step(draw, journal))
    return trace_of(journal.happened, Names(), {1: "p1"}, 1)


@dataclass(frozen=True)
class Step:
    """A step as far as a rendering tells of it."""

    kind: str
    start_us: int
    end_us: int
    given: JsonValue = None
    got: JsonValue = None


def expected(trace: Iterable[TraceStep]) -> list[Step]:
    """The steps of the trace itself."""
    return [Step(step.KIND, step.start_us, step.end_us, *passed(step)) for step in trace]


def passed(step: TraceStep) -> tuple[JsonValue, JsonValue]:
    """What a step was given, and what it got."""
    match step:
        case ToolStep():
            return step.arguments, step.output if step.error is None else step.error.to_json()
        case ModelStep():
            return None, None if step.error is None else step.error.to_json()
        case EntryStep():
            return step.arguments, None
        case DepartureStep():
            return None, step.output
        case _:
            return None, None


def result_of(trace: tuple[TraceStep, ...]) -> TurnResult:
    return TurnResult("r", (), {}, "p1", "The p1", "hi", "en", trace, paused=False, turn=1)


# Google's own trace


def micros(time: str | None) -> int:
    stamp = Timestamp()
    if time:
        stamp.FromJsonString(time)
    return stamp.ToMicroseconds()


def of_action(action: JsonObject) -> Step:
    """An action in JSON."""
    (field_name,) = action.keys() & FIELDS.keys()
    kind, told = FIELDS[field_name], action[field_name]
    times = micros(action["startTime"]), micros(action.get("completeTime"))
    if kind == "tool":
        error: str | None = action.get("status", {}).get("exception", {}).get("errorMessage")
        return Step(kind, *times, told.get("inputActionParameters", {}), error or told.get("outputActionParameters"))
    if kind == "playbook" and "playbookState" in told:
        return Step(kind, *times, None, told.get("playbookOutput", {}).get("actionParameters", {}))
    if kind == "playbook":
        return Step(kind, *times, told.get("playbookInput", {}).get("actionParameters", {}))
    if kind == "model":
        return Step(kind, *times, None, action.get("status", {}).get("exception", {}).get("errorMessage"))
    return Step(kind, *times)


def in_googles_words(step: Step) -> Step:
    """An error is a sentence there; no parameters and none at all look the same."""
    got = step.got
    if isinstance(got, dict) and set(got) == {"code", "message"}:
        got = f"{got['code']}: {got['message']}"
    return Step(step.kind, step.start_us, step.end_us, step.given, got)


def actions_of(message: ApiMessage) -> list[JsonObject]:
    return [API.codec.to_json(action) for action in message]


@given(traces())
def test_google_s_trace_has_every_step_it_knows_an_action_for(trace: tuple[TraceStep, ...]) -> None:
    query = RESPONSE().query_result
    fill_generative_info(trace, result_of(trace), query.generative_info)
    found = [of_action(action) for action in actions_of(query.generative_info.action_tracing_info.actions)]
    assert found == [in_googles_words(step) for step in expected(trace) if step.kind in SHOWN]


@given(traces())
def test_the_blocks_hold_the_same_actions_in_the_same_order(trace: tuple[TraceStep, ...]) -> None:
    query = RESPONSE().query_result
    fill_generative_info(trace, result_of(trace), query.generative_info)
    fill_trace_blocks(trace, query.trace_blocks, beta=True)
    in_blocks = [action for block in query.trace_blocks for action in actions_of(block.actions)]
    assert in_blocks == actions_of(query.generative_info.action_tracing_info.actions)


# Spans


@dataclass(frozen=True)
class Node:
    """A span, or what took no time, whoever rendered it."""

    name: str
    start_us: int
    end_us: int
    attributes: Mapping[str, JsonValue]

    def steps(self) -> list[tuple[int, Step]]:
        """The steps of the trace that it stands for, by number; none for the turn itself."""
        number, end = self.attributes.get("openplaybook.step"), self.attributes.get("openplaybook.end_step")
        if not isinstance(number, int | float):
            return []
        kind = self._kind()
        given = self._content("gen_ai.tool.call.arguments")
        got = self._content("gen_ai.tool.call.result")
        left = self._content("openplaybook.output")
        if kind != "playbook" or self.name.startswith("openplaybook."):
            waits = kind == "tool" and self.name.startswith("openplaybook.")
            return [
                (
                    int(number),
                    Step(kind, self.start_us, 0 if waits else self.end_us, given, left if got is None else got),
                )
            ]
        begun = [(int(number), Step(kind, self.start_us, self.start_us, given))]
        return [*begun, *([(int(end), Step(kind, self.end_us, self.end_us, None, left))] if end is not None else [])]

    def _kind(self) -> str:
        first, _, rest = self.name.partition(" ")
        kinds = {"chat": "model", "execute_tool": "tool", "invoke_agent": "playbook"}
        return kinds[first] if rest else self.name.removeprefix("openplaybook.")

    def _content(self, name: str) -> JsonValue:
        text = self.attributes.get(name)
        return loads(text) if isinstance(text, str) else None


def numbered(nodes: Iterable[Node]) -> list[Step]:
    """The steps in order; each number once and none left out."""
    steps = sorted((pair for node in nodes for pair in node.steps()), key=lambda pair: pair[0])
    assert [number for number, _ in steps] == list(range(len(steps)))
    return [step for _, step in steps]


def in_words_of_spans(step: Step) -> Step:
    """A decision's error is its span's status."""
    return Step(step.kind, step.start_us, step.end_us, step.given, None if step.kind == "model" else step.got)


def exported(trace: tuple[TraceStep, ...]) -> list[Node]:
    """What OpenTelemetry's SDK makes of a turn."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    Spans(provider).emit(span_tree(trace, TurnFacts("p1", "The p1", "s", "r", BEGAN, with_content=True)))
    nodes: list[Node] = []
    for span in exporter.get_finished_spans():
        nodes.append(Node(span.name, span.start_time // 1000, span.end_time // 1000, dict(span.attributes or {})))  # pyright: ignore[reportOptionalOperand]
        nodes.extend(
            Node(event.name, event.timestamp // 1000, event.timestamp // 1000, dict(event.attributes or {}))
            for event in span.events
        )
    return nodes


def in_json(span: JsonObject) -> list[Node]:
    """A span of `diagnosticInfo` and those beneath it."""
    node = Node(span["name"], micros(span["startTime"]), micros(span["endTime"]), span["attributes"])
    return [node, *(each for child in span.get("childSpans", []) for each in in_json(child))]


@given(traces())
def test_opentelemetry_s_spans_have_every_step(trace: tuple[TraceStep, ...]) -> None:
    assert numbered(exported(trace)) == [in_words_of_spans(step) for step in expected(trace)]


@given(traces())
def test_the_spans_of_the_diagnosis_have_every_step(trace: tuple[TraceStep, ...]) -> None:
    found = diagnostic_info(result_of(trace), "s", with_spans=True)
    assert numbered(in_json(found["Root Span"])) == [in_words_of_spans(step) for step in expected(trace)]


@given(traces())
def test_the_lists_of_the_diagnosis_are_the_trace_s_own(trace: tuple[TraceStep, ...]) -> None:
    found = diagnostic_info(result_of(trace), "s", with_spans=False)
    ended = [step for step in steps_in(trace, ToolStep) if step.end_us]
    assert [call["Call Id"] for call in found.get("Tool Calls", [])] == [step.call_id for step in ended]
    assert [(call["Model"], call["Latency Ms"]) for call in found.get("Model Calls", [])] == [
        (step.model, (step.end_us - step.start_us) / 1000) for step in steps_in(trace, ModelStep)
    ]
    assert len(found.get("Notices", [])) == len(notices_in(trace))
