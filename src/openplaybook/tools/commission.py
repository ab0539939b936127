"""Asking a model, outside of any playbook, to hand something over by calling one function."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    Entry,
    FunctionCall,
    FunctionResult,
    ModelReply,
    ModelTurn,
    ProviderReply,
    UserText,
)
from openplaybook.resources.compiled_forms import InstructionStep


def text_function(function: str, description: str, argument: str, what: str) -> Declaration:
    """The function, which takes one text; `what` describes that."""
    return Declaration(
        name=function,
        description=description,
        input_schema={
            "type": "object",
            "properties": {argument: {"type": "string", "description": what}},
            "required": [argument],
            "additionalProperties": False,
        },
        output_schema=None,
        kind=DeclarationKind.TOOL,
        reference=function,
    )


@dataclass(frozen=True, slots=True)
class Commission:
    """What stays the same each time a model is asked. One object a task: adapters know the unchanging part of a prompt
    again by identity."""

    name: str
    """Who decides, in the place of a playbook's name."""
    declarations: tuple[Declaration, ...]
    goal: str
    steps: tuple[InstructionStep, ...]

    def turn(self, conversation: Sequence[Entry | ProviderReply], timeout_s: float) -> ModelTurn:
        """The decision to be taken after this conversation."""
        return ModelTurn(
            playbook=self.name,
            declarations=self.declarations,
            goal=self.goal,
            instructions=self.steps,
            examples=(),
            conversation=tuple(conversation),
            language_code="",
            timeout_s=timeout_s,
        )


def commission(name: str, function: Declaration, goal: str, steps: Sequence[str]) -> Commission:
    """A commission whose result is handed over by calling `function`."""
    return Commission(name, (function,), goal, tuple(map(InstructionStep, steps)))


def correction(
    reply: ModelReply, result: JsonObject, words: str, missing: JsonObject | None = None
) -> Sequence[Entry | ProviderReply]:
    """A reply and what is wrong with it, for the conversation to go on: as the result of its calls, and in words to a
    model that answered in words. `missing` are the arguments of a call that has none in proper form."""
    raw = [ProviderReply(reply.model, reply.raw)] if reply.raw else []
    texts = [AgentText(reply.text)] if reply.text else []
    if not reply.calls:
        return [*raw, *texts, UserText(words)]
    calls = [FunctionCall(each.id, each.name, as_object(each.arguments) or missing or {}) for each in reply.calls]
    return [*raw, *texts, *calls, *(FunctionResult(each.id, each.name, result, True) for each in calls)]
