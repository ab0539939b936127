"""What a conversation has come to since the latest call: the function under way, and the values that were said for it.

It is read from the conversation itself, so that it is the same whoever spoke for the agent before.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.base import UserText
from openplaybook.models.offline.dialogue.agent_moves import asked_paths
from openplaybook.models.offline.dialogue.finders import finder_of
from openplaybook.models.offline.dialogue.meant_functions import asked_for
from openplaybook.models.offline.dialogue.read_backs import bid_in, named_paths, reads_back, told_flag
from openplaybook.models.offline.dialogue.references import (
    LOOSE_TOPICS,
    found_in_words,
    names_of_found,
    names_thing,
    thing_spoken_of,
)
from openplaybook.models.offline.dialogue.replies import agrees, asks_of_found, ends_talk, refuses, without_questions
from openplaybook.models.offline.dialogue.spoken_turns import CallMade, SpokenTurn, calls_made, turns_since_call
from openplaybook.models.offline.dialogue.talk_state import AGAIN, Talk, known_before, offers_again, tool_of
from openplaybook.models.offline.dialogue.turn_values import TurnValues, values_read_out, values_told
from openplaybook.models.offline.dialogue.value_words import is_flag
from openplaybook.models.offline.dialogue.wishes import wants_more
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.wants import NAMED
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import pick

_PUT_BEFORE = (
    r"\b(?:in|at|near|for|on|to|from|with|by|around|of|prefer|want|need|like|it|rather|say|mean|meant|actually|is)"
    r"\s+(?:the\s+|an?\s+|some\s+)?"
)
"""What stands before a value that takes the place of another."""


def talk_of(situation: Situation) -> Talk:
    """The conversation up to the user's latest words."""
    calls = tuple(calls_made(situation.entries))
    talk = Talk(calls=calls)
    if calls and (book := situation.index.books.get(calls[-1].call.name)):
        talk = replace(talk, function=book.name, values=arguments_by_path(book, calls[-1]), is_done=True)
    turns = turns_since_call(situation.entries)
    after = reduce(lambda before, turn: _after(situation, before, turn), turns, talk)
    is_open = not (after.is_done or after.is_offered or after.read_back)
    finding = finder_of(situation, after.function, after.values) if is_open and turns else ""
    if not finding:
        return after
    # "Book me a room in Oslo": which one, a search is to tell.
    return reduce(lambda before, turn: _after(situation, before, turn, function=finding), turns, talk)


def arguments_by_path(book: Book, made: CallMade) -> dict[Path, JsonValue]:
    """The arguments of a call by the paths of its slots."""
    values = {path: pick(made.call.arguments, path) for path in book.paths}
    return {path: value for path, value in values.items() if value is not None}


def _after(situation: Situation, talk: Talk, turn: SpokenTurn, *, function: str = "") -> Talk:
    """The conversation after a turn, which is about `function` where that is given."""
    agreed, refused = agrees(turn.text), refuses(turn.text)
    talk = replace(talk, agreed=agreed, refused=refused, ended=ends_talk(turn.text), news=frozenset())
    talk = replace(talk, is_fresh=False, picked=False, is_offered=False)
    name, is_offered = (function, False) if function else asked_for(situation, talk, turn)
    book, tool = situation.index.books.get(name), tool_of(situation, name)
    if not name:
        talk = replace(talk, unheard=(*talk.unheard, turn))
    if name != talk.function:
        talk = replace(talk, function=name, values={}, is_done=False, is_fresh=True, read_back={})
        talk = replace(talk, is_offered=is_offered)
        if book is not None and tool is not None:
            values = dict(known_before(situation, talk, book, tool, turn))
            for earlier in talk.unheard:
                values |= TurnValues(situation, book, tool, earlier, values).read()
            talk = replace(talk, values=values, unheard=())
    return talk if book is None or tool is None else _with_values(situation, talk, book, tool, turn)


