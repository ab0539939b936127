"""Examples of CX Agent Studio: conversations in chunks, as the few-shot examples of the agents that take part in them.

A conversation that is transferred is an example of each agent it passes through: that of the first ends with the
transfer, that of the next begins with the user's words that led to it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.call_spellings import FactsLookup, canonical_arguments, canonical_output, nothing_known
from openplaybook.resources.ces.app_directory import AppDirectory, DirectoryEntry, EntryKind
from openplaybook.resources.ces.system_tools import END_SESSION, ESCALATED, REASON, TRANSFER_TO_AGENT
from openplaybook.resources.compiled_forms import (
    Example,
    ExampleAgent,
    ExampleEntry,
    ExamplePlaybookCall,
    ExampleToolUse,
    ExampleUser,
)
from openplaybook.resources.findings import CallCheck, Finding, Severity, Sink, discard, unchecked

ActionLookup: TypeAlias = Callable[[DirectoryEntry], str]
"""From a tool, or an operation of a toolset, to the action's own name; empty where there is no such action."""

_LEFT_OUT = ("blob", "image", "payload")


def no_actions(target: DirectoryEntry) -> str:
    """The lookup of callers that know no tools: an operation is taken for the action it names."""
    return target.operation


@dataclass(frozen=True, slots=True)
class CallLookups:
    """What is known of the tools that examples call; nothing by default."""

    actions: ActionLookup = no_actions
    facts: FactsLookup = nothing_known
    check: CallCheck = unchecked


NO_CALLS = CallLookups()


def compile_example(
    document: JsonObject,
    root_agent: str,
    directory: AppDirectory,
    actions: ActionLookup = no_actions,
    facts: FactsLookup = nothing_known,
    report: Sink = discard,
    check: CallCheck = unchecked,
) -> tuple[Example, ...]:
    """The examples that an `Example` (v1beta JSON) gives; none where it is marked as invalid.

    Without an entry agent it is the root agent's. Never raises: what cannot be shown, and what `check` finds wrong
    with tool calls, goes to `report`.
    """
    if document.get("invalid"):
        report(Finding("$.invalid", "refers to what was deleted; it is not used", Severity.REMARK))
        return ()
    entry_agent = str(document.get("entryAgent") or "")
    agent = directory.agent(entry_agent) if entry_agent else root_agent
    if not agent:
        report(Finding("$.entryAgent", f"{entry_agent!r} is not an agent of the app", Severity.ERROR))
        return ()
    reading = _Reading(directory, actions, facts, report, check, _responses(document))
    parts = [_Part(agent)]
    for path, role, chunk in _chunks(document):
        if parts[-1].end_state:
            break
        _read(chunk, path, role, reading, parts)
    return tuple(_example(document, part) for part in parts if part.entries)


def tools_called(document: JsonObject, directory: AppDirectory) -> set[str]:
    """Resource names of the tools and toolsets that an `Example` (v1beta JSON) calls."""
    calls = (as_object(chunk["toolCall"]) for _, _, chunk in _chunks(document) if "toolCall" in chunk)
    targets = (directory.tool(_identified(call)[0]) for call in calls)
    return {each.name for each in targets if each is not None and each.kind in (EntryKind.TOOL, EntryKind.TOOLSET)}


@dataclass(slots=True)
class _Part:
    """What one agent has of the conversation."""

    agent: str
    entries: list[ExampleEntry] = field(default_factory=list[ExampleEntry])
    variables: JsonObject = field(default_factory=dict[str, JsonValue])
    end_state: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class _Reading:
    directory: AppDirectory
    actions: ActionLookup
    facts: FactsLookup
    report: Sink
    check: CallCheck
    responses: dict[str, JsonObject]
    """By call id; by the tool's name where the response has none."""


def _example(document: JsonObject, part: _Part) -> Example:
    return Example(
        name=str(document.get("name") or ""),
        display_name=str(document.get("displayName") or ""),
        playbook=part.agent,
        language_code="",
        strategy="DEFAULT",
        entries=tuple(part.entries),
        inputs=part.variables,
        execution_summary=part.summary,
        end_state=part.end_state,
    )


def _chunks(document: JsonObject) -> Iterator[tuple[str, str, JsonObject]]:
    """JSON path, role and chunk, in order."""
    for number, message in enumerate(map(as_object, as_list(document.get("messages")))):
        for index, chunk in enumerate(map(as_object, as_list(message.get("chunks")))):
            yield f"$.messages[{number}].chunks[{index}]", str(message.get("role") or "").casefold(), chunk


