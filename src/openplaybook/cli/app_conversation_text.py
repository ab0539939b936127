"""Conversations with apps of CX Agent Studio as a person reads them."""

from collections.abc import Iterator, Sequence

from openplaybook.cli.chat.app_chat import USER_ROLE, output_of, tool_names, transfer_of
from openplaybook.cli.chat.handovers import models_in_span
from openplaybook.cli.conversation_text import print_head, print_line, row, shortened
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.ces.system_tools import END_SESSION

_MARGIN = " " * 8


def show_app_conversation(conversation: JsonObject) -> None:
    """Print a conversation with its turns, in their order."""
    began, lasted, count, language, id_ = row(conversation)
    turns = [as_object(turn) for turn in as_list(conversation.get("turns"))]
    models = dict.fromkeys(name for turn in turns for name in models_in_span(as_object(turn.get("rootSpan"))))
    counted = f"{count} turn{'' if count == '1' else 's'}"
    print_head(id_, ", ".join(filter(None, (f"{began} UTC", lasted, counted, language))), [*models])
    for turn in turns:
        _show_turn([as_object(message) for message in as_list(turn.get("messages"))])


def _show_turn(messages: Sequence[JsonObject]) -> None:
    results = {str(each.get("id")): each for each in _members(messages, "toolResponse")}
    calls = {str(each.get("id")) for each in _members(messages, "toolCall")}
    for message in messages:
        role, time = str(message.get("role", "")), str(message.get("eventTime", ""))[11:19]
        for chunk in map(as_object, as_list(message.get("chunks"))):
            if role == USER_ROLE:
                _show_given(time, chunk)
            elif as_object(chunk.get("toolResponse")).get("id") not in calls:
                _show_done(role, chunk, results)


def _members(messages: Sequence[JsonObject], kind: str) -> Iterator[JsonObject]:
    for message in messages:
        yield from (as_object(chunk[kind]) for chunk in map(as_object, as_list(message.get("chunks"))) if kind in chunk)


def _show_given(time: str, chunk: JsonObject) -> None:
    """What came from the user, or from the client that acts for them."""
    response = as_object(chunk.get("toolResponse"))
    if "text" in chunk or "transcript" in chunk:
        text = str(chunk.get("text") or chunk.get("transcript"))
    elif response:
        text = f"[result of {tool_names(response)[1]}] {_outcome(response)}"
    else:
        text = f"[{_kind(chunk)}] {_short_chunk(chunk)}"
    print_line("cyan", f"{time} user:", text)


def _show_done(role: str, chunk: JsonObject, results: dict[str, JsonObject]) -> None:
    """What an agent said or did; a call is shown with its result, which is told later."""
    call, transfer = as_object(chunk.get("toolCall")), as_object(chunk.get("agentTransfer"))
    if "text" in chunk or "transcript" in chunk:
        print_line("green", f"{_MARGIN} {role}:", str(chunk.get("text") or chunk.get("transcript")))
    elif transfer:
        print_line("cyan", _MARGIN, transfer_of(transfer).line())
    elif call and (result := results.get(str(call.get("id")))):
        print_line(None, f"{_MARGIN} {_called(call)}", f"{shortened(call.get('args'))} -> {_outcome(result)}")
    elif call:
        print_line(
            "green",
            f"{_MARGIN} {'ends' if tool_names(call)[1] == END_SESSION else 'asks'}:",
            f"{_called(call)} {shortened(call.get('args'))}",
        )
    elif "updatedVariables" in chunk:
        print_line(None, f"{_MARGIN} sets", shortened(chunk["updatedVariables"]))
    else:
        print_line("green", f"{_MARGIN} sends:", _short_chunk(chunk))


def _called(call: JsonObject) -> str:
    tool, action = tool_names(call)
    return tool if tool == action else f"{tool}.{action}"


def _outcome(response: JsonObject) -> str:
    outcome = as_object(response.get("response"))
    return str(outcome["error"]) if "error" in outcome else shortened(output_of(outcome))


def _kind(chunk: JsonObject) -> str:
    return next(iter(chunk), "nothing")


def _short_chunk(chunk: JsonObject) -> str:
    """What it holds; of files not the contents."""
    blob = as_object(chunk.get("blob") or chunk.get("image"))
    if blob:
        return str(blob.get("mimeType", ""))
    return shortened(chunk.get(_kind(chunk)))
