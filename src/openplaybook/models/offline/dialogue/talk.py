"""What a conversation has come to since the latest call: the function under way, and the values that were said for it.

It is read from the conversation itself, so that it is the same whoever spoke for the agent before.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.dialogue.agent_moves import asked_paths, bid_in, reads_back
from openplaybook.models.offline.dialogue.heard_words import functions_heard
from openplaybook.models.offline.dialogue.references import (
    LOOSE_TOPICS,
    carried_values,
    identified,
    is_about,
    is_partly_about,
    names_of_found,
    pointed_at,
    shared_values,
    thing_spoken_of,
)
from openplaybook.models.offline.dialogue.replies import agrees, ends_talk, refuses
from openplaybook.models.offline.dialogue.spoken_turns import CallMade, SpokenTurn, calls_made, turns_since_call
from openplaybook.models.offline.dialogue.turn_values import MOMENTS, TurnValues, values_read_out
from openplaybook.models.offline.dialogue.wishes import names_act, wants_more, wished_for
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.result_outcome import found_nothing, read_outcome
from openplaybook.models.offline.learned.lexemes import lexemes_of
from openplaybook.models.offline.learned.mentions import PLAIN_VALUES
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.utterance import utterance_of
from openplaybook.models.offline.learned.wants import NAMED
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import pick, scalars

_AGAIN = re.compile(
    r"\b(?:instead|(?:what|how) about|(?:will|would|does|do)\b.{1,120}\bwork\b|try|attempt|again|another)\b",
    re.IGNORECASE,
)
_LEAST_RIGHT = 0.3
"""Chance that a function is meant, from which on words ask for it."""
_CLEAR, _LEAST_CLEAR, _FAR = 0.3, 0.05, 8.0
"""What is added for a function that is clear by its verb alone, from which chance on, and how much likelier than any
other it is."""
_WISHED = 0.3
"""What is added to it for the words of its name and description, at most twice."""
_PUT_BEFORE = (
    r"\b(?:in|at|near|for|on|to|from|with|by|around|of|prefer|want|need|like|it|rather|say|mean|meant|actually|is)"
    r"\s+(?:the\s+|an?\s+|some\s+)?"
)
"""What stands before a value that takes the place of another."""
_MOST_CALLS = 3
"""The latest ones, whose arguments words may point back at."""
_NOTHING_FOUND = 0.2
"""What is taken off for what changes something, where no word speaks of doing and nothing was found to do it with."""
_LEAD = 0.25
"""By so much more another function must be meant than the one under way."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The state of a conversation after a turn of the user's."""

    function: str = ""
    """The function that is under way, or that was called last; empty where there is none."""
    values: Mapping[Path, JsonValue] = field(default_factory=dict[Path, JsonValue])
    """Values for it, whenever they were said."""
    news: frozenset[Path] = frozenset()
    """Which of them the latest turn gave, or changed."""
    is_done: bool = False
    """Whether it was called, and nothing was asked for since."""
    is_fresh: bool = False
    """Whether the latest turn asked for it, or accepted it."""
    agreed: bool = False
    refused: bool = False
    ended: bool = False
    """What the latest turn replied: agreed, turned something down, or wanted nothing more."""
    said: frozenset[Path] = frozenset()
    """Which of the news are the user's own words, not the agent's that were agreed to."""
    picked: bool = False
    """Whether the latest turn names something that was found."""
    calls: tuple[CallMade, ...] = ()
    """Made before, the latest last."""


def talk_of(situation: Situation) -> Talk:
    """The conversation up to the user's latest words."""
    calls = tuple(calls_made(situation.entries))
    talk = Talk(calls=calls)
    if calls and (book := situation.index.books.get(calls[-1].call.name)):
        talk = replace(talk, function=book.name, values=arguments_by_path(book, calls[-1]), is_done=True)
    for turn in turns_since_call(situation.entries):
        talk = _after(situation, talk, turn)
    return talk


def arguments_by_path(book: Book, made: CallMade) -> dict[Path, JsonValue]:
    """The arguments of a call by the paths of its slots."""
    values = {path: pick(made.call.arguments, path) for path in book.paths}
    return {path: value for path, value in values.items() if value is not None}


def tool_of(situation: Situation, name: str) -> LearnedTool | None:
    """A function as the learned planner knows it."""
    return next((tool for tool in situation.index.learned_tools if tool.name == name), None)