def _responses(document: JsonObject) -> dict[str, JsonObject]:
    responses = (as_object(chunk["toolResponse"]) for _, _, chunk in _chunks(document) if "toolResponse" in chunk)
    return {_key(each): as_object(each.get("response")) for each in responses}


def _key(call: JsonObject) -> str:
    return str(call.get("id") or "") or str(_identified(call))


def _identified(call: JsonObject) -> tuple[str, str]:
    """The tool or toolset of a call, and the toolset's operation, as they stand there."""
    toolset = as_object(call.get("toolsetTool"))
    if toolset:
        return str(toolset.get("toolset") or ""), str(toolset.get("toolId") or "")
    return str(call.get("tool") or call.get("displayName") or ""), ""


def _read(chunk: JsonObject, path: str, role: str, reading: _Reading, parts: list[_Part]) -> None:
    """Add what a chunk shows to the part it belongs to, or begin another agent's."""
    part = parts[-1]
    text = chunk.get("text") or chunk.get("transcript")
    if isinstance(text, str) and text.strip():
        part.entries.append(ExampleUser(text) if role == "user" else ExampleAgent(text))
    elif "toolCall" in chunk:
        _read_call(as_object(chunk["toolCall"]), f"{path}.toolCall", reading, parts)
    elif "agentTransfer" in chunk:
        target = str(as_object(chunk["agentTransfer"]).get("targetAgent") or "")
        _transfer(target, f"{path}.agentTransfer.targetAgent", reading, parts)
    elif "defaultVariables" in chunk:
        part.variables |= as_object(chunk["defaultVariables"])
    elif any(kind in chunk for kind in _LEFT_OUT):
        reading.report(Finding(path, "is not text and is left out", Severity.REMARK))


def _read_call(call: JsonObject, path: str, reading: _Reading, parts: list[_Part]) -> None:
    name, operation = _identified(call)
    arguments = as_object(call.get("args"))
    target = reading.directory.tool(name)
    if target is None:
        reading.report(Finding(path, f"calls {name!r}, which is not a tool of the app", Severity.ERROR))
        # Kept, so that the example is not shown: without the call it would teach to answer without it.
        parts[-1].entries.append(ExampleToolUse(name, operation, arguments, {}))
    elif target.kind is not EntryKind.SYSTEM_TOOL:
        target = replace(target, operation=operation or target.operation)
        parts[-1].entries.append(_use(target, call, path, reading))
    elif target.name == END_SESSION:
        parts[-1].end_state = "ESCALATED" if arguments.get(ESCALATED) else "OK"
        parts[-1].summary = str(arguments.get(REASON) or "")
    elif target.name == TRANSFER_TO_AGENT:
        agent = str(arguments.get("agent") or arguments.get("agent_name") or "")
        _transfer(agent, f"{path}.args.agent", reading, parts)


def _use(target: DirectoryEntry, call: JsonObject, path: str, reading: _Reading) -> ExampleToolUse:
    action = reading.actions(target)
    facts = reading.facts(target.name, action)
    arguments = canonical_arguments(action, as_object(call.get("args")), facts)
    for fault in reading.check(target.name, action, arguments) if action else ():
        named = "toolsetTool.toolId" if "toolsetTool" in call else "tool"
        severity = Severity.ERROR if fault.is_no_action else Severity.WARNING
        reading.report(Finding(f"{path}.{named if fault.is_no_action else 'args'}", fault.message, severity))
    output = _result(reading.responses.get(_key(call), {}))
    return ExampleToolUse(target.name, action, arguments, canonical_output(action, output, facts))


def _result(response: JsonObject) -> JsonObject:
    """What a tool gave: `output` or `error` of its response where it has one of them, else all of it."""
    if "output" in response:
        output = response["output"]
        return as_object(output) if isinstance(output, dict) else {"result": output}
    return {"error": response["error"]} if "error" in response else response


def _transfer(target: str, path: str, reading: _Reading, parts: list[_Part]) -> None:
    agent = reading.directory.agent(target)
    if agent is None:
        reading.report(Finding(path, f"{target!r} is not an agent of the app", Severity.ERROR))
        parts[-1].entries.append(ExamplePlaybookCall(target, {}, {}))
    elif agent != parts[-1].agent:
        last_words = next((each for each in reversed(parts[-1].entries) if isinstance(each, ExampleUser)), None)
        parts[-1].entries.append(ExamplePlaybookCall(agent, {}, {}))
        parts.append(_Part(agent, [] if last_words is None else [last_words]))
