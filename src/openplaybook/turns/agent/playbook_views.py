"""A playbook joined with all it may call, and what an agent is made of, whichever of Google's services describes it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import (
    AgentText,
    Entry,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    UserText,
)
from openplaybook.resources.compiled_forms import (
    Example,
    ExampleAgent,
    ExampleEntry,
    ExamplePlaybookCall,
    ExampleToolUse,
    ExampleUser,
    InstructionStep,
    LlmSettings,
    Playbook,
    ReferenceKind,
)
from openplaybook.tools.action_names import unique_names
from openplaybook.tools.base import NO_AGENT, AgentScope, Tool
from openplaybook.turns.agent.declarations import (
    can_end_conversation,
    close_declaration,
    end_declaration,
    free_name,
    playbook_declaration,
    tool_declaration,
)
from openplaybook.turns.agent.snapshot import NO_CLIENT_EXECUTION, ClientExecution, PlaybookView


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
        dialogue = _entries(entry, f"example-{number}", tool_ids, functions, playbook_ids, children)
        if dialogue is None:
            return None
        entries.extend(dialogue)
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
        case ExampleToolUse(_, _, arguments, output) | ExamplePlaybookCall(_, arguments, output):
            name = _called(entry, tool_ids, functions, playbook_ids, children)
            if name is None:
                return None
            return [FunctionCall(call_id, name, arguments), FunctionResult(call_id, name, output)]


def _called(
    entry: ExampleToolUse | ExamplePlaybookCall,
    tool_ids: Mapping[str, str],
    functions: Mapping[tuple[str, str], str],
    playbook_ids: Mapping[str, str],
    children: Mapping[str, str],
) -> str | None:
    """Model-facing name of what an example calls; None where it cannot be called."""
    if isinstance(entry, ExampleToolUse):
        return functions.get((tool_ids.get(entry.tool, entry.tool), entry.action))
    return children.get(playbook_ids.get(entry.playbook, entry.playbook))


@dataclass(frozen=True, slots=True)
class AgentParts:
    """The compiled resources of one agent, and how they name each other."""

    playbooks: Mapping[str, Playbook]
    """By resource name."""
    examples: Mapping[str, Sequence[Example]]
    """By resource name of the playbook."""
    tools: Mapping[str, Tool]
    """By resource name."""
    unusable_tools: Mapping[str, str]
    """Why a tool cannot be compiled, by resource name."""
    playbook_ids: Mapping[str, str]
    """Resource name by display name."""
    tool_ids: Mapping[str, str]
    """Resource name by display name."""


def view_of_playbook(playbook: Playbook, parts: AgentParts) -> PlaybookView:
    """A playbook joined with all it may call: what its instructions name, and what is attached to it."""
    references = list(references_in(playbook.steps))
    wanted = _wanted(references, ReferenceKind.TOOL, parts.tool_ids, playbook.referenced_tools)
    tools = [name for name in wanted if name in parts.tools]
    called = _wanted(references, ReferenceKind.PLAYBOOK, parts.playbook_ids, playbook.referenced_playbooks)
    children = [name for name in called if name in parts.playbooks]
    offered = [action for tool in tools for action in parts.tools[tool].actions()]
    actions = unique_names(offered)
    names = names_of_playbooks(children, parts, set(actions))
    end_name = free_name("end_playbook", {*actions, *names})
    declarations = (
        *(tool_declaration(name, action) for name, action in actions.items()),
        *(playbook_declaration(name, parts.playbooks[child]) for name, child in names.items()),
    )
    may_end = can_end_conversation(playbook, parts.examples.get(playbook.name, ()))
    close_name = free_name("end_conversation", {*actions, *names}) if may_end else ""
    functions = {(action.tool, action.action): name for name, action in actions.items()}
    return PlaybookView(
        playbook=playbook,
        declarations=(*declarations, close_declaration(close_name, playbook)) if may_end else declarations,
        declarations_with_end=(*declarations, end_declaration(end_name, playbook)),
        actions=actions,
        children=names,
        end_name=end_name,
        close_name=close_name,
        transitions=frozenset(child for child in children if playbook.is_routine and parts.playbooks[child].is_routine),
        unusable_tools={name: parts.unusable_tools[name] for name in wanted if name in parts.unusable_tools},
        examples=tuple(dialogues_of(playbook, parts, functions, {child: name for name, child in names.items()})),
        callable=actions,
        unusable_examples=unusable_examples(playbook, parts, functions, {child: name for name, child in names.items()}),
    )


def references_in(steps: Iterable[InstructionStep]) -> Iterable[tuple[ReferenceKind, str]]:
    """What instructions refer to, in order: kind, and name as it stands there."""
    for step in steps:
        for reference in step.references:
            yield reference.kind, reference.name
        yield from references_in(step.steps)


def _wanted(
    references: Iterable[tuple[ReferenceKind, str]],
    kind: ReferenceKind,
    ids: Mapping[str, str],
    attached: Iterable[str],
) -> list[str]:
    """Resource names in order of first mention, whether they exist or not: that was reported when it was saved."""
    named = (ids.get(name, name) for of_kind, name in references if of_kind is kind)
    return list(dict.fromkeys([*named, *(ids.get(name, name) for name in attached)]))


def names_of_playbooks(children: Iterable[str], parts: AgentParts, taken: set[str]) -> dict[str, str]:
    """Resource names of playbooks by model-facing name, none of which is among `taken`."""
    names: dict[str, str] = {}
    taken = {*taken}
    for child in children:
        legal = re.sub(r"[^A-Za-z0-9_-]+", "_", parts.playbooks[child].display_name).strip("_")[:60] or "playbook"
        name = free_name(legal, taken)
        names[name] = child
        taken.add(name)
    return names


def dialogues_of(
    playbook: Playbook, parts: AgentParts, functions: Mapping[tuple[str, str], str], children: Mapping[str, str]
) -> Iterable[ExampleDialogue]:
    """Examples of a playbook whose tools and playbooks can all be called."""
    for example in parts.examples.get(playbook.name, ()):
        dialogue = dialogue_of(example, parts.tool_ids, functions, parts.playbook_ids, children)
        if dialogue is not None:
            yield dialogue


def unusable_examples(
    playbook: Playbook, parts: AgentParts, functions: Mapping[tuple[str, str], str], children: Mapping[str, str]
) -> dict[str, str]:
    """Why an example of a playbook is never shown to a model, by display name: the others of `dialogues_of`."""
    unusable: dict[str, str] = {}
    for example in parts.examples.get(playbook.name, ()):
        calls = (each for each in example.entries if isinstance(each, ExampleToolUse | ExamplePlaybookCall))
        fault = next(
            (each for each in calls if not _called(each, parts.tool_ids, functions, parts.playbook_ids, children)), None
        )
        if example.strategy == "NEVER":
            unusable[example.display_name] = "its selection strategy is NEVER"
        elif isinstance(fault, ExampleToolUse):
            unusable[example.display_name] = f"it calls {fault.action} of {fault.tool}, which the playbook cannot call"
        elif fault is not None:
            unusable[example.display_name] = f"it calls {fault.playbook}, which the playbook cannot call"
    return unusable


@dataclass(frozen=True, slots=True)
class AgentSource:
    """The resources of one agent, read but for what takes its compiled tools."""

    start_playbook: str
    """Resource name; empty when the agent has none."""
    playbooks: Mapping[str, Playbook]
    """By resource name."""
    tools: Mapping[str, JsonObject]
    """Resources for the toolbox, by resource name."""
    examples: Callable[[Mapping[str, Tool]], Mapping[str, Sequence[Example]]]
    """Compiled examples by playbook, from the compiled tools."""
    views: Callable[[AgentParts], Mapping[str, PlaybookView]]
    """The playbooks joined with all they may call, by resource name."""
    scope: AgentScope = NO_AGENT
    settings: LlmSettings = LlmSettings()
    language_code: str = ""
    secret_parameters: frozenset[str] = frozenset()
    refuses_paused_input: bool = False
    client_execution: ClientExecution = NO_CLIENT_EXECUTION
    variables: Mapping[str, JsonValue] | None = None
    sequential: bool = False
    takes_feedback: bool = False
    ends_for_good: bool = False
