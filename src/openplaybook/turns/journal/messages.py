"""What users and agents say, as the journal keeps it: inputs of requests, messages of turns, and what was said before
as a request brings it.

An input that has a `text` begins a turn of its own; one that has none goes on with the turn that is paused.
"""

import hashlib
from collections.abc import Iterator, Sequence

from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps_sorted
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, UserText
from openplaybook.turns.base import (
    EventInput,
    Message,
    NoInput,
    RichMessage,
    TextInput,
    TextMessage,
    ToolResultInput,
    ToolResultsInput,
    TurnInput,
)
from openplaybook.turns.journal import events
from openplaybook.turns.journal.events import Event

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


RESULTS = "results"
"""Member of inputs that bring several results."""


def input_json(given: TurnInput) -> JsonObject:
    """The stored form."""
    match given:
        case TextInput(text):
            return {"text": text}
        case EventInput(event):
            # To all that only asks whether a turn brings a result, an event is a user who says nothing.
            return {"text": "", "event": event}
        case ToolResultInput():
            return _result_json(given)
        case ToolResultsInput(results):
            return {RESULTS: [_result_json(result) for result in results]}
        case NoInput():
            return {"silent": True}


def input_of(stored: JsonObject) -> TurnInput:
    """The inverse of `input_json`."""
    if "event" in stored:
        return EventInput(stored["event"])
    if "text" in stored:
        return TextInput(stored["text"])
    if RESULTS in stored:
        return ToolResultsInput(tuple(_result_of(result) for result in stored[RESULTS]))
    return NoInput() if "silent" in stored else _result_of(stored)


def results_of(given: TurnInput) -> tuple[ToolResultInput, ...]:
    """The results that an input brings; empty for all others."""
    if isinstance(given, ToolResultsInput):
        return given.results
    return (given,) if isinstance(given, ToolResultInput) else ()


def _result_json(given: ToolResultInput) -> JsonObject:
    return {
        "tool": given.tool,
        "action": given.action,
        "call": given.call_id,
        "output": given.output,
        "error": given.error,
    }


def _result_of(stored: JsonObject) -> ToolResultInput:
    return ToolResultInput(stored["tool"], stored["action"], stored["call"], stored["output"], stored["error"])


def entry_json(entry: Entry) -> JsonObject:
    """The stored form of an entry."""
    match entry:
        case UserText(text):
            return {"user": text}
        case AgentText(text):
            return {"agent": text}
        case FunctionCall(id, name, arguments):
            return {"call": id, "name": name, "arguments": arguments}
        case FunctionResult(id, name, output, is_error):
            return {"result": id, "name": name, "output": output, "isError": is_error}


def entry_of(stored: JsonObject) -> Entry:
    """The inverse of `entry_json`."""
    if "user" in stored:
        return UserText(stored["user"])
    if "agent" in stored:
        return AgentText(stored["agent"])
    if "call" in stored:
        return FunctionCall(stored["call"], stored["name"], stored["arguments"])
    return FunctionResult(stored["result"], stored["name"], stored["output"], stored["isError"])


def history_digest(history: Sequence[Entry]) -> str:
    """Digest of what was said before; empty where nothing was."""
    return hashlib.sha256(dumps_sorted([entry_json(each) for each in history])).hexdigest() if history else ""


def paired(history: Sequence[Entry]) -> list[Entry]:
    """The history without calls that have no result and results without a call: models take them in pairs only."""
    results = {entry.id for entry in history if isinstance(entry, FunctionResult)}
    calls = {entry.id for entry in history if isinstance(entry, FunctionCall)}
    whole = results & calls
    return [each for each in history if not isinstance(each, FunctionCall | FunctionResult) or each.id in whole]
