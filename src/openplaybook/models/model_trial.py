"""Trying a model out: one small question and one declared tool, through the port that turns use.

The first request asks for a call of the tool, the second brings its result and asks for the answer as a stream.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from openplaybook.jsonvalues import JsonObject, as_object, dumps
from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    Effect,
    Entry,
    FunctionCall,
    FunctionResult,
    Model,
    ModelReply,
    ModelTurn,
    ProviderReply,
    UserText,
)
from openplaybook.models.errors import ModelError, ModelGarbled, ModelNotConfigured, ModelRejected
from openplaybook.models.model_keys import ModelKey
from openplaybook.resources.compiled_forms import InstructionStep

_TOOL = Declaration(
    name="get_weather",
    description="Get the current weather of a city.",
    input_schema={
        "type": "object",
        "properties": {"city": {"type": "string", "description": "Name of the city."}},
        "required": ["city"],
    },
    output_schema=None,
    kind=DeclarationKind.TOOL,
    reference="get_weather",
    action="get_weather",
    effect=Effect.READS,
)
_WEATHER: JsonObject = {"temperature": 21, "sky": "sunny"}
_FINAL_STATUSES = (402, 404, 408, 429)
"""About money, a missing model, and haste: leaving the tool out of the request changes nothing."""
_SHOWN_CHARS = 80


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that was looked at."""

    name: str
    ok: bool | None
    """None: it could not be found out, as something before it failed."""
    detail: str


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of the question."""

    model: str
    """As given to `--model`."""
    url: str
    """Of the provider, where an answer told; empty for models without one."""
    observations: tuple[Observation, ...]
    """Configured, reachable, key accepted, answers text, calls a tool, streams."""
    seconds: float
    """All requests together, with the pauses before those that were repeated."""

    @property
    def ok(self) -> bool:
        """Whether turns can use the model."""
        return all(observation.ok for observation in self.observations)


@dataclass(frozen=True, slots=True)
class _Streamed:
    """A reply and in how many pieces its words came."""

    reply: ModelReply
    pieces: int


async def try_model(model: Model, key: ModelKey | None, timeout_s: float) -> Trial:
    """Ask `model`, which sends `key`, and say what works. `timeout_s` is for each request with its repetitions.

    Never raises `ModelError`: failures are observations.
    """
    begun = time.perf_counter()
    turn = _question(timeout_s)
    called = await _decided(model, turn)
    answering = _next(turn, called)
    streamed = await _listened(model, answering) if answering is not None else None
    spoken = streamed.reply if isinstance(streamed, _Streamed) else streamed
    if answering is not None and isinstance(streamed, ModelError):
        # Whether it is the stream or the answer that the model cannot give.
        spoken = await _decided(model, answering)
    replies = [each for each in (called, spoken) if isinstance(each, ModelReply)]
    observations = (
        Observation("configured", True, ""),
        _reachable(called),
        _key(called, key, has_answered=bool(replies)),
        _text(called, spoken),
        _call(called),
        _stream(streamed),
    )
    url = next((reply.origin.url for reply in replies if reply.origin.url), "")
    return Trial(model.name, url, observations, time.perf_counter() - begun)


def unusable(specification: str, fault: ModelNotConfigured) -> Trial:
    """The trial of a model that cannot even be made."""
    unknown = (_unknown(name) for name in ("reachable", "key accepted", "answers text", "calls a tool", "streams"))
    return Trial(specification, "", (Observation("configured", False, str(fault)), *unknown), 0.0)


def _question(timeout_s: float) -> ModelTurn:
    return ModelTurn(
        playbook="Weather",
        declarations=(_TOOL,),
        goal="Tell people what the weather is.",
        instructions=(
            InstructionStep("Look the weather up with the tool get_weather."),
            InstructionStep("Then tell the user about it in two full sentences."),
        ),
        examples=(),
        conversation=(UserText("What is the weather in Paris?"),),
        language_code="en",
        timeout_s=timeout_s,
    )


async def _decided(model: Model, turn: ModelTurn) -> ModelReply | ModelError:
    try:
        return await model.decide(turn)
    except ModelError as error:
        return error


async def _listened(model: Model, turn: ModelTurn) -> _Streamed | ModelError:
    pieces = 0
    try:
        async for item in model.stream(turn):
            if isinstance(item, ModelReply):
                return _Streamed(item, pieces)
            pieces += 1
    except ModelError as error:
        return error
    return ModelGarbled("The stream ended without a reply.")


def _next(turn: ModelTurn, called: ModelReply | ModelError) -> ModelTurn | None:
    """What to ask behind the first request; None where nothing more can be learned."""
    without_tool = replace(turn, declarations=(), instructions=(), goal="Answer in two full sentences.")
    if isinstance(called, ModelError):
        is_final = called.status in _FINAL_STATUSES or _is_key_refused(called)
        # Many servers refuse every request with tools until they are started with a flag for them.
        return None if is_final or not called.status else without_tool
    if not called.calls or _fault_of_calls(called):
        return without_tool
    return replace(
        turn,
        conversation=(*turn.conversation, *_repeated(called)),
        planner_state=turn.planner_state if called.planner_state is None else called.planner_state,
    )


def _repeated(reply: ModelReply) -> Sequence[Entry | ProviderReply]:
    """The reply as the next request repeats it, with the results of its calls."""
    provider_reply = (ProviderReply(reply.model, reply.raw),) if reply.raw else ()
    words = (AgentText(reply.text),) if reply.text else ()
    calls = (FunctionCall(call.id, call.name, as_object(call.arguments)) for call in reply.calls)
    results = (FunctionResult(call.id, call.name, _WEATHER) for call in reply.calls)
    return (*provider_reply, *words, *calls, *results)


def _reachable(called: ModelReply | ModelError) -> Observation:
    if isinstance(called, ModelError) and not _has_answered(called):
        return Observation("reachable", False, str(called))
    return Observation("reachable", True, "")


def _has_answered(error: ModelError) -> bool:
    """Whether it is about something that the provider answered."""
    return error.status != 0 or isinstance(error, ModelGarbled)


def _key(called: ModelReply | ModelError, key: ModelKey | None, *, has_answered: bool) -> Observation:
    name = "key accepted"
    if key is None:
        return Observation(name, True, "none is needed")
    if has_answered:
        return Observation(name, True, key.source)
    if _is_key_refused(called):
        return Observation(name, False, str(called))
    return Observation(name, None, "")


def _text(called: ModelReply | ModelError, spoken: ModelReply | ModelError | None) -> Observation:
    name = "answers text"
    answer = called if spoken is None else spoken
    if isinstance(answer, ModelReply):
        text = " ".join(answer.text.split())
        excerpt = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
        return Observation(name, bool(text), f'"{excerpt}"' if text else "it returned no text")
    if spoken is None and (_is_key_refused(answer) or not _has_answered(answer)):
        return _unknown(name)
    return Observation(name, False, _failure_text(answer))


def _call(called: ModelReply | ModelError) -> Observation:
    name = "calls a tool"
    if isinstance(called, ModelReply):
        fault = _fault_of_calls(called)
        calls = ", ".join(f"{call.name} {dumps(call.arguments).decode()}" for call in called.calls)
        return Observation(name, not fault, fault or calls)
    is_about_tool = called.status and called.status not in _FINAL_STATUSES and not _is_key_refused(called)
    return Observation(name, False, _failure_text(called)) if is_about_tool else _unknown(name)


def _fault_of_calls(reply: ModelReply) -> str:
    """What is wrong with the calls of the reply; empty where nothing is."""
    if not reply.calls:
        return "it returned text instead of calling get_weather"
    for call in reply.calls:
        if call.name != _TOOL.name:
            return f"it called {call.name}, but only get_weather exists"
        if not isinstance(as_object(call.arguments).get("city"), str):
            return f"it called get_weather without a city: {dumps(call.arguments).decode()[:_SHOWN_CHARS]}"
    return ""


def _stream(streamed: _Streamed | ModelError | None) -> Observation:
    name = "streams"
    if streamed is None:
        return _unknown(name)
    if isinstance(streamed, ModelError):
        return Observation(name, False, _failure_text(streamed))
    detail = (
        f"in {streamed.pieces} pieces"
        if streamed.pieces > 1
        else "the request is accepted, and the response came in one piece"
    )
    return Observation(name, True, detail)


def _unknown(name: str) -> Observation:
    return Observation(name, None, "")


def _is_key_refused(answer: ModelReply | ModelError) -> bool:
    return isinstance(answer, ModelRejected) and answer.is_key_refused


def _failure_text(error: ModelError) -> str:
    """The failure with the provider's own words, which may be shown here: the prompt is ours."""
    return (
        str(error)
        if not error.provider_message or error.provider_message in str(error)
        else f"{error} It says: {error.provider_message}"
    )
