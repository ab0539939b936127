"""Examples as the engine reads them, from stored v3beta1 JSON or any older export."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.call_spellings import FactsLookup, canonical_arguments, canonical_output, nothing_known
from openplaybook.resources.compiled_forms import (
    Example,
    ExampleAgent,
    ExampleEntry,
    ExamplePlaybookCall,
    ExampleToolUse,
    ExampleUser,
)
from openplaybook.resources.findings import CallCheck, Finding, Severity, Sink, discard, unchecked

_STATES = ("OK", "CANCELLED", "FAILED", "ESCALATED", "PENDING")
_STRATEGIES = ("DEFAULT", "STATIC", "NEVER")
_INPUTS = ("inputActionParameters", "inputParameters")
"""Where a tool use has its arguments."""


def compile_example(
    resource: JsonObject,
    playbook: str,
    facts: FactsLookup = nothing_known,
    report: Sink = discard,
    check: CallCheck = unchecked,
) -> Example:
    """The example that a stored resource describes, belonging to the playbook of resource name `playbook`.

    `facts` tells apart spellings that only the tool's kind or its declared parameters can tell apart; what `check`
    finds wrong with tool calls goes to `report`. Never raises for what the resource holds.
    """
    inputs, outputs = as_object(resource.get("playbookInput")), as_object(resource.get("playbookOutput"))
    return Example(
        name=_text(resource.get("name")),
        display_name=_text(resource.get("displayName")),
        playbook=playbook,
        language_code=_text(resource.get("languageCode")),
        strategy=_strategy(resource.get("retrievalStrategy"), report),
        entries=tuple(_entries(resource.get("actions"), _Reading(facts, report, check))),
        inputs=read_values(inputs, ("actionParameters", "parameters"), "$.playbookInput", report),
        outputs=read_values(outputs, ("actionParameters", "parameters"), "$.playbookOutput", report),
        preceding_summary=_text(inputs.get("precedingConversationSummary")),
        execution_summary=_text(outputs.get("executionSummary")),
        end_state=_end_state(resource, report),
    )


def read_values(holder: JsonObject, keys: tuple[str, ...], path: str, report: Sink = discard) -> JsonObject:
    """Named values of `holder` under the first of `keys` that has any.

    Both forms are read: an object, and a list of `{name, value}`. Exports often hold the same values twice.
    """
    for key in keys:
        value = holder.get(key)
        if isinstance(value, dict) and value:
            return as_object(value)
        if isinstance(value, list) and value:
            return _named_values(as_list(value), f"{path}.{key}", report)
        if value not in (None, {}, []):
            report(Finding(f"{path}.{key}", "is neither an object nor a list of name and value", Severity.ERROR))
    return {}


def _named_values(items: list[JsonValue], path: str, report: Sink) -> JsonObject:
    values: JsonObject = {}
    for index, value in enumerate(items):
        item = as_object(value)
        name = item.get("name")
        if not isinstance(name, str) or not name:
            report(Finding(f"{path}[{index}]", "has no name and is left out", Severity.ERROR))
        elif name in values:
            report(Finding(f"{path}[{index}].name", f"{name!r} is given twice; the first value stays", Severity.ERROR))
        else:
            values[name] = item.get("value")
    return values


@dataclass(frozen=True, slots=True)
class _Reading:
    facts: FactsLookup
    report: Sink
    check: CallCheck


def _entries(actions: JsonValue, reading: _Reading) -> Iterator[ExampleEntry]:
    for index, value in enumerate(as_list(actions)):
        action, path = as_object(value), f"$.actions[{index}]"
        kind = next((key for key in _READERS if key in action), None)
        if kind is not None:
            entry = _READERS[kind](as_object(action[kind]), f"{path}.{kind}", reading)
            if entry is not None:
                yield entry
        elif "flowInvocation" in action:
            reading.report(Finding(f"{path}.flowInvocation", "flows are not run; left out", Severity.REMARK))
        else:
            reading.report(Finding(path, f"is not an action that examples can show; left out (known: {_KNOWN})"))


def _read_user(value: JsonObject, path: str, reading: _Reading) -> ExampleEntry | None:
    text = _utterance(value, path, reading)
    return None if text is None else ExampleUser(text)


def _read_agent(value: JsonObject, path: str, reading: _Reading) -> ExampleEntry | None:
    text = _utterance(value, path, reading)
    return None if text is None else ExampleAgent(text)


def _utterance(value: JsonObject, path: str, reading: _Reading) -> str | None:
    text = value.get("text")
    if not isinstance(text, str) or not text.strip():
        reading.report(Finding(path, "has no text and is left out"))
        return None
    return text


def _read_tool_use(value: JsonObject, path: str, reading: _Reading) -> ExampleEntry | None:
    tool, action = _text(value.get("tool")), _text(value.get("action"))
    if not tool:
        reading.report(Finding(f"{path}.tool", "names no tool; the action is left out", Severity.ERROR))
        return None
    if not action:
        reading.report(Finding(f"{path}.action", "names no action"))
    facts = reading.facts(tool, action)
    named_inputs = read_values(value, _INPUTS, path, reading.report)
    output = read_values(value, ("outputActionParameters", "outputParameters"), path, reading.report)
    arguments = canonical_arguments(action, named_inputs, facts)
    for fault in reading.check(tool, action, arguments) if action else ():
        inputs = next((key for key in _INPUTS if value.get(key)), _INPUTS[0])
        severity = Severity.ERROR if fault.is_no_action else Severity.WARNING
        reading.report(Finding(f"{path}.{'action' if fault.is_no_action else inputs}", fault.message, severity))
    return ExampleToolUse(tool, action, arguments, canonical_output(action, output, facts))


def _read_playbook_call(value: JsonObject, path: str, reading: _Reading) -> ExampleEntry | None:
    playbook = _text(value.get("playbook"))
    if not playbook:
        reading.report(Finding(f"{path}.playbook", "names no playbook; the action is left out", Severity.ERROR))
        return None
    keys = ("actionParameters", "parameters")
    inputs, outputs = as_object(value.get("playbookInput")), as_object(value.get("playbookOutput"))
    return ExamplePlaybookCall(
        playbook,
        read_values(inputs, keys, f"{path}.playbookInput", reading.report),
        read_values(outputs, keys, f"{path}.playbookOutput", reading.report),
    )


def _read_transition(value: JsonObject, path: str, reading: _Reading) -> ExampleEntry | None:
    playbook = _text(value.get("playbook"))
    if not playbook:
        reading.report(Finding(f"{path}.playbook", "names no playbook; the action is left out", Severity.ERROR))
        return None
    return ExamplePlaybookCall(playbook, read_values(value, ("inputActionParameters",), path, reading.report), {})


_READERS: dict[str, Callable[[JsonObject, str, _Reading], ExampleEntry | None]] = {
    "userUtterance": _read_user,
    "agentUtterance": _read_agent,
    "toolUse": _read_tool_use,
    "playbookInvocation": _read_playbook_call,
    "playbookTransition": _read_transition,
}
_KNOWN = ", ".join(_READERS)


def _strategy(value: JsonValue, report: Sink) -> str:
    name = "DEFAULT" if value is None else _text(value).removeprefix("RETRIEVAL_STRATEGY_")
    if name in _STRATEGIES:
        return name
    if name != "UNSPECIFIED":
        report(Finding("$.retrievalStrategy", f"{value!r} is not a strategy (known: {', '.join(_STRATEGIES)})"))
    return "DEFAULT"


def _end_state(resource: JsonObject, report: Sink) -> str:
    """The end state: `conversationState`, or where older exports have it, `playbookOutput.state`."""
    output = as_object(resource.get("playbookOutput"))
    for path, value in (
        ("conversationState", resource.get("conversationState")),
        ("playbookOutput.state", output.get("state")),
    ):
        name = _text(value).removeprefix("OUTPUT_STATE_")
        if name in _STATES:
            return name
        if value is not None and not name.endswith("UNSPECIFIED"):
            report(Finding(f"$.{path}", f"{value!r} is not an end state (known: {', '.join(_STATES)})"))
    return ""


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
