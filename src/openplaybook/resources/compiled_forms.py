"""Playbooks and examples as the engine reads them: parsed once, immutable, free of wire types.

Stored resources are JSON objects in the shape of Dialogflow CX v3beta1; `resources.playbook_compiler` and
`resources.example_compiler` turn them into these types.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.guardrails import Guardrail
from openplaybook.resources.playbook_handlers import Handler


class ReferenceKind(Enum):
    """What an instruction's `${KIND: name}` points at; the older AGENT is a synonym of PLAYBOOK."""

    TOOL = "TOOL"
    PLAYBOOK = "PLAYBOOK"
    FLOW = "FLOW"


@dataclass(frozen=True, slots=True)
class Reference:
    """One `${TOOL: name}` in an instruction."""

    kind: ReferenceKind
    name: str
    """The display name as written, outer blanks removed."""
    start: int
    """Offset of `$` in the step's text, in characters."""
    end: int
    """Offset just behind the closing brace."""


@dataclass(frozen=True, slots=True)
class InstructionStep:
    """One step of a playbook's instructions, with its nested steps."""

    text: str
    """The step as authored, byte for byte."""
    references: tuple[Reference, ...] = ()
    steps: tuple["InstructionStep", ...] = ()

    def characters(self) -> int:
        """How long its text is, with its nested steps."""
        return len(self.text) + sum(step.characters() for step in self.steps)


@dataclass(frozen=True, slots=True)
class ParameterDefinition:
    """An input or output parameter of a playbook."""

    name: str
    description: str
    schema: JsonObject
    """JSON Schema of the value."""


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Model choice and sampling of an agent, a playbook or a request; None leaves it to the level above."""

    model: str | None = None
    prompt_text: str | None = None
    temperature: float | None = None
    input_token_limit: str | None = None
    """SHORT, MEDIUM or LONG."""
    output_token_limit: str | None = None
    """SHORT, MEDIUM or LONG."""


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A playbook called as if it were a function: what it says last is its result (CX Agent Studio's `AgentTool`)."""

    name: str
    """Model-facing."""
    description: str
    playbook: str
    """Resource name."""
    tool: str
    """Resource name of the tool."""


@dataclass(frozen=True, slots=True)
class EndFunction:
    """The function that ends the conversation, with arguments of its own (CX Agent Studio's `end_session`)."""

    name: str
    """Model-facing."""
    description: str
    input_schema: JsonObject


@dataclass(frozen=True, slots=True)
class Playbook:
    """A compiled playbook, or an agent of an app of CX Agent Studio: the engine knows no difference."""

    name: str
    """Resource name."""
    display_name: str
    goal: str
    steps: tuple[InstructionStep, ...]
    is_routine: bool
    """ROUTINE rather than TASK."""
    input_parameters: tuple[ParameterDefinition, ...] = ()
    output_parameters: tuple[ParameterDefinition, ...] = ()
    referenced_tools: tuple[str, ...] = ()
    """Resource names of attached tools (`referencedTools`)."""
    referenced_playbooks: tuple[str, ...] = ()
    """Resource names of attached playbooks (`referencedPlaybooks`)."""
    settings: LlmSettings = LlmSettings()
    handlers: tuple[Handler, ...] = ()
    has_code: bool = False
    """Whether it has a code block, which is not run."""
    description: str = ""
    """What those are told of it that may call it; empty: its goal."""
    has_variables: bool = False
    """Whether `{name}` in goal and instructions stands for the session parameter of that name (CX Agent Studio)."""
    transfers: tuple[str, ...] = ()
    """Resource names of the playbooks it may give way to; the conversation goes with them."""
    agent_tools: tuple[AgentTool, ...] = ()
    end_function: EndFunction | None = None
    """How it ends the conversation, where that is said expressly; None: as its text and its examples say."""
    offered_actions: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Of a tool, by its resource name, the actions that the playbook has; all, where the tool is not named."""
    guardrails: tuple[Guardrail, ...] = ()
    """In the order in which they are tried; those of its app among them."""


@dataclass(frozen=True, slots=True)
class ExampleUser:
    """The user says something in an example."""

    text: str


@dataclass(frozen=True, slots=True)
class ExampleAgent:
    """The agent says something in an example."""

    text: str


@dataclass(frozen=True, slots=True)
class ExampleToolUse:
    """A tool call in an example, its inputs and outputs on the canonical shape.

    Inputs are the action's arguments: parameter names, and `requestBody` for a body. Outputs are the
    action's output object: keyed by response code for OpenAPI tools, the bare object for functions.
    """

    tool: str
    """Resource name or display name, as stored."""
    action: str
    arguments: JsonObject
    output: JsonObject


@dataclass(frozen=True, slots=True)
class ExamplePlaybookCall:
    """A call of another playbook in an example, or a transition to one: that gives nothing back."""

    playbook: str
    """Resource name or display name, as stored."""
    arguments: JsonObject
    output: JsonObject


ExampleEntry: TypeAlias = ExampleUser | ExampleAgent | ExampleToolUse | ExamplePlaybookCall


@dataclass(frozen=True, slots=True)
class Example:
    """A compiled few-shot example of one playbook."""

    name: str
    display_name: str
    playbook: str
    """Resource name of the playbook it belongs to."""
    language_code: str
    strategy: str
    """DEFAULT (by relevance), STATIC (always) or NEVER."""
    entries: tuple[ExampleEntry, ...]
    inputs: JsonObject = field(default_factory=dict[str, object])
    outputs: JsonObject = field(default_factory=dict[str, object])
    preceding_summary: str = ""
    execution_summary: str = ""
    end_state: str = ""
    """OK, CANCELLED, FAILED, ESCALATED, PENDING or empty."""
