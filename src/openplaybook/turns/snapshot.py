"""An agent as one turn sees it: compiled once per revision, immutable, shared by all sessions."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.base import Declaration, ExampleDialogue
from openplaybook.resources.compiled import LlmSettings, Playbook
from openplaybook.tools.base import Action, Tool
from openplaybook.turns.execution import NO_CLIENT_EXECUTION, ClientExecution


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

    def action_of(self, playbook: str, function: str) -> Action | None:
        """The action behind a model-facing name in a playbook."""
        view = self.playbooks.get(playbook)
        return None if view is None else view.actions.get(function)

    def display_name(self, playbook: str) -> str:
        """A playbook's display name; its resource name when this agent has no such playbook."""
        view = self.playbooks.get(playbook)
        return playbook if view is None else view.playbook.display_name
