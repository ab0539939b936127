"""The spans of a turn: one node for each step of its trace."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import DecisionFacts, Usage
from openplaybook.telemetry.otel_spans import SpanEvent, StepSpan
from openplaybook.turns.base import (
    AgentStep,
    DepartureStep,
    EntryStep,
    ModelStep,
    NoticeStep,
    StepFault,
    ToolStep,
    TraceStep,
    TransitionStep,
    UserStep,
)
from openplaybook.turns.journal.trace_spans import TurnFacts, span_tree

FACTS = TurnFacts("p", "Start", "a/sessions/s", "turn-1", 7, version="digest", tool_kinds={"docs": "datastore"})
DECISION = DecisionFacts(
    temperature=0.5,
    max_tokens=1024,
    finish="stop",
    response_id="r-1",
    response_model="gpt-5-2026",
    url="https://api.openai.com",
    cached_tokens=3,
    reasoning_tokens=4,
    first=2_500,
)


def at(start: int, end: int) -> tuple[str, str, int, int, int]:
    return "p", "Start", 1, start, end


def inside(frame: int, at: int) -> tuple[str, str, int, int, int]:
    """In another playbook."""
    return "q", "Other", frame, at, at


def model(
    start: int,
    end: int,
    name: str = "offline",
    *,
    facts: DecisionFacts | None = None,
    error: StepFault | None = None,
    within: str = "",
) -> ModelStep:
    known = facts or DecisionFacts()
    usage = Usage(5, 6)
    return ModelStep(*at(start, end), model=name, usage=usage, attempts=1, facts=known, error=error, within=within)


def tool(start: int, end: int, call: str, name: str = "t", *, is_client: bool = False, within: str = "") -> ToolStep:
    return ToolStep(
        *at(start, end),
        within=within,
        call_id=call,
        tool=name,
        tool_display_name="",
        action="getPet",
        arguments={"petId": 3},
        output={"name": "Rex"},
        is_client=is_client,
    )


def only(trace: TraceStep, facts: TurnFacts = FACTS) -> StepSpan | SpanEvent:
    (child,) = span_tree([trace], facts).children
    return child


def names(span: StepSpan) -> list[object]:
    return [
        [child.name, names(child)] if isinstance(child, StepSpan) and child.children else child.name
        for child in span.children
    ]


def test_a_turn_lasts_from_its_first_step_to_its_last() -> None:
    root = span_tree([UserStep(*at(10, 10), text="hi"), model(20, 30), AgentStep(*at(30, 30), text="ho")], FACTS)
    assert (root.name, root.start_us, root.end_us, root.error) == ("invoke_agent Start", 10, 30, "")
    assert root.attributes == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "openplaybook",
        "gen_ai.agent.id": "p",
        "gen_ai.agent.name": "Start",
        "gen_ai.agent.version": "digest",
        "gen_ai.conversation.id": "a/sessions/s",
        "openplaybook.turn.id": "turn-1",
    }
    assert names(root) == ["openplaybook.user", "chat offline", "openplaybook.agent"]


def test_a_turn_without_steps_is_a_moment_long() -> None:
    root = span_tree([], FACTS)
    assert (root.start_us, root.end_us, root.children) == (7, 7, ())


def test_a_decision_tells_of_its_request_and_its_reply() -> None:
    span = only(model(2_000, 9_000, "openai:gpt-5", facts=DECISION))
    assert span == StepSpan(
        "chat gpt-5",
        2_000,
        9_000,
        {
            "openplaybook.step": 0,
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.conversation.id": "a/sessions/s",
            "gen_ai.request.model": "gpt-5",
            "gen_ai.usage.input_tokens": 5,
            "gen_ai.usage.output_tokens": 6,
            "gen_ai.response.time_to_first_chunk": 0.0005,
            "server.address": "api.openai.com",
            "server.port": 443,
            "gen_ai.request.temperature": 0.5,
            "gen_ai.request.max_tokens": 1024,
            "gen_ai.response.id": "r-1",
            "gen_ai.response.model": "gpt-5-2026",
            "gen_ai.response.finish_reasons": ["stop"],
            "gen_ai.usage.cache_read.input_tokens": 3,
            "gen_ai.usage.reasoning.output_tokens": 4,
        },
        is_client=True,
    )


@pytest.mark.parametrize(
    ("name", "provider", "shown"),
    [
        ("offline", "openplaybook", "offline"),
        ("google:gemini-3", "gcp.gemini", "gemini-3"),
        ("anthropic:claude", "anthropic", "claude"),
        ("pydantic-ai:groq:llama", "groq", "llama"),
    ],
)
def test_a_provider_has_the_name_that_the_conventions_give_it(name: str, provider: str, shown: str) -> None:
    span = only(model(1, 2, name))
    assert (span.name, span.attributes["gen_ai.provider.name"]) == (f"chat {shown}", provider)


def test_a_decision_that_failed_has_its_error() -> None:
    span = only(model(1, 2, error=StepFault(code="MODEL_TIMEOUT", message="late")))
    assert isinstance(span, StepSpan)
    assert span.error == "MODEL_TIMEOUT"


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (tool(3, 4, "c1"), "extension"),
        (tool(3, 4, "c1", "docs"), "datastore"),
        (tool(3, 4, "c1", is_client=True), "function"),
    ],
)
def test_a_tool_call_says_where_it_ran(step: ToolStep, kind: str) -> None:
    assert only(step) == StepSpan(
        "execute_tool getPet",
        3,
        4,
        {
            "openplaybook.step": 0,
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "getPet",
            "gen_ai.tool.type": kind,
            "gen_ai.tool.call.id": "c1",
            "gen_ai.agent.name": "Start",
        },
    )


def test_a_call_that_still_waits_for_the_client_is_a_moment() -> None:
    waiting = only(tool(5, 0, "c1"))
    assert isinstance(waiting, SpanEvent)
    assert (waiting.name, waiting.at_us, waiting.attributes["gen_ai.tool.type"]) == ("openplaybook.tool", 5, "function")


def test_a_called_playbook_holds_what_happened_in_it() -> None:
    root = span_tree(
        [
            model(1, 2),
            EntryStep(*inside(2, 2), arguments={"a": 1}),
            model(3, 4),
            DepartureStep(*inside(2, 5), output={"b": 2}, state="OK", summary=""),
            model(6, 7),
        ],
        FACTS,
    )
    assert names(root) == ["chat offline", ["invoke_agent Other", ["chat offline"]], "chat offline"]
    child = root.children[1]
    assert isinstance(child, StepSpan)
    assert (child.start_us, child.end_us, child.attributes["gen_ai.agent.id"]) == (2, 5, "q")
    assert child.attributes["openplaybook.state"] == "OK"
    assert (child.attributes["openplaybook.step"], child.attributes["openplaybook.end_step"]) == (1, 3)


def test_a_playbook_that_gave_way_to_another_ends_where_that_one_does() -> None:
    root = span_tree(
        [
            EntryStep(*inside(2, 2), arguments={}),
            TransitionStep(*inside(3, 3), arguments={}),
            model(4, 5),
            DepartureStep(*inside(3, 6), output={}, state="OK", summary=""),
            model(7, 8),
        ],
        FACTS,
    )
    assert names(root) == [["invoke_agent Other", ["openplaybook.transition", "chat offline"]], "chat offline"]
    child = root.children[0]
    assert isinstance(child, StepSpan)
    assert (child.start_us, child.end_us) == (2, 6)


def test_a_playbook_that_still_runs_lasts_as_long_as_the_turn() -> None:
    begun = EntryStep(*inside(2, 2), arguments={})
    child = span_tree([begun, model(3, 9)], FACTS).children[0]
    assert isinstance(child, StepSpan)
    assert (child.start_us, child.end_us) == (2, 9)


def test_the_end_of_a_playbook_entered_in_an_earlier_turn_is_a_moment() -> None:
    ended = DepartureStep(*inside(2, 5), output={}, state="FAILED", summary="")
    found = only(ended)
    assert isinstance(found, SpanEvent)
    assert (found.name, found.attributes["openplaybook.state"]) == ("openplaybook.playbook", "FAILED")


@pytest.mark.parametrize(
    ("step", "content"),
    [
        (
            tool(1, 2, "c1"),
            {"gen_ai.tool.call.arguments": '{"petId":3}', "gen_ai.tool.call.result": '{"name":"Rex"}'},
        ),
        (
            UserStep(*at(1, 1), text="my words"),
            {"gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"my words"}]}]'},
        ),
        (
            AgentStep(*at(1, 1), text="its words"),
            {"gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"its words"}]}]'},
        ),
        (NoticeStep(*at(1, 1), code="STEP_LIMIT", message="too far"), {"openplaybook.message": "too far"}),
    ],
)
def test_content_is_there_only_when_asked_for(step: TraceStep, content: JsonObject) -> None:
    asked = TurnFacts("p", "Start", "a/sessions/s", "turn-1", 7, with_content=True)
    with_content, without = dict(only(step, asked).attributes), dict(only(step).attributes)
    assert with_content == {**without, **content}
    assert not without.keys() & content.keys()


def test_what_a_tool_asked_and_called_stands_within_its_call() -> None:
    asked = model(21, 22, within="c1")
    inner = tool(23, 24, "c1.1", within="c1")
    root = span_tree([model(10, 20), asked, inner, tool(20, 30, "c1"), tool(20, 30, "c2")], FACTS)
    outer = ["execute_tool getPet", ["chat offline", "execute_tool getPet"]]
    assert names(root) == ["chat offline", outer, "execute_tool getPet"]
    steps = [child.attributes["openplaybook.step"] for child in root.children]
    assert steps == [0, 3, 4]


def test_what_was_called_within_a_call_that_has_no_end_is_not_lost() -> None:
    root = span_tree([model(10, 20), tool(23, 24, "c1.1", within="c1")], FACTS)
    assert names(root) == ["chat offline", "execute_tool getPet"]
