"""Conversations of the past as a person reads them."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import typer

from openplaybook.cli.chat.chat_files import images_of, without_contents
from openplaybook.cli.chat.chat_session import ends_conversation
from openplaybook.cli.chat.handovers import Handover, handover_in, handovers_in, models_in
from openplaybook.cli.output import harmless, json_text
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_SHOWN = 300
"""Characters of a tool's input and of its output."""


def row(conversation: JsonObject) -> tuple[str, str, str, str, str]:
    """A conversation in one line: when it began, how long it lasted, its turns, its language, its id."""
    turns = conversation.get("turnCount", as_object(conversation.get("metrics")).get("interactionCount", 0))
    return (
        str(conversation.get("startTime", ""))[:19].replace("T", " "),
        _lasted(_seconds(conversation)),
        str(turns),
        str(conversation.get("languageCode", "")),
        str(conversation["name"]).rsplit("/", 1)[-1],
    )


def _seconds(conversation: JsonObject) -> float:
    """How long it lasted: of those with apps the API tells when they began and ended."""
    if "endTime" in conversation:
        began, ended = (
            datetime.fromisoformat(str(conversation[field]).replace("Z", "+00:00"))
            for field in ("startTime", "endTime")
        )
        return (ended - began).total_seconds()
    return float(str(conversation.get("duration", "0s")).removesuffix("s"))


def _lasted(seconds: float) -> str:
    """A time in the unit that a person would take: `4ms`, `12.3s`, `5m 7s`, `2h 3m`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f}ms"
    if round(seconds, 1) < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}m {rest}s" if minutes < 60 else f"{minutes // 60}h {minutes % 60}m"


def show(conversation: JsonObject) -> None:
    """Print a conversation with its interactions, the first of them first."""
    began, lasted, turns, language, id_ = row(conversation)
    interactions = [as_object(each) for each in reversed(as_list(conversation.get("interactions")))]
    results = (result for each in interactions for result in _results(each))
    models = models_in(action for result in results for action in _actions(result))
    counted = f"{turns} turn{'' if turns == '1' else 's'}"
    print_head(id_, f"{began} UTC, {lasted}, {counted}, {language}", models)
    speaker = ""
    for interaction in interactions:
        speaker = _show_interaction(interaction, speaker)


def print_head(id_: str, facts: str, models: Sequence[str]) -> None:
    """Print the line above a conversation: its id, what is known of the whole, and the models that decided in it."""
    head = f"{facts}, model {' and '.join(models)}" if models else facts
    typer.secho(harmless(f"{id_}  {head}"), bold=True)


def _show_interaction(interaction: JsonObject, speaker: str) -> str:
    time = str(interaction.get("createTime", ""))[11:19]
    print_line("cyan", f"{time} user:", _asked(as_object(interaction.get("request"))))
    for result in _results(interaction):
        speaker = _show_result(result, speaker)
    if "response" not in interaction:
        print_line("red", "         cut short:", "the client got an error")
    return speaker


def _show_result(result: JsonObject, speaker: str) -> str:
    """Print what an answer tells, in order; who spoke last, where it was `speaker` before."""
    messages = [as_object(message) for message in as_list(result.get("responseMessages"))]
    has_ended = any(map(ends_conversation, messages))
    handovers = iter(handovers_in(_actions(result), has_ended=has_ended))
    for block in map(as_object, as_list(result.get("traceBlocks"))):
        title = str(as_object(block.get("playbookTraceMetadata")).get("displayName", ""))
        for action in map(as_object, as_list(block.get("actions"))):
            speaker = _show_action(action, title, speaker, handovers)
    for notice in as_list(as_object(result.get("diagnosticInfo")).get("Notices")):
        print_line("yellow", "         notice:", str(notice))
    for message in messages:
        if "text" not in message:
            _show_message(message)
    return speaker


def _show_action(action: JsonObject, playbook: str, speaker: str, handovers: Iterator[Handover]) -> str:
    """Print a step of a playbook; who spoke last, where it was `speaker` before."""
    if "agentUtterance" in action:
        is_other = speaker not in ("", playbook)
        who = f"agent ({playbook}):" if is_other else "agent:"
        print_line("green", f"         {who}", str(as_object(action["agentUtterance"]).get("text", "")))
        return playbook
    # A call that has no end yet is the client's: it is a message.
    if "toolUse" in action and "completeTime" in action:
        failure = as_object(as_object(action.get("status")).get("exception"))
        _show_tool(as_object(action["toolUse"]), failure)
    elif handover_in(action) is not None and (handover := next(handovers, None)) is not None:
        print_line("cyan", "        ", handover.line())
    return speaker


def _results(interaction: JsonObject) -> Iterator[JsonObject]:
    """What was answered, piece by piece where the turn was cut short."""
    for response in (*as_list(interaction.get("partialResponses")), interaction.get("response")):
        if response:
            yield as_object(as_object(response).get("queryResult"))


def _asked(request: JsonObject) -> str:
    """What a request brought."""
    query_input = as_object(request.get("queryInput"))
    if "text" in query_input:
        return str(as_object(query_input["text"]).get("text", ""))
    if "event" in query_input:
        return f"[event {as_object(query_input['event']).get('event', '')}]"
    result = as_object(query_input.get("toolCallResult"))
    outcome: JsonValue = result.get("error") or result.get("outputParameters")
    return f"[result of {result.get('action')}] {shortened(outcome)}"


def _actions(result: JsonObject) -> Iterator[JsonObject]:
    """What was done in a turn, in order."""
    for block in as_list(result.get("traceBlocks")):
        yield from map(as_object, as_list(as_object(block).get("actions")))


def _show_tool(use: JsonObject, failure: JsonObject) -> None:
    name = f"{use.get('displayName') or use.get('tool')}.{use.get('action')}"
    outcome = failure.get("errorMessage") or shortened(without_contents(as_object(use.get("outputActionParameters"))))
    print_line(None, f"         {name}", f"{shortened(use.get('inputActionParameters'))} -> {outcome}")


def _show_message(message: JsonObject) -> None:
    if "toolCall" in message:
        call = as_object(message["toolCall"])
        print_line("green", "         asks:", f"{call.get('action')} {shortened(call.get('inputParameters'))}")
    elif images := [image.label() for image in images_of(message)]:
        print_line("green", "         sends:", " ".join(images))
    else:
        print_line(
            "green", "         sends:", shortened({key: value for key, value in message.items() if key != "source"})
        )


def shortened(value: JsonValue) -> str:
    """An object as JSON, cut where it is long."""
    text = json_text(as_object(value), sort_keys=True)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def print_line(colour: str | None, label: str, text: str) -> None:
    """Print one thing that happened; without a colour it is dimmed."""
    typer.secho(harmless(label), fg=colour, dim=colour is None, nl=False)
    typer.secho(f" {harmless(text)}", dim=colour is None)
