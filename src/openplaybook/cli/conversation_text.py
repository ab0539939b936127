"""Conversations of the past as a person reads them."""

from collections.abc import Iterator

import typer

from openplaybook.cli.chat.arriving import images_of, without_contents
from openplaybook.cli.output import harmless, json_text
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_SHOWN = 300
"""Characters of a tool's input and of its output."""


def row(conversation: JsonObject) -> tuple[str, str, str, str, str]:
    """A conversation in one line: when it began, how long it lasted, its turns, its language, its id."""
    return (
        str(conversation.get("startTime", ""))[:19].replace("T", " "),
        _lasted(str(conversation.get("duration", "0s"))),
        str(as_object(conversation.get("metrics")).get("interactionCount", 0)),
        str(conversation.get("languageCode", "")),
        str(conversation["name"]).rsplit("/", 1)[-1],
    )


def _lasted(duration: str) -> str:
    """A `Duration` in the unit that a person would take: `4ms`, `12.3s`, `5m 7s`, `2h 3m`."""
    seconds = float(duration.removesuffix("s"))
    if seconds < 1:
        return f"{seconds * 1000:.0f}ms"
    if round(seconds, 1) < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}m {rest}s" if minutes < 60 else f"{minutes // 60}h {minutes % 60}m"


def show(conversation: JsonObject) -> None:
    """Print a conversation with its interactions, the first of them first."""
    began, lasted, turns, language, id_ = row(conversation)
    typer.secho(
        f"{harmless(id_)}  {began} UTC, {lasted}, {turns} turn{'' if turns == '1' else 's'}, {language}", bold=True
    )
    for interaction in reversed(as_list(conversation.get("interactions"))):
        _show_interaction(as_object(interaction))


def _show_interaction(interaction: JsonObject) -> None:
    time = str(interaction.get("createTime", ""))[11:19]
    _line("cyan", f"{time} user:", _asked(as_object(interaction.get("request"))))
    responses = [*as_list(interaction.get("partialResponses")), interaction.get("response")]
    for result in [as_object(as_object(response).get("queryResult")) for response in responses if response]:
        for action in _actions(result):
            _show_tool(as_object(action.get("toolUse")), as_object(as_object(action.get("status")).get("exception")))
        for notice in as_list(as_object(result.get("diagnosticInfo")).get("Notices")):
            _line("yellow", "         notice:", str(notice))
        for message in as_list(result.get("responseMessages")):
            _show_message(as_object(message))
    if "response" not in interaction:
        _line("red", "         cut short:", "the client was told of an error")


def _asked(request: JsonObject) -> str:
    """What a request brought."""
    given = as_object(request.get("queryInput"))
    if "text" in given:
        return str(as_object(given["text"]).get("text", ""))
    if "event" in given:
        return f"[event {as_object(given['event']).get('event', '')}]"
    result = as_object(given.get("toolCallResult"))
    outcome: JsonValue = result.get("error") or result.get("outputParameters")
    return f"[result of {result.get('action')}] {_short(outcome)}"


def _actions(result: JsonObject) -> Iterator[JsonObject]:
    """The tool calls of a turn that ended in it."""
    for block in as_list(result.get("traceBlocks")):
        for action in map(as_object, as_list(as_object(block).get("actions"))):
            if "toolUse" in action and "completeTime" in action:
                yield action


def _show_tool(use: JsonObject, failure: JsonObject) -> None:
    name = f"{use.get('displayName') or use.get('tool')}.{use.get('action')}"
    outcome = failure.get("errorMessage") or _short(without_contents(as_object(use.get("outputActionParameters"))))
    _line(None, f"         {name}", f"{_short(use.get('inputActionParameters'))} -> {outcome}")


def _show_message(message: JsonObject) -> None:
    texts = as_list(as_object(message.get("text")).get("text"))
    if texts:
        _line("green", "         agent:", "".join(map(str, texts)))
    elif "toolCall" in message:
        call = as_object(message["toolCall"])
        _line("green", "         asks:", f"{call.get('action')} {_short(call.get('inputParameters'))}")
    elif images := [image.told() for image in images_of(message)]:
        _line("green", "         sends:", " ".join(images))
    else:
        _line("green", "         sends:", _short({key: value for key, value in message.items() if key != "source"}))


def _short(value: JsonValue) -> str:
    text = json_text(as_object(value), sort_keys=True)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _line(colour: str | None, label: str, text: str) -> None:
    typer.secho(harmless(label), fg=colour, dim=colour is None, nl=False)
    typer.secho(f" {harmless(text)}", dim=colour is None)
