"""What each step of a turn tells in its span, in the names of the GenAI semantic conventions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.telemetry.meters import Attributes
from openplaybook.turns.base import TraceEvent

_PROVIDERS = {"google": "gcp.gemini", "offline": "openplaybook", "scripted": "openplaybook"}
"""`gen_ai.provider.name` by the kind of a model, where that is not the kind itself."""

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


def step_name(event: TraceEvent) -> str:
    """Of the span of a decision, a call or a playbook."""
    if event.kind == "model":
        return f"chat {_model(event)[1]}"
    if event.kind == "tool":
        return f"execute_tool {event.data['action']}"
    return f"invoke_agent {event.data['playbook_display_name']}"


def step_attributes(event: TraceEvent, step: int, facts: TurnFacts) -> dict[str, str | int | float | Sequence[str]]:
    """Of step number `step` of a turn's trace."""
    attributes: dict[str, str | int | float | Sequence[str]] = {"openplaybook.step": step}
    describe = _DESCRIPTIONS.get(event.kind)
    if describe is not None:
        attributes |= describe(event, facts)
    if facts.with_content:
        attributes |= _content(event)
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


def _of_playbook(event: TraceEvent, facts: TurnFacts) -> Attributes:
    agent = _agent(str(event.data["playbook"]), str(event.data["playbook_display_name"]), facts)
    return {**agent, "openplaybook.state": str(event.data["state"])} if "state" in event.data else agent


def _of_model(event: TraceEvent, facts: TurnFacts) -> Attributes:
    provider, model = _model(event)
    call = as_object(event.data.get("call"))
    found: dict[str, JsonValue] = {
        "gen_ai.request.temperature": call.get("temperature"),
        "gen_ai.request.max_tokens": call.get("maxTokens"),
        "gen_ai.response.id": call.get("responseId"),
        "gen_ai.response.model": call.get("responseModel"),
        "gen_ai.response.finish_reasons": [call["finish"]] if call.get("finish") else None,
        "gen_ai.usage.cache_read.input_tokens": call.get("cachedTokens"),
        "gen_ai.usage.reasoning.output_tokens": call.get("reasoningTokens"),
    }
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.conversation.id": facts.session,
        "gen_ai.request.model": model,
        "gen_ai.usage.input_tokens": int(event.data["input_tokens"]),
        "gen_ai.usage.output_tokens": int(event.data["output_tokens"]),
        **_of_stream(event, call),
        **_of_server(str(call.get("url") or "")),
        **{name: value for name, value in found.items() if value is not None},
    }


def _of_stream(event: TraceEvent, call: JsonObject) -> Attributes:
    first = call.get("first")
    return {"gen_ai.response.time_to_first_chunk": (first - event.start_us) / 1e6} if isinstance(first, int) else {}


def _of_server(url: str) -> Attributes:
    parts = urlsplit(url)
    if not parts.hostname:
        return {}
    return {"server.address": parts.hostname, "server.port": parts.port or _DEFAULT_PORTS.get(parts.scheme, 443)}


def _of_tool(event: TraceEvent, facts: TurnFacts) -> Attributes:
    kind = facts.tool_kinds.get(str(event.data["tool"]), "")
    is_client = bool(event.data.get("client")) or not event.end_us
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": str(event.data["action"]),
        "gen_ai.tool.type": "function" if is_client else "datastore" if kind == "data_store" else "extension",
        "gen_ai.tool.call.id": str(event.data["call_id"]),
        "gen_ai.agent.name": event.playbook_display_name,
    }


def _of_notice(event: TraceEvent, facts: TurnFacts) -> Attributes:
    return {"openplaybook.code": str(event.data["code"])}


_DESCRIPTIONS: Mapping[str, Callable[[TraceEvent, TurnFacts], Attributes]] = {
    "model": _of_model,
    "tool": _of_tool,
    "playbook": _of_playbook,
    "notice": _of_notice,
}


def _content(event: TraceEvent) -> Attributes:
    """What was said and passed in a step."""
    if event.kind == "tool":
        arguments: JsonValue = event.data["arguments"]
        return content_texts(arguments=arguments, result=event.data.get("error") or event.data.get("output"))
    if event.kind == "playbook":
        return content_texts(arguments=event.data.get("arguments"), output=event.data.get("output"))
    if event.kind in ("user", "agent"):
        role, name = ("user", "input") if event.kind == "user" else ("assistant", "output")
        message = {"role": role, "parts": [{"type": "text", "content": event.data["text"]}]}
        return {f"gen_ai.{name}.messages": dumps([message]).decode()}
    if event.kind == "notice":
        return {"openplaybook.message": str(event.data["message"])}
    return {}


_CONTENT_NAMES = {
    "arguments": "gen_ai.tool.call.arguments",
    "result": "gen_ai.tool.call.result",
    "output": "openplaybook.output",
}


def content_texts(**values: JsonValue) -> Attributes:
    """`arguments`, `result` and `output` as attributes that hold JSON."""
    return {_CONTENT_NAMES[name]: dumps(value).decode() for name, value in values.items() if value is not None}


def _model(event: TraceEvent) -> tuple[str, str]:
    """Provider and name of a model that is called `KIND:NAME`."""
    kind, _, name = str(event.data["model"]).partition(":")
    if kind == "pydantic-ai":
        kind, _, name = name.partition(":")
    return _PROVIDERS.get(kind, kind), name or kind
