"""Cases of tool calling, as `openplaybook plan` reads them, put to the offline planner.

A case is a conversation up to a user's turn and the functions that may be called. They are taken as safe, so that the
planner asks for what is missing and for no confirmation, except those with `confirm_first`.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    Effect,
    Entry,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    Model,
    ModelReply,
    ModelTurn,
    UserText,
)
from openplaybook.models.offline.planner_state import read_state

_TYPES = {"dict": "object", "float": "number", "tuple": "array"}
"""Type names that cases use beside those of JSON Schema; `any` is none."""
_SCHEMAS = frozenset(("items", "additionalProperties"))
_DEEPEST = 20
_YEAR = re.compile(r"\b(20\d\d)-\d\d")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64

ModelOfDay = Callable[[date], Model]
"""Makes the model for which it is this day."""


class CaseFault(Exception):
    """A case that cannot be read; the message says which member, and what is allowed."""

    code = "CASE_FAULT"


@dataclass(frozen=True, slots=True)
class ToolCase:
    """One case."""

    id: str
    today: date
    """What relative dates count from."""
    names: dict[str, str]
    """The functions' own names by those of their declarations."""
    declarations: tuple[Declaration, ...]
    examples: tuple[ExampleDialogue, ...]
    entries: tuple[Entry, ...]

    def turn(self, count: int, planner_state: JsonObject) -> ModelTurn:
        """What a model is asked after the first `count` entries."""
        return ModelTurn(
            playbook="",
            declarations=self.declarations,
            goal="",
            instructions=(),
            examples=self.examples,
            conversation=self.entries[:count],
            language_code="en",
            planner_state=planner_state,
        )


def read_case(case: JsonValue) -> ToolCase:
    """A case from JSON. Raises `CaseFault`."""
    if not isinstance(case, dict):
        raise CaseFault("a case is a JSON object")
    members = as_object(case)
    if not isinstance(members.get("id"), str):
        raise CaseFault("`id` must be a string")
    tools = [as_object(tool) for tool in _listed(members, "tools")]
    declared = _declared_names(tools)
    names = {own: name for name, own in declared.items()}
    if len(names) != len(tools):
        raise CaseFault("the `name` of a tool is missing, or two tools have the same")
    entries = _entries(_listed(members, "messages"), declared)
    if not entries or not isinstance(entries[-1], UserText):
        raise CaseFault("the last of `messages` must be the user's")
    examples = tuple(
        ExampleDialogue(f"example {number}", _entries(_messages_of(example), declared))
        for number, example in enumerate(as_list(members.get("examples")), start=1)
    )
    declarations = tuple(_declaration(tool, declared[str(tool["name"])]) for tool in tools)
    return ToolCase(members["id"], _day(members.get("today"), tools), names, declarations, examples, entries)


async def plan_case(case: ToolCase, model_of: ModelOfDay, *, with_history: bool) -> JsonObject:
    """What the planner does next: `call` with name and arguments or null, `confirm` with the same where a yes is asked
    for, `ask` with the parameters asked for, and `tool` where a function was chosen.

    `with_history`: it is asked at every turn of the user's from the first on, and keeps what it remembers; else it
    meets the conversation at the last.
    """
    model = model_of(case.today)
    state: JsonObject = {}
    turns = [number for number, entry in enumerate(case.entries, start=1) if isinstance(entry, UserText)]
    for count in turns[:-1] if with_history else ():
        state = (await model.decide(case.turn(count, state))).planner_state or state
    return _prediction(case, await model.decide(case.turn(turns[-1], state)))


