"""What was said before, as a request brings it: kept in the journal, and digested so that equal requests are one."""

import hashlib
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, dumps_sorted
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, UserText


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