def _after(situation: Situation, talk: Talk, turn: SpokenTurn) -> Talk:
    agreed, refused = agrees(turn.text), refuses(turn.text)
    talk = replace(talk, agreed=agreed, refused=refused, ended=ends_talk(turn.text), news=frozenset())
    talk = replace(talk, is_fresh=False, picked=False)
    name = _asked_for(situation, talk, turn)
    book, tool = situation.index.books.get(name), tool_of(situation, name)
    if name != talk.function:
        talk = replace(talk, function=name, values={}, is_done=False, is_fresh=True)
        if book is not None and tool is not None:
            talk = replace(talk, values=_known_before(situation, talk, book, tool, turn))
    if book is None or tool is None:
        return talk
    said = dict(TurnValues(situation, book, tool, turn, talk.values).read())
    if talk.is_done and talk.calls:
        # "I like the Blue Hall" picks what was found; it is no city to look in.
        found = names_of_found(talk.calls[-1])
        fitting = {path: value for path, value in said.items() if path[-1] in found.get(str(value).casefold(), path)}
        talk, said = replace(talk, picked=len(fitting) < len(said)), fitting
        said = {path: value for path, value in said.items() if _is_changed(talk, tool, path, str(value), turn)}
    own, is_again = frozenset(said), agreed and _offers_again(talk, turn.agent)
    is_corrected = bool(said) and not agreed and not refused and reads_back(turn.agent)
    if is_corrected or (agreed and (is_again or (not talk.is_done and bid_in(turn.agent)))):
        read_out = values_read_out(situation, book, tool, turn.agent)
        known = said if is_again else {**talk.values, **said}
        said |= {path: value for path, value in read_out.items() if path not in known}
    news = frozenset(path for path, value in said.items() if _plain(talk.values.get(path)) != _plain(value))
    # "No, on the 12th" corrects, and a call that was made is asked for once more with another value.
    is_done = not news and (talk.is_done or (refused and not talk.is_fresh))
    return replace(talk, values={**talk.values, **said}, news=news, said=news & own, is_done=is_done)


def _is_changed(talk: Talk, tool: LearnedTool, path: Path, value: str, turn: SpokenTurn) -> bool:
    """Whether a text that a call was made with is plainly replaced: behind a preposition or a verb of wishing, asked
    for, or "how about Rome?". Else "sounds ideal" would be a city."""
    want = next(each for each in tool.wants if each.path == path)
    is_quantity = any(want.topics[topic] == NAMED for topic in LOOSE_TOPICS)
    if path not in talk.values or want.type != "string" or want.options or is_quantity:
        return True
    is_plain = value.casefold() in turn.text.casefold()
    return (
        not is_plain
        or path in asked_paths(turn.agent, tool)
        or _AGAIN.search(turn.text) is not None
        or re.search(_PUT_BEFORE + re.escape(value), turn.text, re.IGNORECASE) is not None
    )


def _offers_again(talk: Talk, agent: str) -> bool:
    """Whether the agent offers to try once more what came to nothing."""
    result = talk.calls[-1].result if talk.calls else None
    if not talk.is_done or result is None or not _AGAIN.search(agent):
        return False
    outcome = read_outcome(result)
    return outcome.is_error or found_nothing(outcome) or not any(True for _ in scalars(outcome.body))


def _known_before(
    situation: Situation, talk: Talk, book: Book, tool: LearnedTool, turn: SpokenTurn
) -> Mapping[Path, JsonValue]:
    """What is known of a function when it is asked for: by what it is about, and by what words point back at."""
    thing = thing_spoken_of(situation.entries)
    carried = carried_values(book, tool, talk.calls, thing, situation.entries)
    if talk.calls and not carried:
        last = talk.calls[-1].call
        carried = shared_values(book, tool, tool_of(situation, last.name), last.arguments)
    last_tool = tool_of(situation, talk.calls[-1].call.name) if talk.calls else None
    picked = identified(book, tool, last_tool, thing, turn.text)
    return {**carried, **picked, **pointed_at(book, tool, things_known(talk.calls, thing), turn.text)}


def things_known(calls: Sequence[CallMade], thing: JsonObject) -> list[JsonObject]:
    """What words may point back at: the thing that was found, then what was asked for, the latest first."""
    return [thing, *(made.call.arguments for made in reversed(calls[-_MOST_CALLS:]))]


def _plain(value: JsonValue) -> JsonValue:
    return value.casefold() if isinstance(value, str) else value


def _asked_for(situation: Situation, talk: Talk, turn: SpokenTurn) -> str:
    """The function that a turn asks for, or goes on with."""
    heard = _chances(situation, talk, turn.text)
    if talk.function and not talk.is_done:
        best = _best(heard)
        is_other = best != talk.function and heard.get(best, 0.0) > max(heard.get(talk.function, 0.0) + _LEAD, 0.5)
        return best if is_other else talk.function
    if talk.is_done and wants_more(turn.text):
        return talk.function
    other = _best({name: chance for name, chance in heard.items() if name != talk.function})
    if other and heard[other] >= heard.get(talk.function, 0.0):
        return other
    bid = bid_in(turn.agent) if talk.agreed else ""
    offered = {name: one for name, one in _chances(situation, talk, bid).items() if name != talk.function}
    return _best(offered) or _led_to(situation, talk, turn) or talk.function