def _prediction(case: ToolCase, reply: ModelReply) -> JsonObject:
    prediction: JsonObject = {"id": case.id, "call": None, "ask": []}
    for call in reply.calls:
        if call.name in case.names:
            name = case.names[call.name]
            return prediction | {"tool": name, "call": {"name": name, "arguments": as_object(call.arguments)}}
    state = read_state(reply.planner_state or {})
    pending = state.pending
    if pending is None or pending.function not in case.names:
        return prediction
    name = case.names[pending.function]
    arguments = as_object(state.filled.get(pending.function))
    if pending.is_confirmation:
        return prediction | {"tool": name, "confirm": {"name": name, "arguments": arguments}}
    return prediction | {"tool": name, "ask": [pending.path[0]]}


def _listed(members: JsonObject, name: str) -> Sequence[JsonValue]:
    if not isinstance(members.get(name), list):
        raise CaseFault(f"`{name}` must be a list")
    return as_list(members[name])


def _messages_of(example: JsonValue) -> Sequence[JsonValue]:
    return as_list(example) if isinstance(example, list) else _listed(as_object(example), "messages")


def _day(written: JsonValue, tools: Sequence[JsonObject]) -> date:
    """The day of a case; of one that tells none the first of the year of which the tools' descriptions speak most."""
    if written is None:
        years = Counter(_YEAR.findall(str(tools)))
        return date(int(years.most_common(1)[0][0]), 1, 1) if years else date.today()
    try:
        return date.fromisoformat(str(written))
    except ValueError as error:
        raise CaseFault(f"`today` must be a date such as 2026-11-20, not {written!r}") from error


def _declared_names(tools: Sequence[JsonObject]) -> dict[str, str]:
    """Names that a declaration may have, each once, by the tools' own."""
    declared: dict[str, str] = {}
    for number, tool in enumerate(tools):
        own = tool.get("name")
        if isinstance(own, str) and own and own not in declared:
            name = _NOT_IN_NAMES.sub("_", own)[:_LONGEST_NAME]
            declared[own] = f"{name[: _LONGEST_NAME - 6]}_{number}" if name in declared.values() else name
    return declared


def _declaration(tool: JsonObject, name: str) -> Declaration:
    fields = [field for field in as_list(tool.get("result_fields")) if isinstance(field, str)]
    return Declaration(
        name=name,
        description=str(tool.get("description") or ""),
        input_schema=_schema(tool.get("parameters"), _DEEPEST),
        output_schema={"type": "object", "properties": {field: {} for field in fields}} if fields else None,
        kind=DeclarationKind.TOOL,
        reference=str(tool["name"]),
        action=str(tool["name"]),
        effect=Effect.CHANGES if tool.get("confirm_first") is True else Effect.READS,
    )


def _schema(written: JsonValue, depth: int) -> JsonObject:
    """A schema with the type names of JSON Schema."""
    schema = dict(as_object(written))
    kind = schema.get("type")
    if kind == "any":
        del schema["type"]
    elif isinstance(kind, str):
        schema["type"] = _TYPES.get(kind, kind)
    if depth:
        if isinstance(schema.get("properties"), dict):
            properties = as_object(schema["properties"])
            schema["properties"] = {name: _schema(member, depth - 1) for name, member in properties.items()}
        for name in _SCHEMAS & schema.keys():
            if isinstance(schema[name], dict):
                schema[name] = _schema(schema[name], depth - 1)
    return schema


def _entries(messages: Sequence[JsonValue], declared: dict[str, str]) -> tuple[Entry, ...]:
    """The messages as a conversation; what a system says is no part of it."""
    entries: list[Entry] = []
    called = ""
    for number, message in enumerate(map(as_object, messages)):
        role, content = message.get("role"), message.get("content")
        call = as_object(message.get("tool_call"))
        if call:
            called = declared.get(str(call.get("name")), str(call.get("name")))
            entries.append(FunctionCall(str(number), called, as_object(call.get("arguments"))))
        elif role == "tool":
            entries.append(FunctionResult(str(number - 1), called, content))
        elif not isinstance(content, str):
            raise CaseFault("the `content` of a message must be a string")
        elif role == "user":
            entries.append(UserText(content))
        elif role == "assistant":
            entries.append(AgentText(content))
    return tuple(entries)
