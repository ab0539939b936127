"""What a turn came to, as DetectIntentResponse."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from openplaybook.resources.builtin_tools import is_builtin
from openplaybook.resources.call_spellings import documented_arguments
from openplaybook.services.dialogflow.turn_traces import (
    connection_signals,
    diagnostic_info,
    enum_value,
    fill_actions,
    fill_generative_info,
    fill_trace_blocks,
)
from openplaybook.services.response_files import NO_FILES, ResponseFiles
from openplaybook.turns.base import Message, Partial, PartialText, RichMessage, TextMessage, ToolCallMessage, TurnResult
from openplaybook.wire.api import BETA, Api
from openplaybook.wire.codec.structs import fill_struct, read_struct
from openplaybook.wire.messages import ApiMessage

_V = "google.cloud.dialogflow.cx.v3beta1."


@dataclass(frozen=True, slots=True)
class ResponseOptions:
    """How an answer is to be shown."""

    session_id: str
    view: int
    """`DetectIntentRequest.response_view`."""
    version: str
    """Of the client: `v3` or `v3beta1`."""
    not_honoured: Sequence[str] = ()
    """What the request asked for and did not get."""
    with_signals: bool = False
    """Whether the answer tells how data stores came to theirs (`populateDataStoreConnectionSignals`)."""


class ResponseRenderer:
    """Builds DetectIntentResponse messages of the v3beta1 API."""

    def __init__(self, api: Api) -> None:
        self._codec = api.codec
        self._response = api.message(f"{_V}DetectIntentResponse")
        self._partial = enum_value(api, f"{_V}DetectIntentResponse", "response_type", "PARTIAL")
        self._final = enum_value(api, f"{_V}DetectIntentResponse", "response_type", "FINAL")
        self._by_playbook = enum_value(api, f"{_V}Match", "match_type", "PLAYBOOK")
        self._virtual_agent = enum_value(api, f"{_V}ResponseMessage", "source", "VIRTUAL_AGENT")
        view = f"{_V}DetectIntentRequest"
        self._full = enum_value(api, view, "response_view", "DETECT_INTENT_RESPONSE_VIEW_FULL")
        self._basic = enum_value(api, view, "response_view", "DETECT_INTENT_RESPONSE_VIEW_BASIC")

    def final(self, result: TurnResult, options: ResponseOptions, files: ResponseFiles = NO_FILES) -> ApiMessage:
        """The answer, or the pause; `files` are those of its calls.

        What the view leaves out is as Google documents it; unset is DEFAULT.
        """
        view = options.view
        trace = tuple(map(files.step, result.trace))
        is_beta = options.version not in BETA
        response = self._response()
        response.response_id = result.response_id
        response.response_type = self._final
        query = response.query_result
        if result.query_text:
            query.text = result.query_text
        elif result.event:
            query.trigger_event = result.event
        query.allow_answer_feedback = result.takes_feedback
        query.language_code = result.language_code
        read_struct(result.parameters, query.parameters)
        self._fill_messages(_asked_in_turn(files.messages(result)), query.response_messages)
        query.match.match_type = self._by_playbook
        query.match.resolved_input = result.query_text
        query.match.confidence = 1.0
        query.intent_detection_confidence = 1.0
        if options.with_signals and (signals := connection_signals(result.trace)):
            self._codec.from_json(signals, query.data_store_connection_signals)
        if view != self._basic:
            diagnostics = diagnostic_info(result, options.session_id, with_spans=view == self._full)
            if options.not_honoured:
                diagnostics["Not Honoured"] = list(options.not_honoured)
            fill_struct(diagnostics, query.diagnostic_info, 0)
            if is_beta:  # v3 has no field for it
                fill_generative_info(trace, result, query.generative_info)
        if view == self._full:
            fill_trace_blocks(trace, query.trace_blocks, beta=is_beta)
        return response

    def partial(self, partial: Partial, view: int, files: ResponseFiles = NO_FILES) -> ApiMessage | None:
        """Something that happened while the turn runs: words, a complete reply, a handover, or a tool call that starts
        or ends.

        None for all but words where `view` is BASIC, which leaves out all that a response would tell of them.
        """
        response = self._response()
        response.response_type = self._partial
        query = response.query_result
        if isinstance(partial, PartialText):
            message = query.response_messages.add()
            message.source = self._virtual_agent
            message.text.text.append(partial.text)
            message.playbook = partial.playbook
            message.playbook_display_name = partial.playbook_display_name
            message.reply_index = partial.reply
        elif view == self._basic:
            return None
        else:
            trace = (files.step(partial.step),)
            fill_actions(trace, query.generative_info.action_tracing_info.actions)
            fill_trace_blocks(trace, query.trace_blocks, beta=True)
        return response

    def is_final(self, response: ApiMessage) -> bool:
        """Whether a response is the last of its turn."""
        return response.response_type == self._final

    def _fill_messages(self, all_said: Iterable[Message], messages: ApiMessage) -> None:
        for turn_message in all_said:
            message = messages.add()
            message.source = self._virtual_agent
            if isinstance(turn_message, TextMessage):
                message.text.text.append(turn_message.text)
                continue
            if isinstance(turn_message, RichMessage):
                self._codec.from_json(turn_message.content, message)
                continue
            call = message.tool_call
            call.id = turn_message.id
            call.tool = turn_message.tool
            call.action = turn_message.action
            arguments = (
                documented_arguments(turn_message.action, turn_message.arguments)
                if is_builtin(turn_message.tool)
                else turn_message.arguments
            )
            read_struct(arguments, call.input_parameters)


def _asked_in_turn(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages with one call of each tool and action: results are matched by these, so that of two alike the older
    is asked for first."""
    calls: set[tuple[str, str]] = set()
    for message in messages:
        if isinstance(message, ToolCallMessage):
            if (message.tool, message.action) in calls:
                continue
            calls.add((message.tool, message.action))
        yield message
