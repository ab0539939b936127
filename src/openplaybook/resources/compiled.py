"""Playbooks and examples as the engine reads them: parsed once, immutable, free of wire types.

Stored resources are JSON objects in the shape of Dialogflow CX v3beta1; `resources.playbooks` and
`resources.examples` turn them into these types.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.handlers import Handler


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
class Playbook:
    """A compiled playbook."""

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
