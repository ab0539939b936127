"""What of a package is kept and has no effect while the agent runs: counted and named, so that nobody misses it."""

from collections.abc import Iterable, Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_layout import AGENT, FLOWS, TEST_CASES, TOOLS, decode_name
from openplaybook.packages.report import Notes
from openplaybook.resources.tool_kinds import ToolMessage, tool_kinds

_MAX_NAMES = 8
_START = f"{AGENT} $.startFlow"
_KINDS = {
    "agentTransitionRouteGroups": ("transition route group", "transition route groups"),
    "entityTypes": ("entity type", "entity types"),
    FLOWS: ("flow", "flows"),
    "generators": ("generator", "generators"),
    "intents": ("intent", "intents"),
    TEST_CASES: ("test case", "test cases"),
    "webhooks": ("webhook", "webhooks"),
}
"""What the folders of an export hold, one and several."""
_WITHIN_FLOWS = {
    "pages": ("page", "pages"),
    "transitionRouteGroups": ("transition route group", "transition route groups"),
}


def note_kept(others: Iterable[str], tools: Sequence[JsonObject], notes: Notes) -> None:
    """Tell of every kind of resource that is not run how many there are, and what they are called."""
    paths = list(others)
    for top in dict.fromkeys(path.split("/", 1)[0] for path in paths):
        inside = [path for path in paths if path.split("/", 1)[0] == top]
        if top in _KINDS:
            names = list(dict.fromkeys(_name(path) for path in inside))
            counted = f"{_counted(len(names), _KINDS[top])}{_within(inside) if top == FLOWS else ''}"
            notes.kept(top, f"{counted}, {_use(top)}: {_listed(names)}", len(names))
        else:
            counted = _counted(len(inside), ("file", "files"))
            notes.kept(top, f"{counted} without effect here, written back at export", len(inside))
    for field in tool_kinds().fields(ToolMessage.TOOL):
        names = [str(tool.get("displayName")) for tool in tools if field.name in tool]
        if names and field.kept and (kind := tool_kinds().of({field.name: {}})):
            counted = _counted(len(names), (kind.noun, kind.nouns))
            notes.kept(TOOLS, f"{counted}, which {field.kept}: {_listed(names)}", len(names))


def note_start(agent: JsonObject, playbooks: Sequence[JsonObject], notes: Notes) -> None:
    """Tell where conversations begin with an agent that begins with a flow, where there is no choice.

    Of another one the agent's validation says that it cannot begin.
    """
    if len(playbooks) == 1 and agent.get("startFlow") and not agent.get("startPlaybook"):
        only = playbooks[0]["displayName"]
        notes.kept(_START, f"flows are not run: conversations begin with the only playbook, {only!r}")


def _use(folder: str) -> str:
    return "run on request" if folder == TEST_CASES else "not run here and written back at export"


def _name(path: str) -> str:
    """The display name of the resource that a file belongs to: its folder, or the file where it has none."""
    return decode_name(path.split("/")[1].removesuffix(".json")) if "/" in path else path


def _within(paths: list[str]) -> str:
    """What the flows have of their own: ` with 2 pages`."""
    parts = [path.split("/") for path in paths]
    counts = {folder: sum(len(each) == 4 and each[2] == folder for each in parts) for folder in _WITHIN_FLOWS}
    counted = [_counted(count, _WITHIN_FLOWS[folder]) for folder, count in counts.items() if count]
    return f" with {' and '.join(counted)}" if counted else ""


def _counted(count: int, nouns: tuple[str, str]) -> str:
    return f"{count} {nouns[count != 1]}"


def _listed(names: Sequence[str]) -> str:
    text = ", ".join(names[:_MAX_NAMES])
    return f"{text} and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else text
