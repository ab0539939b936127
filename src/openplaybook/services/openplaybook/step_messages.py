"""Steps of turns in the shape of `openplaybook.v1.TurnStep`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.tools.base import Exchange
from openplaybook.turns.base import (
    AgentStep,
    DepartureStep,
    EntryStep,
    HandlerStep,
    ModelStep,
    NoticeStep,
    ToolStep,
    TraceStep,
    TransitionStep,
    UserStep,
)
from openplaybook.turns.session.kept_prompts import KeptPrompt
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage

_BASIC_CHARS = 2_000
"""Of an output as JSON that the view BASIC shows."""
_INTERPRETER = "code_interpreter"


@dataclass(frozen=True, slots=True)
class StepDetails:
    """What is told of steps besides the trace."""

    is_full: bool
    """Whether all of it is."""
    tool_kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    """By resource name."""
    prompts: Mapping[str, KeptPrompt] = field(default_factory=dict[str, KeptPrompt])
    """By what decisions call them."""


class StepRenderer:
    """Builds TurnStep messages."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._step = api.message("openplaybook.v1.TurnStep")

    def step(self, number: int, step: TraceStep, details: StepDetails) -> ApiMessage:
        """Step number `number` of a turn."""
        message = self._step(
            number=number,
            playbook=step.playbook,
            playbook_display_name=step.playbook_display_name,
            frame=step.frame,
            within=step.within,
        )
        message.start_time.FromMicroseconds(step.start_us)
        if step.end_us:
            message.end_time.FromMicroseconds(step.end_us)
        self._tell(step, message, details)
        return message

    def _tell(self, step: TraceStep, message: ApiMessage, details: StepDetails) -> None:
        match step:
            case UserStep(text=text):
                message.user.text = text
            case AgentStep(text=text):
                message.agent.text = text
            case ModelStep():
                self._tell_decision(step, message.decision, details)
            case ToolStep():
                self._tell_call(step, message.call, details)
            case EntryStep():
                message.entry.call_id = step.call_id
                self._fill(message.entry.arguments, step.arguments)
            case DepartureStep():
                left = message.departure
                left.call_id, left.state, left.summary = step.call_id, step.state, step.summary
                self._fill(left.output, step.output)
            case TransitionStep():
                self._fill(message.transition.arguments, step.arguments)
            case HandlerStep():
                _tell_handler(step, message.handler)
            case NoticeStep():
                notice = message.notice
                notice.code, notice.message, notice.stage = step.code, step.message, step.stage
                notice.guardrail = step.guardrail or ""
            case _:
                raise TypeError(f"no message for {type(step).__name__}")

    def _tell_decision(self, step: ModelStep, decision: ApiMessage, details: StepDetails) -> None:
        decision.model, decision.attempts = step.model, step.attempts
        decision.input_tokens, decision.output_tokens = step.usage.input_tokens, step.usage.output_tokens
        known = step.facts
        decision.cached_tokens, decision.reasoning_tokens = known.cached_tokens, known.reasoning_tokens
        decision.finish_reason, decision.max_tokens = known.finish, known.max_tokens
        decision.response_id, decision.response_model, decision.server = (
            known.response_id,
            known.response_model,
            known.url,
        )
        if known.first:
            decision.first_words_time.FromMicroseconds(known.first)
        if known.temperature is not None:
            decision.temperature = known.temperature
        decision.text = step.text
        for each in step.calls:
            call = decision.calls.add(id=each.id, name=each.name, tool=each.tool, action=each.action)
            self._fill(call.arguments, each.arguments)
        if step.error is not None:
            decision.error.code, decision.error.message = step.error.code, step.error.message
        # What is sent to a provider comes back from an address; where it failed nobody knows.
        decision.has_prompt = bool(known.url) or step.prompt in details.prompts
        if details.is_full:
            self._fill(decision.evidence, step.evidence)
            if (prompt := details.prompts.get(step.prompt)) is not None:
                _tell_prompt(prompt, decision.prompt)

    def _tell_call(self, step: ToolStep, call: ApiMessage, details: StepDetails) -> None:
        call.id, call.tool, call.tool_display_name = step.call_id, step.tool, step.tool_display_name
        call.tool_kind = details.tool_kinds.get(step.tool, "")
        call.action, call.note, call.client = step.action, step.note, step.is_client or not step.end_us
        self._fill(call.arguments, step.arguments)
        if step.error is not None:
            call.error.code, call.error.message = step.error.code, step.error.message
        if step.output is not None and (details.is_full or len(dumps(step.output)) <= _BASIC_CHARS):
            self._api.codec.from_json(step.output, call.output)
        self._fill(call.parameters, step.parameters)
        for exchange in step.exchanges:
            tell_exchange(exchange, call.exchanges.add(), with_bodies=details.is_full)
        if details.is_full:
            self._fill(call.retrieval, step.signals)
        if call.tool_kind == _INTERPRETER:
            _tell_code(step.output, call.code)

    def _fill(self, struct: ApiMessage, value: JsonObject) -> None:
        struct.SetInParent()
        if value:
            self._api.codec.from_json(value, struct)


def tell_exchange(exchange: Exchange, message: ApiMessage, *, with_bodies: bool) -> None:
    """Fill an Exchange."""
    message.method, message.url, message.status = exchange.method, exchange.url, exchange.status
    message.attempts, message.error, message.response_file = exchange.attempts, exchange.error, exchange.response_file
    message.elapsed.FromMicroseconds(round(exchange.elapsed_ms * 1000))
    if with_bodies:
        message.request_headers.update({str(name): str(value) for name, value in exchange.request_headers.items()})
        message.response_headers.update({str(name): str(value) for name, value in exchange.response_headers.items()})
        message.request_body, message.response_body = exchange.request_body, exchange.response_body


def _tell_handler(step: HandlerStep, handler: ApiMessage) -> None:
    handler.stage, handler.event, handler.condition = step.stage, step.event, step.condition
    handler.index, handler.message_count, handler.call_id = step.handler, step.messages, step.call_id
    handler.parameters.extend(step.parameters)


def _tell_prompt(kept: KeptPrompt, prompt: ApiMessage) -> None:
    prompt.request, prompt.reply = kept.request, kept.reply
    prompt.request_bytes, prompt.reply_bytes, prompt.truncated = kept.request_bytes, kept.reply_bytes, kept.is_cut


def _tell_code(output: JsonValue, code: ApiMessage) -> None:
    told = as_object(output)
    code.code = str(told.get("generated_code", ""))
    code.result = str(told.get("execution_result", ""))
    code.error = str(told.get("execution_error", ""))
