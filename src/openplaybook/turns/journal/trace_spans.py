"""A turn's trace as a tree of spans: rendered for OpenTelemetry, and as JSON in `diagnosticInfo`.

    invoke_agent PLAYBOOK           the turn, in the playbook that it began in
      chat MODEL                    a decision
      execute_tool ACTION           a tool call that has ended, with what its tool asked and called
      invoke_agent PLAYBOOK         a playbook entered in this turn, with what happened in it
      openplaybook.KIND             what took no time, such as `user` or `notice`, and calls that still wait

Every step of the trace is one node, numbered in order by `openplaybook.step`. Names and attributes are those of the
GenAI semantic conventions where these have one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from openplaybook.jsonvalues import JsonValue, dumps
from openplaybook.resources.tool_kinds import tool_kinds
from openplaybook.telemetry.otel_meters import Attributes
from openplaybook.telemetry.otel_spans import SpanEvent, StepSpan
from openplaybook.turns.base import (
    AgentStep,
    DepartureStep,
    EntryStep,
    ModelStep,
    NoticeStep,
    PlaybookStep,
    ToolStep,
    TraceStep,
    TransitionStep,
    UserStep,
)

_PROVIDERS = {"google": "gcp.gemini", "offline": "openplaybook", "scripted": "openplaybook"}
"""`gen_ai.provider.name` by the kind of a model, where that is not the kind itself."""

_OTHER_TYPE = "extension"
"""`gen_ai.tool.type` of tools whose kind is not known."""

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """What the spans of a turn tell beside its trace."""

    playbook: str
    """Resource name of the playbook that the turn began in."""
    playbook_display_name: str
    session: str
    """Its name."""
    turn_id: str
    at_us: int
    """When a turn without any step was."""
    version: str = ""
    """Of the agent: the digest of its snapshot; empty where it is not known."""
    error: str = ""
    """Code of why the turn ended without an answer."""
    with_content: bool = False
    """Words, arguments and results too."""
    tool_kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    """Kind of a tool by its resource name."""


def step_name(step: ModelStep | ToolStep | PlaybookStep) -> str:
    """Of the span of a decision, a call or a playbook."""
    match step:
        case ModelStep():
            return f"chat {_model(step)[1]}"
        case ToolStep():
            return f"execute_tool {step.action}"
        case PlaybookStep():
            return f"invoke_agent {step.playbook_display_name}"


def step_attributes(step: TraceStep, number: int, facts: TurnFacts) -> dict[str, str | int | float | Sequence[str]]:
    """Of step number `number` of a turn's trace."""
    attributes = {"openplaybook.step": number, **_described(step, facts)}
    if facts.with_content:
        attributes |= _content(step)
    return attributes


def turn_attributes(facts: TurnFacts) -> dict[str, str | int | float | Sequence[str]]:
    """Of the turn itself."""
    return {
        **_agent(facts.playbook, facts.playbook_display_name, facts),
        "openplaybook.turn.id": facts.turn_id,
    }


def _agent(playbook: str, display_name: str, facts: TurnFacts) -> Attributes:
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "openplaybook",
        "gen_ai.agent.id": playbook,
        "gen_ai.agent.name": display_name,
        "gen_ai.conversation.id": facts.session,
        **({"gen_ai.agent.version": facts.version} if facts.version else {}),
    }


def _described(step: TraceStep, facts: TurnFacts) -> Attributes:
    match step:
        case ModelStep():
            return _of_model(step, facts)
        case ToolStep():
            return _of_tool(step, facts)
        case PlaybookStep():
            agent = _agent(step.playbook, step.playbook_display_name, facts)
            return {**agent, "openplaybook.state": step.state} if isinstance(step, DepartureStep) else agent
        case NoticeStep():
            return {"openplaybook.code": step.code}
        case _:
            return {}


def _of_model(step: ModelStep, facts: TurnFacts) -> Attributes:
    provider, model = _model(step)
    known = step.facts
    attributes = {
        "gen_ai.request.temperature": known.temperature,
        "gen_ai.request.max_tokens": known.max_tokens or None,
        "gen_ai.response.id": known.response_id or None,
        "gen_ai.response.model": known.response_model or None,
        "gen_ai.response.finish_reasons": [known.finish] if known.finish else None,
        "gen_ai.usage.cache_read.input_tokens": known.cached_tokens or None,
        "gen_ai.usage.reasoning.output_tokens": known.reasoning_tokens or None,
    }
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.conversation.id": facts.session,
        "gen_ai.request.model": model,
        "gen_ai.usage.input_tokens": step.usage.input_tokens,
        "gen_ai.usage.output_tokens": step.usage.output_tokens,
        **({"gen_ai.response.time_to_first_chunk": (known.first - step.start_us) / 1e6} if known.first else {}),
        **_of_server(known.url),
        **{name: value for name, value in attributes.items() if value is not None},
    }


def _of_server(url: str) -> Attributes:
    parts = urlsplit(url)
    if not parts.hostname:
        return {}
    return {"server.address": parts.hostname, "server.port": parts.port or _DEFAULT_PORTS.get(parts.scheme, 443)}


