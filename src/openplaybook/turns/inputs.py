"""Inputs of requests as the journal keeps them, there and back.

What has a `text` begins a turn of its own; what has none goes on with the one that is paused.
"""

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.base import EventInput, NoInput, TextInput, ToolResultInput, ToolResultsInput, TurnInput

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
