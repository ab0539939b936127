"""The end of a turn: what it says to the client, and the stored form of that."""

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.turns import events
from openplaybook.turns.base import (
    EventInput,
    Message,
    RichMessage,
    TextInput,
    TextMessage,
    ToolCallMessage,
    TraceEvent,
    TurnResult,
)
from openplaybook.turns.messages import said_in
from openplaybook.turns.trace import trace_of
from openplaybook.turns.turn import Turn


def result_of(turn: Turn, frames: dict[int, str]) -> TurnResult:
    """What the turn came to. `frames`: the playbook of each frame when the turn began."""
    given = turn.request.input
    top = turn.state.top
    return TurnResult(
        response_id=turn.lease.turn_id,
        messages=_messages(turn),
        parameters=turn.visible_parameters(),
        current_playbook=top.playbook,
        current_playbook_display_name=turn.snapshot.display_name(top.playbook),
        query_text=given.text if isinstance(given, TextInput) else "",
        language_code=turn.state.language_code,
        trace=trace_of(turn.events, turn.snapshot, frames, turn.lease.number),
        paused=bool(turn.state.open_client_calls()),
        turn=turn.lease.number,
        ended=_ended(turn),
        index=turn.state.turn,
        event=given.event if isinstance(given, EventInput) else "",
        takes_feedback=turn.snapshot.takes_feedback,
    )


def dump_result(result: TurnResult, turn: int) -> bytes:
    """The stored form of a result, without its trace, which is the journal's."""
    return dumps(
        {
            "turn": turn,
            "index": result.index,
            "responseId": result.response_id,
            "messages": [_message_json(message) for message in result.messages],
            "parameters": result.parameters,
            "currentPlaybook": result.current_playbook,
            "currentPlaybookDisplayName": result.current_playbook_display_name,
            "queryText": result.query_text,
            "languageCode": result.language_code,
            "paused": result.paused,
            **({} if result.ended is None else {"ended": result.ended}),
            **({"event": result.event} if result.event else {}),
            **({"takesFeedback": True} if result.takes_feedback else {}),
        }
    )


def stored_turn(stored: bytes) -> int:
    """Number of the turn that a stored result belongs to."""
    return int(loads(stored)["turn"])


def stored_index(stored: bytes) -> int:
    """The `TurnResult.index` of a stored result."""
    data: JsonObject = loads(stored)
    return int(data.get("index", data["turn"]))


def load_result(stored: bytes, trace: tuple[TraceEvent, ...]) -> TurnResult:
    """The inverse of `dump_result`, with the trace derived again."""
    data: JsonObject = loads(stored)
    return TurnResult(
        response_id=data["responseId"],
        messages=tuple(_message(message) for message in data["messages"]),
        parameters=data["parameters"],
        current_playbook=data["currentPlaybook"],
        current_playbook_display_name=data["currentPlaybookDisplayName"],
        query_text=data["queryText"],
        language_code=data["languageCode"],
        trace=trace,
        paused=data["paused"],
        turn=data["turn"],
        ended=data.get("ended"),
        index=stored_index(stored),
        event=data.get("event", ""),
        takes_feedback=data.get("takesFeedback", False),
    )


def _messages(turn: Turn) -> tuple[Message, ...]:
    said = [message for event in turn.events for message in said_in(event)]
    asked = (
        ToolCallMessage(call.id, call.tool, call.action, call.arguments if call.given is None else call.given)
        for call in turn.state.open_client_calls()
    )
    return (*said, *asked)


def _ended(turn: Turn) -> JsonObject | None:
    return next((event.data["outputs"] for event in turn.events if event.kind == events.END), None)


def _message_json(message: Message) -> JsonObject:
    if isinstance(message, TextMessage):
        return {"text": message.text}
    if isinstance(message, RichMessage):
        return {"content": message.content}
    return {"id": message.id, "tool": message.tool, "action": message.action, "arguments": message.arguments}


def _message(data: JsonObject) -> Message:
    if "text" in data:
        return TextMessage(data["text"])
    if "content" in data:
        return RichMessage(data["content"])
    return ToolCallMessage(data["id"], data["tool"], data["action"], data["arguments"])