def _with_values(situation: Situation, talk: Talk, book: Book, tool: LearnedTool, turn: SpokenTurn) -> Talk:
    """The conversation with the values that a turn says, or agrees to."""
    is_again = talk.agreed and offers_again(situation, talk, turn.agent)
    is_bid = is_again or bool(bid_in(turn.agent)) or _states_all(situation, talk, tool, turn.agent)
    is_reply = talk.agreed and is_bid
    own_words = replace(turn, text=without_questions(turn.text)) if is_reply else turn
    said = dict(TurnValues(situation, book, tool, own_words, talk.values).read())
    if talk.is_done and talk.calls:
        fitting = _not_picked(talk, said)
        talk = replace(talk, picked=len(fitting) < len(said))
        said = {path: value for path, value in fitting.items() if _is_changed(talk, tool, path, str(value), turn)}
        if asks_of_found(turn.text) and not wants_more(turn.text):
            # "Do they have outdoor seating?" looks for no other kitchen.
            said = {path: value for path, value in said.items() if not _is_name(tool, path)}
    own = frozenset(said)
    is_corrected = bool(said) and not talk.agreed and not talk.refused and reads_back(turn.agent)
    if is_corrected or is_again or (is_reply and not talk.is_done):
        offered = _offered_values(situation, talk, book, tool, turn, is_again=is_again, is_corrected=is_corrected)
        heard = {} if is_again or is_corrected else _heard_better(situation, talk, book, tool, turn)
        said = {**offered, **heard, **said}
    # What stands for a value that was left out changes no call.
    is_same = talk.is_done and not wants_more(turn.text)
    defaults = {want.path: want.default for want in tool.wants} if is_same else {}
    before = {path: talk.values.get(path, defaults.get(path)) for path in said}
    news = frozenset(path for path, value in said.items() if _plain(before[path]) != _plain(value))
    # "No, on the 12th" corrects, and a call that was made is asked for once more with another value.
    is_refusal = talk.refused and not talk.is_fresh and not _objects(turn)
    is_done = not news and (talk.is_done or is_refusal)
    # What was tried once is known to both.
    known, values = talk.values if is_again else talk.read_back, {**talk.values, **said}
    if is_reply and not is_again:
        known = _not_contradicted(situation, book, tool, turn, known)
    named = _named(situation, tool, values, turn) if is_bid else frozenset[Path]()
    # Yes or no to the very question needs no reading back.
    flags = {want.path for want in tool.wants if is_flag(want)} & own
    named |= {path for path in flags if told_flag(path[-1], turn.agent.casefold()) is not None}
    read_back = {path: value for path, value in values.items() if path in named or known.get(path) == value}
    talk = replace(talk, values=values, news=news, said=news & own, is_done=is_done, is_bid=is_bid)
    return replace(talk, read_back={} if talk.refused and not news else read_back)


def _not_contradicted(
    situation: Situation, book: Book, tool: LearnedTool, turn: SpokenTurn, before: Mapping[Path, JsonValue]
) -> dict[Path, JsonValue]:
    """What was read back before and the agent's latest words say nothing else of."""
    read_out = _all_read_out(situation, book, tool, turn)
    return {path: value for path, value in before.items() if _plain(read_out.get(path, value)) == _plain(value)}


def _all_read_out(situation: Situation, book: Book, tool: LearnedTool, turn: SpokenTurn) -> dict[Path, JsonValue]:
    """The values that the agent's words name; names as they were found."""
    found = found_in_words(tuple(calls_made(situation.entries)), turn.agent)
    names = {want.path: found[want.name] for want in tool.wants if names_thing(want) and want.name in found}
    return {**values_read_out(situation, book, tool, turn.agent), **names}


def _objects(turn: SpokenTurn) -> bool:
    """Whether a no to values that were read back says more than no: something about them is wrong."""
    return reads_back(turn.agent) and len(turn.text.split()) > _SHORT_NO


_SHORT_NO = 2


def _not_picked(talk: Talk, said: Mapping[Path, JsonValue]) -> dict[Path, JsonValue]:
    """The values that name nothing that was found: "I like the Blue Hall" picks it, and is no city to look in."""
    found = names_of_found(talk.calls[-1])
    return {
        path: value
        for path, value in said.items()
        if str(value).isdecimal() or path[-1] in found.get(str(value).casefold(), path)
    }


def _offered_values(
    situation: Situation,
    talk: Talk,
    book: Book,
    tool: LearnedTool,
    turn: SpokenTurn,
    *,
    is_again: bool,
    is_corrected: bool,
) -> dict[Path, JsonValue]:
    """What the agent's words say beside, or instead of, what is known. A yes to another day than the user's own is no
    yes to either, so what the user said is kept."""
    named = named_paths(turn.agent, talk.values, situation.today)
    told = named_paths(_told_by_user(situation), talk.values, situation.today)
    kept = () if is_again else talk.values if is_corrected else talk.read_back.keys() | named | told
    others = {_plain(value) for path, value in talk.values.items() if path in named}
    return {
        path: value
        for path, value in _all_read_out(situation, book, tool, turn).items()
        if path not in kept
        and (path in named or _plain(value) not in others)
        and (not is_again or _is_instead(tool, path, value, turn))
    }


