"""Functions that find what another one acts on: which houses can be booked, a search tells."""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonValue, as_object
from openplaybook.models.offline.dialogue.agent_moves import asked_paths
from openplaybook.models.offline.dialogue.references import names_thing
from openplaybook.models.offline.dialogue.spoken_turns import calls_made, turns_since_call
from openplaybook.models.offline.dialogue.talk_state import is_careful, tool_of
from openplaybook.models.offline.learned.lexemes import stem_of, stems_of
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.slot_schema import Path

_TAKES_FOUND = frozenset(map(stem_of, ("book", "reserve", "buy", "purchase", "rent", "order", "play", "hire", "get")))
"""Verbs of functions that act on one of several things that there are, which a search finds."""
_FINDS = frozenset(map(stem_of, ("find", "search", "look", "lookup", "list", "get", "browse", "discover", "show")))


def finder_of(situation: Situation, name: str, values: Mapping[Path, JsonValue]) -> str:
    """The function that finds what another needs the name of, where nobody has named it, or that searches the same
    kind of things, where more is missing; empty where there is none, or it was called before."""
    tool = tool_of(situation, name)
    if tool is None or not is_careful(situation, name):
        return ""
    called = {made.call.name for made in calls_made(situation.entries)}
    finders = [
        one
        for one in situation.index.learned_tools
        if one.name not in called and not is_careful(situation, one.name) and not situation.index.books[one.name].steps
    ]
    ranks = {one.name: _rank(situation, tool, one, values) for one in finders}
    best = max((one for one in ranks if ranks[one][0]), key=lambda one: ranks[one], default="")
    return "" if best and _is_asked_for(situation, tool, best) else best


def standing_out(situation: Situation, chances: Mapping[str, float], times: float) -> str:
    """The likeliest function where it is so many times likelier than any other; empty where none is. Whether a house
    is looked for or booked comes to the same: it is looked for first."""
    best = max(chances, key=lambda name: chances[name], default="")
    finder = finder_of(situation, best, {})
    others = [
        chance
        for name, chance in chances.items()
        if name not in (best, finder) and finder_of(situation, name, {}) != best
    ]
    return best if best and chances[best] >= times * max(others, default=0.0) else ""


def _rank(
    situation: Situation, tool: LearnedTool, finder: LearnedTool, values: Mapping[Path, JsonValue]
) -> tuple[int, bool]:
    """How much of what is not named a function finds; 1 where it only searches the same kind of things."""
    listed = {str(option).casefold() for want in finder.wants for option in want.options}
    needed = [want for want in tool.wants if want.required]
    open_wants = [want for want in needed if want.path not in values]
    # What is listed for the search, a kind of thing, names none.
    kinds = [want for want in needed if want.path in values and str(values[want.path]).casefold() in listed]
    unnamed = {want.name for want in (*open_wants, *kinds) if names_thing(want)}
    found = len(_results_of(situation, finder.name) & unnamed)
    is_near = _group(tool) == _group(finder)
    if found:
        return 1 + found, is_near
    said = {path[-1] for path in values}
    shares = bool(unnamed) or any(want.name in said for want in finder.wants)
    names = [want for want in needed if names_thing(want) and not any(want.topics[topic] for topic in _WHERE)]
    is_named = any(want.path in values and want not in kinds for want in names)
    is_open = bool(open_wants or kinds) and shares and not is_named
    return (1 if is_open and _searches_same(tool, finder) else 0), is_near


_WHERE = ("place", "origin", "target")
"""Topics of what tells where something is, and not which one it is."""


def _searches_same(tool: LearnedTool, finder: LearnedTool) -> bool:
    """Whether a function searches the kind of things that another acts on, by their names: `SearchHouse` for
    `BookHouse`."""
    if tool.verb not in _TAKES_FOUND or finder.verb not in _FINDS:
        return False
    return bool((tool.tail_stems - {tool.verb}) & (finder.tail_stems - {finder.verb}))


def _group(tool: LearnedTool) -> frozenset[str]:
    """What stands before the last point of a function's name."""
    return frozenset(stems_of(tool.action.rpartition(".")[0]))


def _is_asked_for(situation: Situation, tool: LearnedTool, finder: str) -> bool:
    """Whether the agent has begun to ask for what only the function itself takes: it is past searching."""
    other = tool_of(situation, finder)
    if other is None:
        return False
    agents = [turn.agent for turn in turns_since_call(situation.entries)]
    return any(asked_paths(agent, tool) and not asked_paths(agent, other) for agent in agents)


def _results_of(situation: Situation, name: str) -> set[str]:
    """The members of what a function gives, as far as its schema tells."""
    schema = situation.index.books[name].declaration.output_schema or {}
    items = as_object(schema.get("items")) or schema
    return set(as_object(items.get("properties")))
