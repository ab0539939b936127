"""What a turn came to: what its events say to the client, and the stored form of its result."""

from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.turns.base import (
    Message,
    RichMessage,
    TextMessage,
    ToolCallMessage,
    TraceStep,
    TurnResult,
)
from openplaybook.turns.journal.events import ConversationEnded, EngineSpoke, Event, HandlerFired, ModelReplied
from openplaybook.turns.journal.journal_messages import text_of
from openplaybook.turns.journal.lifts import FORM, RESULT, VERSION, lifted

END_INTERACTION = RichMessage({"endInteraction": {}})
"""The conversation is over; at most one in a response, and the last of its messages."""


def said_in(event: Event) -> Iterator[Message]:
    """The messages that one event brings."""
    match event:
        case ModelReplied(text=text, unheard=False) | EngineSpoke(text=text) if text:
            yield TextMessage(text)
        case HandlerFired(messages=messages):
            for message in messages:
                words = text_of(message)
                yield TextMessage(words) if words else RichMessage(message)
        case ConversationEnded():
            if event.state == "ESCALATED":
                yield RichMessage({"liveAgentHandoff": {"metadata": _handoff(event)}})
            yield END_INTERACTION
        case _:
            pass


def replies_in(event: Event) -> int:
    """How many of the messages that an event brings are words."""
    return sum(isinstance(message, TextMessage) for message in said_in(event))


def _handoff(event: ConversationEnded) -> JsonObject:
    """What the person who takes over is told: what the playbook gave back."""
    summary: JsonObject = {"executionSummary": event.summary} if event.summary else {}
    return {**event.outputs, **summary}


def dump_result(result: TurnResult, turn: int) -> bytes:
    """The stored form of a result, without its trace, which is the journal's."""
    return dumps(
        {
            FORM: VERSION,
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
    return int(_read(stored)["turn"])


def stored_index(stored: bytes) -> int:
    """The `TurnResult.index` of a stored result."""
    return int(_read(stored)["index"])


def load_result(stored: bytes, trace: tuple[TraceStep, ...]) -> TurnResult:
    """The inverse of `dump_result`, with the trace derived again. Raises `NewerData`."""
    data = _read(stored)
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
        index=data["index"],
        event=data.get("event", ""),
        takes_feedback=data.get("takesFeedback", False),
    )


def _read(stored: bytes) -> JsonObject:
    data: JsonObject = loads(stored)
    return lifted(RESULT, data, data.pop(FORM, 1))


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
