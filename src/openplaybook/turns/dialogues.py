"""Examples as the model sees them: tools and playbooks under the names it may call."""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, Entry, ExampleDialogue, FunctionCall, FunctionResult, UserText
from openplaybook.resources.compiled import (
    Example,
    ExampleAgent,
    ExampleEntry,
    ExamplePlaybookCall,
    ExampleToolUse,
    ExampleUser,
)


def dialogue_of(
    example: Example,
    tool_ids: Mapping[str, str],
    functions: Mapping[tuple[str, str], str],
    playbook_ids: Mapping[str, str],
    children: Mapping[str, str],
) -> ExampleDialogue | None:
    """The dialogue of an example; None when it is never to be shown, or calls what cannot be called here.

    `tool_ids` and `playbook_ids` give resource names by display name, `functions` model-facing names by
    (tool, action), `children` model-facing names by playbook.
    """
    if example.strategy == "NEVER":
        return None
    entries: list[Entry] = []
    for number, entry in enumerate(example.entries, 1):
        told = _entries(entry, f"example-{number}", tool_ids, functions, playbook_ids, children)
        if told is None:
            return None
        entries.extend(told)
    return ExampleDialogue(
        display_name=example.display_name,
        entries=tuple(entries),
        end_state=example.end_state,
        inputs=example.inputs,
        outputs=example.outputs,
        summary=example.preceding_summary,
        execution_summary=example.execution_summary,
        is_static=example.strategy == "STATIC",
    )


def _entries(
    entry: ExampleEntry,
    call_id: str,
    tool_ids: Mapping[str, str],
    functions: Mapping[tuple[str, str], str],
    playbook_ids: Mapping[str, str],
    children: Mapping[str, str],
) -> list[Entry] | None:
    match entry:
        case ExampleUser(text):
            return [UserText(text)]
        case ExampleAgent(text):
            return [AgentText(text)]
        case ExampleToolUse(tool, action, arguments, output):
            return _call(functions.get((tool_ids.get(tool, tool), action)), call_id, arguments, output)
        case ExamplePlaybookCall(playbook, arguments, output):
            return _call(children.get(playbook_ids.get(playbook, playbook)), call_id, arguments, output)


def _call(name: str | None, call_id: str, arguments: JsonObject, output: JsonObject) -> list[Entry] | None:
    if name is None:
        return None
    return [FunctionCall(call_id, name, arguments), FunctionResult(call_id, name, output)]