def _heard_better(
    situation: Situation, talk: Talk, book: Book, tool: LearnedTool, turn: SpokenTurn
) -> dict[Path, JsonValue]:
    """What the agent's words read back otherwise than it was taken: a day that begins what was taken to end then,
    another number, yes for no, the whole name of which a part was taken, a name and a place that were taken for each
    other. A yes is a yes to what was read back."""
    told = {
        path: value
        for path, value in values_told(situation, book, tool, turn.agent).items()
        if path in talk.values and not named_paths(str(value), {path: talk.values[path]}, situation.today)
    }
    read_out = {
        path: value
        for path, value in _all_read_out(situation, book, tool, turn).items()
        if path in talk.values and _is_name(tool, path)
    }
    wholes = {path: value for path, value in read_out.items() if _is_whole_of(str(value), str(talk.values[path]))}
    return {**_changed_places(tool, talk, read_out, turn.agent), **wholes, **told}


def _changed_places(
    tool: LearnedTool, talk: Talk, read_out: Mapping[Path, JsonValue], agent: str
) -> dict[Path, JsonValue]:
    """A name and a place of which each was taken for the other: "at Mario's in Oakland" tells which is which."""
    names = {want.path: want for want in tool.wants if names_thing(want) and want.path in talk.values}
    places = {path for path, want in names.items() if want.topics["place"] == NAMED}
    changed: dict[Path, JsonValue] = {}
    for place in places & read_out.keys():
        heard, own = read_out[place], talk.values[place]
        swapped = [path for path in names.keys() - places if _plain(talk.values[path]) == _plain(heard)]
        is_told = re.search(rf"\bin {re.escape(str(heard))}(?!\w)", agent, re.IGNORECASE) is not None
        if len(swapped) == 1 and is_told and _plain(own) != _plain(heard) and str(own).casefold() in agent.casefold():
            changed |= {place: heard, swapped[0]: own}
    return changed


def _is_whole_of(whole: str, part: str) -> bool:
    """Whether a text has another in it and is longer by some words."""
    is_in = re.search(rf"(?<!\w){re.escape(part.casefold())}(?!\w)", whole.casefold()) is not None
    is_longer = len(whole.split()) > len(part.split()) or whole.casefold()[len(part) :] in ("'s", "’s")
    return bool(part) and is_in and is_longer


def _is_name(tool: LearnedTool, path: Path) -> bool:
    """Whether a parameter takes the name of a thing."""
    return any(want.path == path and names_thing(want) for want in tool.wants)


def _named(
    situation: Situation, tool: LearnedTool, values: Mapping[Path, JsonValue], turn: SpokenTurn
) -> frozenset[Path]:
    """The values that the agent's words name, and with a thing that was found what is known of it: who sings the song
    that is named is agreed to with it."""
    named = named_paths(turn.agent, values, situation.today)
    things = thing_spoken_of(situation.entries)
    # Of a room its name tells which one it is, and the city does not.
    telling = (want for want in tool.wants if names_thing(want) and want.topics["place"] != NAMED)
    by_name = {want.path for want in telling if want.path in named}
    if not any(_plain(values[path]) == _plain(things.get(path[-1])) for path in by_name):
        return named
    return named | {path for path, value in values.items() if path[-1] in things and things[path[-1]] == value}


def _told_by_user(situation: Situation) -> str:
    """All that the user has said lately."""
    return " \n".join(entry.text for entry in situation.entries if isinstance(entry, UserText))[-_MOST_TOLD:]


_MOST_TOLD = 2000


def _states_all(situation: Situation, talk: Talk, tool: LearnedTool, agent: str) -> bool:
    """Whether the agent's words name all that a function needs and that was not read back before, as a statement:
    "Playing Halo in the kitchen."."""
    needed = {want.path for want in tool.wants if want.required}
    is_under_way = not (talk.is_done or talk.is_fresh)
    if len(needed) < _FEWEST_STATED or not is_under_way or not needed <= talk.values.keys() or asked_paths(agent, tool):
        return False
    named = named_paths(agent, talk.values, situation.today)
    return bool(named) and needed <= named | talk.read_back.keys()


_FEWEST_STATED = 2
"""Values that a statement must name: one alone may be named for anything."""


def _is_instead(tool: LearnedTool, path: Path, value: JsonValue, turn: SpokenTurn) -> bool:
    """Whether the agent offers a value instead of one that was tried: a name only in the very sentence that does so."""
    want = next(each for each in tool.wants if each.path == path)
    if want.type != "string" or want.options or any(want.topics[topic] == NAMED for topic in LOOSE_TOPICS):
        return True
    sentences = (match.group() for match in _SENTENCE.finditer(turn.agent))
    return any(AGAIN.search(each) and str(value).casefold() in each.casefold() for each in sentences)


_SENTENCE = re.compile(r"[^.!?]+[.!?]*")


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
        or AGAIN.search(turn.text) is not None
        or re.search(_PUT_BEFORE + re.escape(value), turn.text, re.IGNORECASE) is not None
    )


def _plain(value: JsonValue) -> JsonValue:
    return value.casefold() if isinstance(value, str) else value
