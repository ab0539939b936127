"""What the events of a turn say to the client."""

from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.turns import events
from openplaybook.turns.base import Message, RichMessage, TextMessage
from openplaybook.turns.events import Event

END_INTERACTION = RichMessage({"endInteraction": {}})
"""The conversation is over; at most one in a response, and the last of its messages."""


def said_in(event: Event) -> Iterator[Message]:
    """The messages that one event brings."""
    if event.kind in (events.REPLY, events.SAY):
        if event.data["text"] and not event.data.get("unheard"):
            yield TextMessage(event.data["text"])
    elif event.kind == events.HANDLED:
        for message in event.data["messages"]:
            text = text_of(message)
            yield TextMessage(text) if text else RichMessage(message)
    elif event.kind == events.END:
        if event.data["state"] == "ESCALATED":
            yield RichMessage({"liveAgentHandoff": {"metadata": _handoff(event.data)}})
        yield END_INTERACTION


def replies_in(event: Event) -> int:
    """How many of the messages that an event brings are words."""
    return sum(isinstance(message, TextMessage) for message in said_in(event))


def text_of(message: JsonObject) -> str:
    """The words of a ResponseMessage in JSON form; empty when it is of another kind."""
    return "\n".join(str(text) for text in as_list(as_object(message.get("text")).get("text")))


def _handoff(data: JsonObject) -> JsonObject:
    """What the person who takes over is told: what the playbook gave back."""
    summary: JsonObject = {"executionSummary": data["summary"]} if data["summary"] else {}
    return {**data["outputs"], **summary}
