"""A conversation with the offline model, its functions answered by the test."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    Effect,
    Entry,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    ModelReply,
    ModelTurn,
    UserText,
)
from openplaybook.models.offline import OfflineModel

TODAY = date(2026, 11, 20)
"""A Friday."""

Function = Callable[[JsonObject], tuple[JsonValue, bool]]
"""Output and whether it is an error."""


@dataclass(frozen=True)
class Agent:
    """A playbook as the engine would hand it to the model."""

    goal: str
    declarations: tuple[Declaration, ...]
    examples: tuple[ExampleDialogue, ...]
    functions: Mapping[str, Function]
    language: str = "en"


@dataclass
class Talk:
    """One session."""

    agent: Agent
    model: OfflineModel = field(default_factory=lambda: OfflineModel(lambda: TODAY))
    conversation: list[Entry] = field(default_factory=list[Entry])
    planner: JsonObject = field(default_factory=dict[str, object])
    inputs: JsonObject = field(default_factory=dict[str, object])
    calls: list[tuple[str, JsonValue]] = field(default_factory=list[tuple[str, JsonValue]])
    """Calls of the latest turn."""
    rules: list[str] = field(default_factory=list[str])
    """Rules that decided in the latest turn."""

    def turn(self) -> ModelTurn:
        """What the model is asked now."""
        return ModelTurn(
            playbook="Desk",
            declarations=self.agent.declarations,
            goal=self.agent.goal,
            instructions=(),
            examples=self.agent.examples,
            conversation=tuple(self.conversation),
            language_code=self.agent.language,
            inputs=self.inputs,
            planner_state=self.planner,
        )

    async def step(self) -> ModelReply:
        """One decision, taken into the conversation."""
        reply = await self.model.decide(self.turn())
        if reply.planner_state is not None:
            self.planner = reply.planner_state
        if reply.text:
            self.conversation.append(AgentText(reply.text))
        for call in reply.calls:
            self.calls.append((call.name, call.arguments))
            self.conversation.append(FunctionCall(f"{len(self.conversation)}", call.name, call.arguments))
        self.rules.append(str(reply.evidence["rule"]))
        return reply

    async def say(self, text: str) -> str:
        """One user turn to its end; the agent's words."""
        self.calls, self.rules = [], []
        self.conversation.append(UserText(text))
        spoken: list[str] = []
        for _ in range(5):
            reply = await self.step()
            spoken += [reply.text] if reply.text else []
            open_calls = [entry for entry in self.conversation[-len(reply.calls) :] if isinstance(entry, FunctionCall)]
            ends = (DeclarationKind.END, DeclarationKind.CLOSE)
            ending = {one.name for one in self.agent.declarations if one.kind in ends}
            if not reply.calls or any(call.name in ending for call in open_calls):
                break
            for call in open_calls:
                output, is_error = self.agent.functions[call.name](call.arguments)
                self.conversation.append(FunctionResult(call.id, call.name, output, is_error))
        return "\n".join(spoken)


def function(
    name: str,
    description: str,
    properties: JsonObject,
    required: Sequence[str] = (),
    effect: Effect = Effect.READS,
) -> Declaration:
    """A declared tool."""
    schema: JsonObject = {"type": "object", "properties": properties, "required": list(required)}
    return Declaration(
        name, description, schema, None, DeclarationKind.TOOL, reference=name, action=name, effect=effect
    )


def example(name: str, *entries: str | tuple[str, JsonObject, JsonValue], end_state: str = "") -> ExampleDialogue:
    """An example from words, user and agent in turns (`U: ` and `A: `), and calls (name, arguments, output)."""
    built: list[Entry] = []
    for number, entry in enumerate(entries):
        if isinstance(entry, tuple):
            called, arguments, output = entry
            built += [FunctionCall(str(number), called, arguments), FunctionResult(str(number), called, output)]
        else:
            built.append(UserText(entry[3:]) if entry.startswith("U: ") else AgentText(entry[3:]))
    return ExampleDialogue(name, tuple(built), end_state)
