"""OpenTelemetry spans of a turn, written after the fact from its recorded times.

Names follow the GenAI semantic conventions (github.com/open-telemetry/semantic-conventions-genai, status:
development). What was said and passed is content, which the conventions leave out unless asked for; so do we.
Without an SDK, or when a sampler drops the turn, nothing is built.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

_NS_PER_US = 1000


@dataclass(frozen=True, slots=True)
class ChatSpan:
    """One call of a model. Times are microseconds since the epoch, as in all of these."""

    model: str
    start_us: int
    end_us: int
    provider: str = ""
    """`gen_ai.provider.name`, such as `openai`; empty where unknown."""
    response_model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    error: str = ""
    """Code of what went wrong; empty when nothing did."""


@dataclass(frozen=True, slots=True)
class ToolSpan:
    """One call of a tool's action."""

    name: str
    """Name of the action as the model knows it."""
    call_id: str
    start_us: int
    end_us: int
    type: str = "extension"
    """`gen_ai.tool.type`: `extension` (runs here), `function` (runs at the client) or `datastore`."""
    error: str = ""


@dataclass(frozen=True, slots=True)
class AgentSpan:
    """One turn of an agent, with the calls made in it."""

    agent: str
    """Resource name."""
    agent_display_name: str
    session: str
    """Resource name."""
    start_us: int
    end_us: int
    calls: Sequence[ChatSpan | ToolSpan] = ()
    error: str = ""


class Spans:
    """Gives turns to an OpenTelemetry tracer."""

    def __init__(self, provider: trace.TracerProvider | None = None) -> None:
        """`provider`: the process-wide one when None, also when that is set later."""
        self._tracer = trace.get_tracer("openplaybook", tracer_provider=provider)
        self._provider = provider

    @property
    def wanted(self) -> bool:
        """Whether anybody listens; ask before building an `AgentSpan`."""
        provider = self._provider or trace.get_tracer_provider()
        return not isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider)

    def emit(self, agent: AgentSpan) -> None:
        """Write `invoke_agent`, a child of the caller's current span, and beneath it `chat` and `execute_tool`."""
        name = f"invoke_agent {agent.agent_display_name}"
        root = self._tracer.start_span(
            name, kind=SpanKind.INTERNAL, attributes=_of_agent(agent), start_time=agent.start_us * _NS_PER_US
        )
        if not root.is_recording():
            return
        context = trace.set_span_in_context(root)
        for call in agent.calls:
            span = self._tracer.start_span(
                _name(call),
                context,
                kind=SpanKind.CLIENT if isinstance(call, ChatSpan) else SpanKind.INTERNAL,
                attributes=_of_chat(call) if isinstance(call, ChatSpan) else _of_tool(call),
                start_time=call.start_us * _NS_PER_US,
            )
            _end(span, call.error, call.end_us)
        _end(root, agent.error, agent.end_us)


def _name(call: ChatSpan | ToolSpan) -> str:
    return f"chat {call.model}" if isinstance(call, ChatSpan) else f"execute_tool {call.name}"


def _of_agent(agent: AgentSpan) -> Mapping[str, str]:
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": agent.agent,
        "gen_ai.agent.name": agent.agent_display_name,
        "gen_ai.conversation.id": agent.session,
    }


def _of_chat(chat: ChatSpan) -> Mapping[str, str | int]:
    attributes: dict[str, str | int] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": chat.model,
        "gen_ai.usage.input_tokens": chat.input_tokens,
        "gen_ai.usage.output_tokens": chat.output_tokens,
    }
    if chat.provider:
        attributes["gen_ai.provider.name"] = chat.provider
    if chat.response_model:
        attributes["gen_ai.response.model"] = chat.response_model
    return attributes


def _of_tool(tool: ToolSpan) -> Mapping[str, str]:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool.name,
        "gen_ai.tool.type": tool.type,
        "gen_ai.tool.call.id": tool.call_id,
    }


def _end(span: Span, error: str, end_us: int) -> None:
    if error:
        span.set_attribute("error.type", error)
        span.set_status(Status(StatusCode.ERROR, error))
    span.end(end_us * _NS_PER_US)
