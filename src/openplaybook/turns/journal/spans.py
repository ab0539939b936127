"""A turn's trace as a tree of spans: rendered for OpenTelemetry, and as JSON in `diagnosticInfo`.

    invoke_agent PLAYBOOK           the turn, in the playbook that it began in
      chat MODEL                    a decision
      execute_tool ACTION           a tool call that has ended, with what its tool asked and called
      invoke_agent PLAYBOOK         a playbook entered in this turn, with what happened in it
      openplaybook.KIND             what took no time, such as `user` or `notice`, and calls that still wait

Every step of the trace is one node, numbered in order by `openplaybook.step`. Names and attributes are those of the
GenAI semantic conventions where these have one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.telemetry.meters import Attributes
from openplaybook.telemetry.spans import Moment, StepSpan
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


def span_tree(trace: Sequence[TraceEvent], facts: TurnFacts) -> StepSpan:
    """The spans of a turn, which lasts from the first of its steps to the last."""
    start = min((event.start_us for event in trace), default=facts.at_us)
    end = max((event.end_us or event.start_us for event in trace), default=facts.at_us)
    root = _Opened(f"invoke_agent {facts.playbook_display_name}", -1, start, turn_attributes(facts))
    path = [root]
    within: dict[str, list[StepSpan | Moment]] = {}
    for step, event in enumerate(trace):
        if "within" in event.data:
            within.setdefault(event.data["within"], []).append(_step(event, step, facts))
        elif event.kind == "playbook" and "state" not in event.data:
            path.append(_Opened(step_name(event), event.frame, event.start_us, step_attributes(event, step, facts)))
            path[-2].children.append(path[-1])
        elif event.kind == "playbook" and path[-1].frame == event.frame:
            path.pop().close(event, step, with_content=facts.with_content)
        else:
            if event.kind == "transition" and len(path) > 1:
                # What took its place is left instead of it.
                path[-1].frame = event.frame
            inner = within.pop(str(event.data.get("call_id", "")), [])
            path[-1].children.append(_step(event, step, facts, inner))
    # What a call made that has no end itself, as its turn was cut short.
    path[-1].children.extend(step for steps in within.values() for step in steps)
    return root.closed(end, facts.error)


@dataclass(slots=True)
class _Opened:
    """A playbook while its steps are read."""

    name: str
    frame: int
    start_us: int
    attributes: dict[str, str | int | float | Sequence[str]]
    children: "list[_Opened | StepSpan | Moment]" = field(default_factory=list["_Opened | StepSpan | Moment"])
    end_us: int = 0

    def close(self, event: TraceEvent, step: int, *, with_content: bool) -> None:
        """End with the step that left the playbook."""
        self.end_us = event.end_us
        self.attributes |= {"openplaybook.end_step": step, "openplaybook.state": str(event.data["state"])}
        if with_content:
            self.attributes |= content_texts(output=event.data["output"])

    def closed(self, end_us: int, error: str = "") -> StepSpan:
        """The span; `end_us` where the playbook was not left."""
        children = [each.closed(end_us) if isinstance(each, _Opened) else each for each in self.children]
        return StepSpan(
            self.name, self.start_us, self.end_us or end_us, self.attributes, error=error, children=tuple(children)
        )


def _step(event: TraceEvent, step: int, facts: TurnFacts, inner: Sequence[StepSpan | Moment] = ()) -> StepSpan | Moment:
    attributes = step_attributes(event, step, facts)
    if event.kind not in ("model", "tool") or not event.end_us:
        return Moment(f"openplaybook.{event.kind}", event.start_us, attributes)
    error = str(as_object(event.data.get("error")).get("code", ""))
    return StepSpan(
        step_name(event),
        event.start_us,
        event.end_us,
        attributes,
        is_client=event.kind == "model",
        error=error,
        children=tuple(inner),
    )
