"""A request that is made over several turns, in a playbook without examples: what the conversation has come to decides.

It knows what was said turns ago, what the agent has just asked for or offered, what was found, and what words point
back at.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import AgentText, Entry, FunctionCall, UserText
from openplaybook.models.offline.assurance import unused
from openplaybook.models.offline.call_attempt import KnownValues, attempt, known_of
from openplaybook.models.offline.candidates import Candidate
from openplaybook.models.offline.consent import Consent, consent_to
from openplaybook.models.offline.dialogue.finders import finder_of, standing_out
from openplaybook.models.offline.dialogue.read_backs import is_amount, named_paths
from openplaybook.models.offline.dialogue.references import names_thing, pointed_at, thing_spoken_of, things_not_named
from openplaybook.models.offline.dialogue.replies import agrees, asked_members, named_members, questions_beside
from openplaybook.models.offline.dialogue.spoken_turns import calls_made
from openplaybook.models.offline.dialogue.talk import talk_of
from openplaybook.models.offline.dialogue.talk_state import Talk, things_known, tool_of
from openplaybook.models.offline.dialogue.wishes import names_act, says_wish, wants_more, wished_for
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.small_talk import kind_of
from openplaybook.models.offline.language.tokenizer import identifier_words
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned_values import proposals_of
from openplaybook.models.offline.planner_state import PlannerDecision
from openplaybook.models.offline.result_answers import told_items
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.proposals import Proposal
from openplaybook.models.offline.slots.slot_values import arguments_of, scalars, spoken
from openplaybook.models.offline.speech.forces import Force

_READ_IN = "en"
"""What words mean was learned of cases in this language."""


def dialogue_request(situation: Situation) -> PlannerDecision | None:
    """Go on with what is under way, answer about what was found, or take note of a reply; None where the words begin
    something, or say nothing that is known."""
    if not _is_open(situation):
        return None
    talk = talk_of(situation)
    book, tool = situation.index.books.get(talk.function), tool_of(situation, talk.function)
    if book is None or tool is None or not book.lessons or _is_plain_wish(situation, talk, book):
        return None
    thing = thing_spoken_of(situation.entries)
    if talk.is_fresh and not talk.agreed and (named := named_members(thing, situation.text)):
        # "How many classes do I have left?" asks no more for a list of classes where their number was found.
        needed = {path for path, lesson in book.paths.items() if lesson.slot.always_required}
        if not needed <= talk.values.keys():
            return _told(situation, named)
    if (
        talk.is_done
        and not (talk.is_fresh or talk.news)
        and wants_more(situation.text)
        and not names_act(situation.text)
    ):
        others = things_not_named(situation.entries)
        return _others(situation, others) if others else None
    if not (talk.is_fresh or talk.news):
        members = asked_members(thing, situation.text)
        if members and not (talk.agreed and not talk.is_done):
            return _told(situation, members)
        is_yes = talk.agreed and talk.is_bid and not talk.is_done
        if talk.refused or (talk.ended and not is_yes):
            return None if kind_of(situation.text) else _noted(situation)
    if talk.is_done and not talk.news:
        return _noted(situation) if talk.agreed or talk.picked else None
    if not (talk.is_fresh or talk.news or talk.agreed):
        return None
    return _go_on(situation, talk, book)


def pointed_answer(situation: Situation) -> PlannerDecision | None:
    """An answer that points back: "on the same day"."""
    pending = situation.state.pending
    if pending is None or situation.index.is_taught or len(situation.words.reading.words) > _SHORT:
        return None
    book, tool = situation.index.books.get(pending.function), tool_of(situation, pending.function)
    if book is None or tool is None or pending.path not in book.paths or situation.speech.is_question:
        return None
    things = things_known(tuple(calls_made(situation.entries)), thing_spoken_of(situation.entries))
    value = pointed_at(book, tool, things, situation.text).get(pending.path)
    if value is None:
        return None
    proposals = [Proposal(book.paths[pending.path].slot, value, ((0, 0),), "conversation", 1.0)]
    known = known_of(situation.state, book)
    return attempt(situation, book, proposals, "pointed_answer", known=known, consent=Consent.UNSURE)


_SHORT = 5
"""Words of an answer that only points back."""


def wished_request(situation: Situation) -> PlannerDecision | None:
    """Ask what a function needs that a wish names by its word alone: "I need a bus". It is never called by that."""
    tools = situation.index.learned_tools
    if situation.index.is_taught or situation.only_reads or not _is_read(situation) or situation.speech.is_question:
        return None
    wished = wished_for(situation.words.reading.text, tools, frozenset())
    for name in sorted(wished, key=lambda name: -wished[name])[:1]:
        book = situation.index.books[name]
        consent = consent_to(situation, Candidate(book, 1.0, (), "", has_word=True))
        decision = attempt(situation, book, (), "wished_request", consent=consent)
        if consent is not Consent.REFUSED and not decision.calls and "missing" in decision.evidence:
            return decision
    return _vague_request(situation) if says_wish(situation.words.reading.text) else None


def _vague_request(situation: Situation) -> PlannerDecision | None:
    """Ask what a function needs that a wish comes near in meaning, and no other: "I need to find a salon". It is never
    called by that."""
    nearest = max(zip(situation.meanings or (), situation.index.learned_tools, strict=False), default=None, key=_first)
    if nearest is None or len(situation.learned) < _FEWEST or nearest[0] < _NEAR:
        return None
    chances = {call.tool.name: call.right for call in situation.learned}
    best = standing_out(situation, chances, _CLEARLY)
    if not best or chances[best] < _LEAST_VAGUE:
        return None
    pair = (finder_of(situation, best, {}), best)
    if nearest[1].name not in pair and finder_of(situation, nearest[1].name, {}) != best:
        return None
    finding = next(call for name in pair for call in situation.learned if call.tool.name == name)
    book = situation.index.books[finding.tool.name]
    proposals = [each for each in proposals_of(situation, book, finding.filling) if each.score >= _LEAST_SURE]
    decision = attempt(situation, book, proposals, "vague_request", consent=Consent.UNSURE)
    return decision if not decision.calls and "missing" in decision.evidence else None


def _first(pair: tuple[float, LearnedTool]) -> float:
    return pair[0]


_FEWEST = 2
"""Functions among which a wish can be told to be for one."""
_LEAST_SURE = 0.5
"""Of the values that are taken from such a wish."""
_NEAR, _LEAST_VAGUE, _CLEARLY = 0.35, 0.02, 2.0
"""How near the nearest must be in meaning, the least chance that it is meant, and how much more than any other."""


def _is_read(situation: Situation) -> bool:
    reading = situation.words.reading
    return reading.language == _READ_IN or not reading.is_certain


def _is_open(situation: Situation) -> bool:
    """Whether there is a conversation, and nothing but it tells what to do."""
    if situation.index.is_taught or situation.is_part or situation.only_reads or not _is_read(situation):
        return False
    # Words that were not understood are not made plainer by what we said to them.
    is_answer = bool(situation.agent_text) and not situation.agent_text.startswith(situation.wording.not_understood)
    return situation.state.pending is None and is_answer


def _is_plain_wish(situation: Situation, talk: Talk, book: Book) -> bool:
    """Whether the latest words alone ask for something that changes something, or deny it: the rules judge both."""
    best = next(iter(situation.candidates), None)
    is_all_said = talk.news >= talk.values.keys()
    is_denied = any(clause.force is Force.DENIED for clause in situation.speech.with_any(book.acts))
    is_meant = best is not None and best.book is book and best.has_word and best.score >= situation.threshold
    return book.is_careful and is_meant and (is_all_said or is_denied)


def _go_on(situation: Situation, talk: Talk, book: Book) -> PlannerDecision:
    proposals = [
        Proposal(book.paths[path].slot, talk.values[path], ((0, 0),), "conversation", 1.0)
        for path in sorted(talk.news)
        if path in book.paths
    ]
    known = KnownValues(arguments_of({path: value for path, value in talk.values.items() if path not in talk.news}))
    confirmed = book.is_careful and _has_confirmed(situation, talk)
    return attempt(
        situation, book, proposals, "dialogue_request", known=known, consent=Consent.UNSURE, confirmed=confirmed
    )


def _has_confirmed(situation: Situation, talk: Talk) -> bool:
    """Whether the user agrees to what the agent, in other words than the planner's, has read out, and neither doubts
    it nor says another value. What is asked beside that doubts nothing."""
    if not talk.agreed or talk.refused or talk.is_done or talk.said or situation.is_cut:
        return False
    greeting = len(situation.text) - len(situation.words.reading.text)
    beside = [(start - greeting, end - greeting) for start, end in questions_beside(situation.text)]
    clauses = [each for each in situation.speech.clauses if not _is_in((each.start + each.end) // 2, beside)]
    words = situation.words.reading.text
    is_plain = all(
        clause.withdraws is None and (clause.force is Force.PLAIN or agrees(words[clause.start : clause.end]))
        for clause in clauses
    )
    spans = [span for span in unused((), situation.words) if not _is_in(span.start, beside)]
    other = [span for span in spans if span.text.casefold() not in situation.agent_text.casefold()]
    if not is_plain or other or not talk.is_bid or (talk.is_fresh and not talk.is_offered):
        return False
    is_named = bool(named_paths(situation.agent_text, talk.values, situation.today))
    return is_named and talk.values.keys() <= talk.read_back.keys() and _are_names_known(situation, talk)


def _are_names_known(situation: Situation, talk: Talk) -> bool:
    """Whether each name among the values was said by the user, or is in what was found or asked for: one that only the
    agent's words have may be no name at all."""
    tool = tool_of(situation, talk.function)
    names = [want.path for want in tool.wants if names_thing(want)] if tool else []
    known = " ".join(text for entry in situation.entries[-_MOST_ENTRIES:] for text in _texts(entry)).casefold()
    values = [talk.values[path] for path in names if path in talk.values]
    return all(str(value).casefold().strip(" .,") in known for value in values if not is_amount(value, situation.today))


