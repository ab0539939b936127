"""What users and agents say, as the journal keeps it: inputs of requests, and what was said before as a request brings
it.

An input that has a `text` begins a turn of its own; one that has none goes on with the turn that is paused.
"""

import hashlib
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps_sorted
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, UserText
from openplaybook.turns.base import (
    EventInput,
    NoInput,
    TextInput,
    ToolResultInput,
    ToolResultsInput,
    TurnInput,
)


def text_of(message: JsonObject) -> str:
    """The words of a ResponseMessage in JSON form; empty when it is of another kind."""
    return "\n".join(str(text) for text in as_list(as_object(message.get("text")).get("text")))


_RESULTS = "results"


def input_json(turn_input: TurnInput) -> JsonObject:
    """The stored form."""
    match turn_input:
        case TextInput(text):
            return {"text": text}
        case EventInput(event):
            # To all that only asks whether a turn brings a result, an event is a user who says nothing.
            return {"text": "", "event": event}
        case ToolResultInput():
            return _result_json(turn_input)
        case ToolResultsInput(results):
            return {_RESULTS: [_result_json(result) for result in results]}
        case NoInput():
            return {"silent": True}


def input_of(stored: JsonObject) -> TurnInput:
    """The inverse of `input_json`."""
    if "event" in stored:
        return EventInput(stored["event"])
    if "text" in stored:
        return TextInput(stored["text"])
    if _RESULTS in stored:
        return ToolResultsInput(tuple(_result_of(result) for result in stored[_RESULTS]))
    return NoInput() if "silent" in stored else _result_of(stored)


def results_of(turn_input: TurnInput) -> tuple[ToolResultInput, ...]:
    """The results that an input brings; empty for all others."""
    if isinstance(turn_input, ToolResultsInput):
        return turn_input.results
    return (turn_input,) if isinstance(turn_input, ToolResultInput) else ()


def _result_json(result: ToolResultInput) -> JsonObject:
    return {
        "tool": result.tool,
        "action": result.action,
        "call": result.call_id,
        "output": result.output,
        "error": result.error,
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
