"""What comes of each playbook of an agent here: it runs, needs a model, or leans on something that is not run.

One judgement for both doors: it is made of the compiled snapshot, and of what the resources tell besides
(`resources.playbook_dependencies`, `resources.ces.agent_dependencies`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.resources.compiled_forms import Playbook, ReferenceKind
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.agent.playbook_views import references_in
from openplaybook.turns.agent.snapshot import AgentSnapshot, PlaybookView

_OFFLINE = "offline"
_MOST_SHOWN = 160
"""Characters of why a tool cannot be used."""
_MOST_LISTED = 100
"""What one playbook leans on that is told: a report has thousands of playbooks."""


class VerdictKind(Enum):
    """What comes of a playbook."""

    RUNS = "RUNS"
    """The model that is configured for it can follow it, and all that it uses is there."""
    NEEDS_MODEL = "NEEDS_MODEL"
    """The offline model would answer, which cannot follow it."""
    LEANS_ON = "LEANS_ON"
    """It uses what is not run here or not there. The rest of it may run."""


@dataclass(frozen=True, slots=True)
class PlaybookVerdict:
    """What comes of one playbook, or one agent of an app."""

    playbook: str
    """Resource name."""
    display_name: str
    leans_on: tuple[str, ...] = ()
    """What it uses and is not run or not there, each in some words."""
    needs_model: str = ""
    """Why the offline model cannot follow it; empty where it can, or another model is configured."""
    client_functions: tuple[str, ...] = ()
    """Functions that its client answers: the conversation waits for that."""

    @property
    def kind(self) -> VerdictKind:
        """The verdict; what it leans on comes first."""
        if self.leans_on:
            return VerdictKind.LEANS_ON
        return VerdictKind.NEEDS_MODEL if self.needs_model else VerdictKind.RUNS

    def as_json(self) -> JsonObject:
        """As operations and `--json` show it; only members that say something."""
        verdict: JsonObject = {"playbook": self.playbook, "displayName": self.display_name, "verdict": self.kind.value}
        if self.leans_on:
            verdict["leansOn"] = list(self.leans_on)
        if self.needs_model:
            verdict["needsModel"] = self.needs_model
        if self.client_functions:
            verdict["clientFunctions"] = list(self.client_functions)
        return verdict


def verdicts(
    snapshot: AgentSnapshot,
    leanings: Mapping[str, Sequence[str]],
    unmet: Mapping[str, Sequence[str]],
    models: ModelDirectory,
    language_code: str = "",
    checkpoint: Callable[[], None] = lambda: None,
) -> list[PlaybookVerdict]:
    """The verdict on each playbook, in order.

    `leanings` are what its resources tell, by resource name of the playbook; `unmet` what a tool needs and has not, by
    the tool's. `language_code` is the agent's, where the snapshot names none.

    It may take much longer than compiling the agent: not for the event loop. `checkpoint` is called again and again
    meanwhile; what it raises ends the work.
    """
    return [
        PlaybookVerdict(
            playbook=name,
            display_name=view.playbook.display_name,
            leans_on=_listed([*leanings.get(name, ()), *_of_tools(snapshot, view, unmet)]),
            needs_model=_need(snapshot, view, models, language_code, checkpoint),
            client_functions=tuple(
                function for function, action in view.actions.items() if action.place is ExecutionPlace.CLIENT
            ),
        )
        for name, view in snapshot.playbooks.items()
    ]


def _listed(leanings: Sequence[str]) -> tuple[str, ...]:
    """Each once, the first of them, and how many there are besides."""
    distinct = list(dict.fromkeys(leanings))
    more = [f"{len(distinct) - _MOST_LISTED} more"] if len(distinct) > _MOST_LISTED else []
    return (*distinct[:_MOST_LISTED], *more)


def _of_tools(snapshot: AgentSnapshot, view: PlaybookView, unmet: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name in _tools_of(snapshot, view.playbook):
        tool, called = snapshot.tools.get(name), snapshot.tool_names[name]
        if tool is not None and (fault := tool.fault()):
            yield f"the tool {called}: {_short(fault)}"
        if name in view.unusable_tools:
            yield f"the tool {called}, which cannot be used: {_short(view.unusable_tools[name])}"
        for need in unmet.get(name, ()):
            yield f"the tool {called}: {_short(need)}"


def _tools_of(snapshot: AgentSnapshot, playbook: Playbook) -> list[str]:
    """Resource names of the tools that a playbook names."""
    ids = {called: name for name, called in snapshot.tool_names.items()}
    named = [each for kind, each in references_in(playbook.steps) if kind is ReferenceKind.TOOL]
    tool_ids = (ids.get(each, each) for each in (*named, *playbook.referenced_tools))
    return [name for name in dict.fromkeys(tool_ids) if name in snapshot.tool_names]


def _need(
    snapshot: AgentSnapshot,
    view: PlaybookView,
    models: ModelDirectory,
    language_code: str,
    checkpoint: Callable[[], None],
) -> str:
    checkpoint()
    playbook = view.playbook
    model, _ = models.resolve(playbook.settings.model or snapshot.settings.model)
    if model.name != _OFFLINE:
        return ""
    turn = view.blank_turn(snapshot.language_code or language_code)
    # A server with another model needs no part of the offline one, whose import is a tenth of its start.
    from openplaybook.models.offline.competence import shortfall

    return shortfall(turn, checkpoint)


def _short(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