def _texts(entry: Entry) -> Iterator[str]:
    """What the user said, or what a call took or gave, as far as one looks."""
    if isinstance(entry, UserText):
        yield entry.text[:_LONGEST]
    elif not isinstance(entry, AgentText):
        body = entry.arguments if isinstance(entry, FunctionCall) else entry.output
        yield from (str(value)[:_LONGEST] for value in islice(scalars(body), _MOST_VALUES))


_MOST_ENTRIES, _MOST_VALUES, _LONGEST = 60, 1000, 1000


def _is_in(start: int, places: Sequence[tuple[int, int]]) -> bool:
    return any(first <= start < last for first, last in places)


def _told(situation: Situation, members: Mapping[str, JsonValue]) -> PlannerDecision:
    wording = situation.wording
    told = ", ".join(f"{' '.join(identifier_words(name))} {spoken(value)}" for name, value in members.items())
    return PlannerDecision(
        "asked_of_result", situation.state, wording.found.format(told), evidence={"members": list(members)}
    )


def _others(situation: Situation, items: Sequence[JsonObject]) -> PlannerDecision:
    """What else was found."""
    return PlannerDecision(
        "other_things", situation.state, told_items(items, situation.wording), evidence={"items": len(items)}
    )


def _noted(situation: Situation) -> PlannerDecision:
    return PlannerDecision("reply_noted", situation.state, situation.wording.anything_else)