def _of_tool(step: ToolStep, facts: TurnFacts) -> Attributes:
    is_client = step.is_client or not step.end_us
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": step.action,
        "gen_ai.tool.type": "function" if is_client else _type_of(facts.tool_kinds.get(step.tool, "")),
        "gen_ai.tool.call.id": step.call_id,
        "gen_ai.agent.name": step.playbook_display_name,
    }


def _type_of(kind: str) -> str:
    """What OpenTelemetry calls tools of a kind; of some kinds nothing is known."""
    known = tool_kinds().named(kind) if kind else None
    return _OTHER_TYPE if known is None else known.telemetry_type


def _content(step: TraceStep) -> Attributes:
    """What was said and passed in a step."""
    match step:
        case ToolStep():
            result = step.output if step.error is None else step.error.to_json()
            return content_texts(arguments=step.arguments, result=result)
        case EntryStep():
            return content_texts(arguments=step.arguments)
        case DepartureStep():
            return content_texts(output=step.output)
        case UserStep():
            return {"gen_ai.input.messages": _message("user", step.text)}
        case AgentStep():
            return {"gen_ai.output.messages": _message("assistant", step.text)}
        case NoticeStep():
            return {"openplaybook.message": step.message}
        case _:
            return {}


def _message(role: str, text: str) -> str:
    return dumps([{"role": role, "parts": [{"type": "text", "content": text}]}]).decode()


_CONTENT_NAMES = {
    "arguments": "gen_ai.tool.call.arguments",
    "result": "gen_ai.tool.call.result",
    "output": "openplaybook.output",
}


def content_texts(**values: JsonValue) -> Attributes:
    """`arguments`, `result` and `output` as attributes that hold JSON."""
    return {_CONTENT_NAMES[name]: dumps(value).decode() for name, value in values.items() if value is not None}


def _model(step: ModelStep) -> tuple[str, str]:
    """Provider and name of a model that is called `KIND:NAME`."""
    kind, _, name = step.model.partition(":")
    if kind == "pydantic-ai":
        kind, _, name = name.partition(":")
    return _PROVIDERS.get(kind, kind), name or kind


def span_tree(trace: Sequence[TraceStep], facts: TurnFacts) -> StepSpan:
    """The spans of a turn, which lasts from the first of its steps to the last."""
    start = min((step.start_us for step in trace), default=facts.at_us)
    end = max((step.end_us or step.start_us for step in trace), default=facts.at_us)
    root = _Opened(f"invoke_agent {facts.playbook_display_name}", -1, start, turn_attributes(facts))
    path = [root]
    within: dict[str, list[StepSpan | SpanEvent]] = {}
    for number, step in enumerate(trace):
        if step.within:
            within.setdefault(step.within, []).append(_node(step, number, facts))
        elif isinstance(step, EntryStep):
            path.append(_Opened(step_name(step), step.frame, step.start_us, step_attributes(step, number, facts)))
            path[-2].children.append(path[-1])
        elif isinstance(step, DepartureStep) and path[-1].frame == step.frame:
            path.pop().close(step, number, with_content=facts.with_content)
        else:
            if isinstance(step, TransitionStep) and len(path) > 1:
                # What took its place is left instead of it.
                path[-1].frame = step.frame
            inner = within.pop(step.call_id, []) if isinstance(step, ToolStep) else []
            path[-1].children.append(_node(step, number, facts, inner))
    # What a call made that has no end itself, as its turn was cut short.
    path[-1].children.extend(node for nodes in within.values() for node in nodes)
    return root.closed(end, facts.error)


@dataclass(slots=True)
class _Opened:
    """A playbook while its steps are read."""

    name: str
    frame: int
    start_us: int
    attributes: dict[str, str | int | float | Sequence[str]]
    children: "list[_Opened | StepSpan | SpanEvent]" = field(default_factory=list["_Opened | StepSpan | SpanEvent"])
    end_us: int = 0

    def close(self, step: DepartureStep, number: int, *, with_content: bool) -> None:
        """End with the step that left the playbook."""
        self.end_us = step.end_us
        self.attributes |= {"openplaybook.end_step": number, "openplaybook.state": step.state}
        if with_content:
            self.attributes |= content_texts(output=step.output)

    def closed(self, end_us: int, error: str = "") -> StepSpan:
        """The span; `end_us` where the playbook was not left."""
        children = [each.closed(end_us) if isinstance(each, _Opened) else each for each in self.children]
        return StepSpan(
            self.name, self.start_us, self.end_us or end_us, self.attributes, error=error, children=tuple(children)
        )


def _node(
    step: TraceStep, number: int, facts: TurnFacts, inner: Sequence[StepSpan | SpanEvent] = ()
) -> StepSpan | SpanEvent:
    attributes = step_attributes(step, number, facts)
    if not isinstance(step, ModelStep | ToolStep) or not step.end_us:
        return SpanEvent(f"openplaybook.{step.KIND}", step.start_us, attributes)
    return StepSpan(
        step_name(step),
        step.start_us,
        step.end_us,
        attributes,
        is_client=isinstance(step, ModelStep),
        error="" if step.error is None else step.error.code,
        children=tuple(inner),
    )
