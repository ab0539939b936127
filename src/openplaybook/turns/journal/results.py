"""What a turn came to, in its stored form."""

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.turns.base import (
    Message,
    RichMessage,
    TextMessage,
    ToolCallMessage,
    TraceEvent,
    TurnResult,
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