def _led_to(situation: Situation, talk: Talk, turn: SpokenTurn) -> str:
    """The function that the agent has begun to speak of, where the user answers to that: it asks what only this
    function takes, reads back values for it, or offers it; or the user says when, which only this function takes."""
    if not talk.is_done or not talk.function or "?" in turn.text or talk.refused or talk.ended:
        return ""
    last, known = tool_of(situation, talk.function), _known_of_last(situation, talk)
    if last is None or (asked_paths(turn.agent, last) and not reads_back(turn.agent)):
        return ""
    # "Hmm, let me think" takes up no offer; "two nights then" does.
    says_value = any(one.kind in PLAIN_VALUES for one in utterance_of(turn.text).mentions)
    if reads_back(turn.agent) and not (says_value or talk.agreed):
        return ""
    bids = wished_for(bid_in(turn.agent) if says_value else "", situation.index.learned_tools, frozenset())
    clearness = {
        tool.name: _clearness(situation, turn, tool, last) + bids.get(tool.name, 0.0)
        for tool in situation.index.learned_tools
        if tool.name != talk.function and _is_careful(situation, tool.name) and is_partly_about(tool, known)
    }
    return _best({name: clear for name, clear in clearness.items() if clear})


def _clearness(situation: Situation, turn: SpokenTurn, tool: LearnedTool, last: LearnedTool) -> float:
    """How many values of a function the agent asks for, how large a part of what it needs is read back, and how much
    the user says that it takes and the last one does not."""
    book = situation.index.books.get(tool.name)
    if book is None:
        return 0.0
    kinds = {one.kind for one in utterance_of(turn.text).mentions}
    clear = float(sum(kind in kinds and _takes_only(tool, last, topic) for topic, kind in MOMENTS.items()))
    if not reads_back(turn.agent):
        return clear + len(asked_paths(turn.agent, tool))
    needed = {want.path for want in tool.wants if want.required}
    read_out = needed & values_read_out(situation, book, tool, turn.agent).keys()
    return clear + (len(read_out) / len(needed) if len(read_out) * 2 >= len(needed) > 0 else 0.0)


def _takes_only(tool: LearnedTool, other: LearnedTool, topic: str) -> bool:
    """Whether a function needs something of a topic that the other does not take."""
    needed = any(want.required and want.topics[topic] for want in tool.wants)
    return needed and not any(want.topics[topic] for want in other.wants)


def _best(chances: Mapping[str, float]) -> str:
    return max(chances, key=lambda name: chances[name], default="")


def _chances(situation: Situation, talk: Talk, text: str) -> dict[str, float]:
    """The functions that some words ask for, and how likely it is, as far as it is likely enough."""
    if not text:
        return {}
    near = _nearby(situation, talk)
    tools = situation.index.learned_tools
    wished = wished_for(text, tools, near)
    heard = {call.tool.name: call.right for call in functions_heard(situation, text)}
    acts = names_act(text)
    clearest = _clearest(text, tools, heard)
    chances = {
        tool.name: heard.get(tool.name, 0.0)
        + (_CLEAR if tool.name == clearest else 0.0)
        + _WISHED * min(2.0, wished.get(tool.name, 0.0))
        - (_NOTHING_FOUND if not acts and tool.name not in near and _is_careful(situation, tool.name) else 0.0)
        for tool in tools
    }
    return {name: chance for name, chance in chances.items() if chance >= _LEAST_RIGHT}


def _clearest(text: str, tools: Sequence[LearnedTool], heard: Mapping[str, float]) -> str:
    """The function whose verb is said and that is far likelier than any other, though most of its values are missing;
    empty where there is none."""
    best = _best(heard)
    others = max((chance for name, chance in heard.items() if name != best), default=0.0)
    said = {lexeme.stem for lexeme in lexemes_of(text)}
    has_verb = any(tool.name == best and tool.verb in said for tool in tools)
    return best if has_verb and heard[best] >= max(_LEAST_CLEAR, _FAR * others) else ""


def _is_careful(situation: Situation, name: str) -> bool:
    return situation.index.books[name].is_careful


def _known_of_last(situation: Situation, talk: Talk) -> JsonObject:
    """What the last call asked for, and the thing that was found by it."""
    return {**talk.calls[-1].call.arguments, **thing_spoken_of(situation.entries)} if talk.calls else {}


def _nearby(situation: Situation, talk: Talk) -> frozenset[str]:
    """The functions that are about what was found last."""
    if not talk.calls:
        return frozenset()
    known = _known_of_last(situation, talk)
    return frozenset(
        tool.name
        for tool in situation.index.learned_tools
        if tool.name != talk.calls[-1].call.name and is_about(tool, known)
    )
