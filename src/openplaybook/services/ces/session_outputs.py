"""What a turn came to, as SessionOutputs."""

from collections.abc import Container, Iterable, Iterator, Mapping

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.services.ces.tool_messages import display_name_of, fill_call
from openplaybook.services.ces.turn_messages import fill_messages, tool_name
from openplaybook.services.ces.turn_spans import fill_root_span
from openplaybook.services.resource_kinds import CES
from openplaybook.services.response_files import ResponseFiles
from openplaybook.turns.base import (
    Message,
    PartialMoment,
    PartialText,
    RichMessage,
    TextMessage,
    ToolCallMessage,
    ToolStep,
    TurnResult,
)
from openplaybook.wire.api import Api
from openplaybook.wire.codec.structs import read_struct
from openplaybook.wire.messages import ApiMessage

_END, _HANDOFF = "endInteraction", "liveAgentHandoff"


class OutputRenderer:
    """Builds SessionOutput messages of the v1beta API."""

    def __init__(self, api: Api) -> None:
        self._output = api.message(f"{CES}SessionOutput")

    def outputs(
        self,
        result: TurnResult,
        session: str,
        variables: Mapping[str, object],
        files: ResponseFiles,
        streamed: Container[int] = (),
    ) -> list[ApiMessage]:
        """One output each for words, a payload, all calls for the client, and the end of the session, in that order.

        The last one says that the turn is completed and what happened in it; where the turn says nothing it is all
        there is. `variables` are those of the request; `streamed` are the numbers of replies that were streamed, which
        are not said again.
        """
        session_outputs = list(self._messages(files.messages(result), streamed))
        if calls := [message for message in result.messages if isinstance(message, ToolCallMessage)]:
            session_outputs.append(self._calls(calls, result))
        if any(_is(message, _END) for message in result.messages):
            session_outputs.append(self._end(result))
        session_outputs = session_outputs or [self._output()]
        for output in session_outputs:
            output.turn_index = result.index
        session_outputs[-1].turn_completed = True
        trace = tuple(map(files.step, result.trace))
        app, _, session_id = session.partition("/sessions/")
        fill_messages(result, trace, variables, app, session_outputs[-1].diagnostic_info.messages)
        fill_root_span(result, trace, session_id, session_outputs[-1].diagnostic_info.root_span)
        return session_outputs

    def words(self, partial: PartialText) -> ApiMessage:
        """Words while the agent is still speaking."""
        return self._output(
            text=partial.text,
            turn_index=partial.index,
            agent=partial.playbook,
            agent_display_name=partial.playbook_display_name,
            reply_index=partial.reply,
        )

    def complete(self, partial: PartialMoment) -> ApiMessage:
        """The end of a reply whose words were streamed: an output with an empty text, for clients that join texts."""
        return self._output(
            text="",
            turn_index=partial.index,
            agent=partial.step.playbook,
            agent_display_name=partial.step.playbook_display_name,
            reply_index=partial.reply,
            reply_completed=True,
        )

    def _messages(self, messages: Iterable[Message], streamed: Container[int]) -> Iterator[ApiMessage]:
        reply = 0
        for message in messages:
            reply += isinstance(message, TextMessage)
            if isinstance(message, TextMessage) and reply in streamed:
                continue
            if (output := self._one(message)) is not None:
                yield output

    def _one(self, message: Message) -> ApiMessage | None:
        """The output of words or a payload; None for what is shown otherwise."""
        if isinstance(message, TextMessage):
            return self._output(text=message.text)
        if isinstance(message, ToolCallMessage) or _is(message, _END) or _is(message, _HANDOFF):
            return None
        output = self._output()
        read_struct(message.content.get("payload", message.content), output.payload)
        return output

    def _calls(self, calls: Iterable[ToolCallMessage], result: TurnResult) -> ApiMessage:
        output = self._output()
        names = {step.call_id: tool_name(step) for step in result.trace if isinstance(step, ToolStep)}
        for call in calls:
            name = names.get(call.id) or display_name_of(call.tool, call.action, "")
            fill_call(output.tool_calls.tool_calls.add(), call.tool, call.action, name, call.id, call.arguments)
        return output

    def _end(self, result: TurnResult) -> ApiMessage:
        output = self._output()
        read_struct(end_metadata(result), output.end_session.metadata)
        return output


def end_metadata(result: TurnResult) -> JsonObject:
    """Why the session is over: what the function that ended it was called with, or what a hand-off tells."""
    if result.ended is not None:
        return result.ended
    for message in result.messages:
        if isinstance(message, RichMessage) and _HANDOFF in message.content:
            return {**as_object(as_object(message.content[_HANDOFF]).get("metadata")), "session_escalated": True}
    return {}


def _is(message: Message, content: str) -> bool:
    return isinstance(message, RichMessage) and content in message.content
