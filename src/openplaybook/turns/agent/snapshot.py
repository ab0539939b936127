"""An agent as one turn sees it: compiled once per revision, immutable, shared by all sessions."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.base import Declaration, ExampleDialogue, ModelTurn
from openplaybook.resources.compiled_forms import LlmSettings, Playbook
from openplaybook.resources.tool_kinds import tool_kinds
from openplaybook.tools.base import Action, Tool

ALWAYS_CLIENT = "ALWAYS_CLIENT_EXECUTION"
"""The documented `playbookExecutionMode`: clients make every tool call."""

AS_KINDS_SAY = "DEFAULT_EXECUTION"
"""Its opposite, which the documents lack: clients make the calls of function tools, the server all others."""


@dataclass(frozen=True, slots=True)
class ClientExecution:
    """The settings of an agent, as a turn needs them."""

    always: bool = False
    """Clients make every tool call, unless a request says otherwise."""
    strict: bool = False
    """A result that does not fit its output schema is refused."""
    timeout_us: int | None = None
    """Microseconds that a session waits for a result; None: as long as it lives."""


NO_CLIENT_EXECUTION = ClientExecution()
"""Of an agent that says nothing."""


def client_execution(levels: Sequence[JsonObject]) -> ClientExecution:
    """Compile the settings. `levels` are resources that may say something, the first that does so wins."""
    timeout = _said(levels, "toolCallResultTimeout")
    return ClientExecution(
        always=_said(levels, "playbookExecutionMode") == ALWAYS_CLIENT,
        strict=_said(levels, "toolResultValidation") == "STRICT",
        timeout_us=None if timeout is None else _microseconds(str(timeout)),
    )


def _said(levels: Sequence[JsonObject], field: str) -> JsonValue:
    return next((level[field] for level in levels if field in level), None)


def _microseconds(duration: str) -> int:
    """Of a Duration in JSON form, such as `3.5s`; rounded up, so that the shortest is not none."""
    seconds, _, fraction = duration.removesuffix("s").partition(".")
    nanos = int(seconds) * 10**9 + int(fraction.ljust(9, "0")[:9])
    return -(-nanos // 1000)


@dataclass(frozen=True, slots=True)
class PlaybookView:
    """A playbook with everything it may call."""

    playbook: Playbook
    declarations: tuple[Declaration, ...]
    """Offered while it is the first playbook of the session."""
    declarations_with_end: tuple[Declaration, ...]
    """Offered while another playbook has called it."""
    actions: Mapping[str, Action]
    """By model-facing name."""
    children: Mapping[str, str]
    """Resource name of a callable playbook by model-facing name."""
    end_name: str
    """Model-facing name of the function that leaves this playbook for the one that called it."""
    close_name: str
    """Model-facing name of the function that ends the conversation; empty where it may not end here."""
    transitions: frozenset[str]
    """Resource names of the callable playbooks that this one gives way to instead of waiting for them."""
    examples: tuple[ExampleDialogue, ...]
    unusable_tools: Mapping[str, str]
    """Why a tool that the playbook names cannot be called, by resource name."""
    answering: Mapping[str, str] = field(default_factory=dict[str, str])
    """Those names in `children` whose playbook is called like a function, its last words being the result, and the
    resource name of the tool that it is called by."""
    callable: Mapping[str, Action] = field(default_factory=dict[str, Action])
    """What tools may call from within a call, by model-facing name: of an app whatever it has, else as `actions`."""
    unusable_examples: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why an example is never shown to a model, by display name."""

    def blank_turn(self, language_code: str) -> ModelTurn:
        """What a model is asked in this playbook before anything was said and anything is known."""
        return ModelTurn(
            playbook=self.playbook.display_name,
            declarations=self.declarations,
            goal=self.playbook.goal,
            instructions=self.playbook.steps,
            examples=self.examples,
            conversation=(),
            language_code=language_code,
        )


@dataclass(frozen=True, slots=True)
class AgentSnapshot:
    """Everything of an agent that a turn reads."""

    digest: str
    """SHA-256 of the resources it was compiled from, in hexadecimal."""
    agent: str
    start_playbook: str
    """Resource name; empty when the agent has none."""
    playbooks: Mapping[str, PlaybookView]
    """By resource name."""
    tools: Mapping[str, Tool]
    """By resource name; those that cannot be compiled are not in it."""
    tool_names: Mapping[str, str]
    """Display name by resource name."""
    tool_kinds: Mapping[str, str]
    """Kind, such as `openapi` or `function`, by resource name."""
    settings: LlmSettings = LlmSettings()
    refuses_paused_input: bool = False
    """`pausedInput: REFUSE`: while a call is open, nothing but its result is accepted."""
    client_execution: ClientExecution = NO_CLIENT_EXECUTION
    secret_parameters: Collection[str] = frozenset()
    """Session parameters that an authentication reads: never shown to a model, in a trace or in an answer."""

    variables: Mapping[str, JsonValue] | None = None
    """Session parameters that may be set, with their values in the beginning (null: none); None: any may be set."""
    sequential: bool = False
    """Whether calls of one reply are made one after the other."""
    language_code: str = ""
    """Used where a request names none."""
    takes_feedback: bool = False
    """Whether users are to be asked how good an answer is."""
    ends_for_good: bool = False
    """Whether a conversation that is over takes no more input (CX Agent Studio); else the next input begins another."""

    @property
    def live_tools(self) -> Mapping[str, Tool]:
        """Those whose actions another system describes, by resource name."""
        return {name: tool for name, tool in self.tools.items() if tool.is_live}

    def action_of(self, playbook: str, function: str) -> Action | None:
        """The action behind a model-facing name in a playbook."""
        view = self.playbooks.get(playbook)
        return None if view is None else view.actions.get(function)

    def display_name(self, playbook: str) -> str:
        """A playbook's display name; its resource name when this agent has no such playbook."""
        view = self.playbooks.get(playbook)
        return playbook if view is None else view.playbook.display_name


_PREFIX = "$session.params."
_NAMED = re.compile(re.escape(_PREFIX) + r"([\w.-]+)")


def secret_parameters(tools: Iterable[JsonObject]) -> frozenset[str]:
    """Names of the session parameters that any tool's authentication reads, by the tools' v3beta1 JSON."""
    configured = (each for tool in tools for each in tool_kinds().credentials(tool))
    return frozenset(name for credentials in configured for text in texts_in(credentials) for name in _names(text))


def texts_in(value: JsonValue) -> Iterator[str]:
    """Every text in a JSON value that is not empty."""
    if isinstance(value, str) and value:
        yield value
    for inner in [*as_object(value).values(), *as_list(value)]:
        yield from texts_in(inner)


def _names(text: str) -> Iterator[str]:
    if text.startswith(_PREFIX):
        yield text.removeprefix(_PREFIX)
    yield from _NAMED.findall(text)
