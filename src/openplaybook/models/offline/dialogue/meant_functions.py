"""Which function a turn of a conversation asks for, goes on with, or takes up from the agent's words."""

from collections.abc import Mapping, Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.dialogue.agent_moves import asked_paths
from openplaybook.models.offline.dialogue.finders import standing_out
from openplaybook.models.offline.dialogue.heard_words import functions_heard
from openplaybook.models.offline.dialogue.moment_cues import MOMENTS
from openplaybook.models.offline.dialogue.read_backs import bid_in, named_paths, reads_back
from openplaybook.models.offline.dialogue.references import (
    MOST_CALLS,
    found_in_words,
    is_about,
    is_partly_about,
    points_back,
    thing_spoken_of,
)
from openplaybook.models.offline.dialogue.replies import without_questions
from openplaybook.models.offline.dialogue.spoken_turns import SpokenTurn
from openplaybook.models.offline.dialogue.talk_state import Talk, is_careful, known_before, offers_again, tool_of
from openplaybook.models.offline.dialogue.turn_values import values_read_out
from openplaybook.models.offline.dialogue.wishes import names_act, wants_more, wished_for
from openplaybook.models.offline.learned.lexemes import lexemes_of, stem_of
from openplaybook.models.offline.learned.mentions import PLAIN_VALUES
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.utterance import utterance_of
from openplaybook.models.offline.situation import Situation

_LEAST_RIGHT = 0.3
"""Chance that a function is meant, from which on words ask for it."""
_CLEAR, _LEAST_CLEAR, _FAR = 0.3, 0.05, 8.0
"""What is added for a function that is clear by its verb alone, from which chance on, and how much likelier than any
other it is."""
_WISHED = 0.3
"""What is added to it for the words of its name and description, at most twice."""
_NOTHING_FOUND = 0.2
"""What is taken off for what changes something, where no word speaks of doing and nothing was found to do it with."""
_LEAD = 0.25
"""By so much more another function must be meant than the one under way."""


def asked_for(situation: Situation, talk: Talk, turn: SpokenTurn) -> tuple[str, bool]:
    """The function that a turn asks for, or goes on with, and whether it is one that the agent has offered."""
    bid = bid_in(turn.agent) if talk.agreed else ""
    heard = _chances(situation, talk, without_questions(turn.text) if bid else turn.text)
    if not talk.function and (collected := _collected_for(situation, talk, turn)):
        # "I want to buy", to what the agent asks of a house, wishes for no bus ticket.
        rights = {call.tool.name: call.right for call in functions_heard(situation, turn.text)}
        best = _best(heard)
        return (best if best and rights.get(best, 0.0) >= _LEAST_RIGHT else collected), False
    if talk.function and not talk.is_done:
        best = _best(heard)
        is_other = best != talk.function and heard.get(best, 0.0) > max(heard.get(talk.function, 0.0) + _LEAD, 0.5)
        if is_other:
            return best, False
        other = _read_out_of(situation, talk, turn) if bid or reads_back(turn.agent) else ""
        return other or talk.function, bool(other)
    is_search = talk.is_done and not is_careful(situation, talk.function)
    if is_search and wants_more(turn.text) and not offers_again(situation, talk, turn.agent):
        return talk.function, False
    other = _best({name: chance for name, chance in heard.items() if name != talk.function})
    if other and heard[other] >= heard.get(talk.function, 0.0):
        return other, False
    if talk.agreed and offers_again(situation, talk, turn.agent):
        return talk.function, False
    if bid and (other := _read_out_of(situation, talk, turn)):
        return other, True
    wished = wished_for(bid, situation.index.learned_tools, frozenset())
    offered = {
        name: one
        for name, one in _chances(situation, talk, bid).items()
        if name != talk.function and (name in wished or is_careful(situation, name))
    }
    if offered:
        return _best(offered), True
    led_to = _led_to(situation, talk, turn)
    return led_to or talk.function, bool(led_to)


def _collected_for(situation: Situation, talk: Talk, turn: SpokenTurn) -> str:
    """The function for which the agent asks something, where nothing that was said asks clearly for one; empty where
    there is none, or what was said tells none of them from the others."""
    if not talk.unheard:
        return ""
    asking = [tool.name for tool in situation.index.learned_tools if asked_paths(turn.agent, tool)]
    chances = dict.fromkeys(asking, 0.0)
    for text in (*(earlier.text for earlier in talk.unheard), turn.text):
        for call in functions_heard(situation, text):
            if call.tool.name in chances:
                chances[call.tool.name] += call.right
    best = standing_out(situation, chances, _CLEARLY)
    return best if best and chances[best] >= _LEAST_COLLECTED else ""


_LEAST_COLLECTED, _CLEARLY = 0.03, 1.5
"""What the chances of a function that is meant come to, and how much more than those of any other."""


