"""What an agent is made of, whichever of Google's services describes it: the common ground of `compiling`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.compiled import Example, LlmSettings, Playbook
from openplaybook.tools.base import NO_AGENT, AgentScope, Tool
from openplaybook.turns.execution import NO_CLIENT_EXECUTION, ClientExecution
from openplaybook.turns.snapshot import PlaybookView
from openplaybook.turns.views import AgentParts


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