def _read_out_of(situation: Situation, talk: Talk, turn: SpokenTurn) -> str:
    """The function that changes something and most of whose values the agent's words read out, more of them than of
    the one under way; empty where there is none."""
    tools = [tool for tool in situation.index.learned_tools if tool.name != talk.function]
    counts = {tool.name: _read_out_count(situation, talk, turn, tool) for tool in tools}
    best = _best({name: count for name, count in counts.items() if count and is_careful(situation, name)})
    own = tool_of(situation, talk.function)
    return best if best and own and counts[best] > _read_out_count(situation, talk, turn, own) else ""


_MOSTLY, _NOT_KNOWN = 0.75, 0.75
"""The share of what a function needs that makes most of it, and what a value counts that nobody knew before."""


def _read_out_count(situation: Situation, talk: Talk, turn: SpokenTurn, tool: LearnedTool) -> float:
    """How many of the values that a function needs the agent's words name; 0 where it is not most of them."""
    needed = {want.path for want in tool.wants if want.required}
    book = situation.index.books.get(tool.name)
    if book is None or not needed:
        return 0.0
    known = {path: value for path, value in talk.values.items() if path in book.paths}
    if tool.name != talk.function:
        known = {**known_before(situation, talk, book, tool, turn), **known}
    named = needed & named_paths(turn.agent, known, situation.today)
    if tool.name != talk.function and not _own_words(situation, talk, tool) & _stems(turn.agent):
        return 0.0
    read_out = needed & values_read_out(situation, book, tool, turn.agent).keys() - named
    is_most = len(named) + len(read_out) >= _MOSTLY * len(needed)
    return len(named) + _NOT_KNOWN * len(read_out) if is_most or tool.name == talk.function else 0.0


def _own_words(situation: Situation, talk: Talk, tool: LearnedTool) -> frozenset[str]:
    """The words of a function's name that the one under way does not have, nor most others: a search is confirmed
    without a word of tickets."""
    words = {_SAME.get(word, word) for word in tool.name_stems}
    own = tool_of(situation, talk.function)
    others = [one for one in situation.index.learned_tools if one is not tool]
    often = {word for word in words if sum(word in one.name_stems for one in others) >= _OFTEN}
    return frozenset(words - often - (own.name_stems if own else frozenset()))


_OFTEN = 3


def _stems(text: str) -> set[str]:
    return {_SAME.get(each.stem, each.stem) for each in lexemes_of(text) if not each.is_small}


_SAME = {stem_of(word): "book" for word in ("book", "reserve", "schedule", "reservation", "booking")}
"""Words with which agents read any booking back."""


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
        if tool.name != talk.function and is_careful(situation, tool.name) and is_partly_about(tool, known)
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
    near = _nearby(situation, talk, text)
    tools = situation.index.learned_tools
    wished = wished_for(text, tools, near)
    heard = {call.tool.name: call.right for call in functions_heard(situation, text)}
    acts = names_act(text)
    is_acting = acts and any(is_careful(situation, name) for name in near)
    clearest = _clearest(text, tools, heard) or _clear_question(situation, talk, text)
    chances = {
        tool.name: heard.get(tool.name, 0.0)
        + (_CLEAR if tool.name == clearest else 0.0)
        + _WISHED * min(2.0, wished.get(tool.name, 0.0))
        - (_NOTHING_FOUND if not acts and tool.name not in near and is_careful(situation, tool.name) else 0.0)
        - (_NOTHING_FOUND if is_acting and not is_careful(situation, tool.name) else 0.0)
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


def _clear_question(situation: Situation, talk: Talk, text: str) -> str:
    """The function that only looks and that is far likelier than any other, where words point back at what it takes, or
    say all of it: "will it rain there?"; empty where there is none, or nothing was found yet."""
    calls = functions_heard(situation, text) if talk.calls else ()
    if not calls or is_careful(situation, calls[0].tool.name) or calls[0].tool.name == talk.function:
        return ""
    best, others = calls[0], max((call.right for call in calls[1:]), default=0.0)
    if points_back(best.tool, text):
        return best.tool.name if best.right >= max(_LEAST_POINTED, _POINTED * others) else ""
    is_whole = not best.filling.choice.missing and any(want.required for want in best.tool.wants)
    return best.tool.name if is_whole and best.right >= max(_LEAST_WHOLE, _FAR * others) else ""


_LEAST_POINTED, _POINTED, _LEAST_WHOLE = 0.02, 4.0, 0.15
"""The least chance where words point back, and how much likelier than any other it is then; the least where all that a
function needs is said."""


def _known_of_last(situation: Situation, talk: Talk) -> JsonObject:
    """What the last call asked for, and the thing that was found by it."""
    return {**talk.calls[-1].call.arguments, **thing_spoken_of(situation.entries)} if talk.calls else {}


def _nearby(situation: Situation, talk: Talk, text: str) -> frozenset[str]:
    """The functions that are about what was found last, or about what was found earlier and some words name."""
    if not talk.calls:
        return frozenset()
    known = [_known_of_last(situation, talk)]
    for made in talk.calls[-MOST_CALLS:-1]:
        if named := found_in_words((made,), text):
            known.append({**made.call.arguments, **named})
    return frozenset(
        tool.name
        for tool in situation.index.learned_tools
        if tool.name != talk.calls[-1].call.name and any(is_about(tool, each) for each in known)
    )
