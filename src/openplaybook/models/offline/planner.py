"""The order of the rules."""

import re
from collections.abc import Callable
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import UserText
from openplaybook.models.offline.answer_rules import answer_to_question, asked_again, called_off
from openplaybook.models.offline.call_attempt import attempt, known_of
from openplaybook.models.offline.dialogue_requests import dialogue_request, pointed_answer, wished_request
from openplaybook.models.offline.end_calls import handed_back, handing_back
from openplaybook.models.offline.language.lexicon import LOOKING
from openplaybook.models.offline.language.small_talk import after_yes
from openplaybook.models.offline.language.tokenizer import plain
from openplaybook.models.offline.learned_requests import learned_request
from openplaybook.models.offline.planner_state import PlannerDecision, PlannerState
from openplaybook.models.offline.request_rules import (
    accepted_offer,
    asked_store,
    claimed,
    corrected,
    follow_up,
    like_an_example,
    not_understood,
    opening,
    small_talk,
    wanted_function,
    wanted_person,
)
from openplaybook.models.offline.result_rules import after_results
from openplaybook.models.offline.shown_turns import entered, shown_turn
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.slot_values import scalars, spoken
from openplaybook.models.offline.speech.forces import Force
from openplaybook.models.offline.speech.speech_acts import speech_of
from openplaybook.models.offline.told_values import told_by_values


def answered_for(situation: Situation) -> PlannerDecision | None:
    """A called playbook has ended because the user's latest words are none of its matters: they are answered here, not
    by the same playbook once more."""
    words, results = handed_back(situation), situation.results
    if not words:
        return None
    turn = replace(situation.turn, conversation=(*situation.turn.conversation, UserText(words)))
    heard = replace(situation, turn=turn, meanings=None)
    decision = plan(heard)
    is_round = any(name == results[-1][1].name for name, _ in decision.calls)
    return not_understood(heard) if is_round else decision


def leaving(situation: Situation) -> PlannerDecision | None:
    """Nothing here knows the user's words: the playbook that called this one may."""
    calls = handing_back(situation)
    return PlannerDecision("leaving", situation.state, calls=calls) if calls else None


def withdrawn(situation: Situation) -> PlannerDecision | None:
    """The user takes back what is under way: it is dropped, and what else was said is looked at on its own."""
    state, index = situation.state, situation.index
    if situation.is_part or not situation.speech.may_take_back:
        return None
    under_way = {*state.filled, *([state.pending.function] if state.pending else [])}
    books = [index.books[name] for name in under_way if name in index.books]
    ending = {act for book in books for act in book.acts}
    clause = situation.speech.withdrawal(ending, index.acts, is_under_way=bool(under_way))
    if clause is None:
        return None
    dropped = called_off(situation)
    text = situation.words.reading.text
    # "I'd rather not cancel it": what follows at once is what is not wanted.
    is_governed = _GOVERNS.search(plain(text[clause.start : clause.rest])) and text[clause.rest : clause.end][:1] == " "
    rest = text[clause.end if is_governed else clause.rest :].strip(" ,.;:!-–—\n")
    if rest:
        return _and_then(dropped, plan(_of(situation, rest, dropped.state)))
    before = text[: clause.start].strip(" ,.;:-–—\n")
    named = any(
        book.vocabulary & {token.key for token in situation.speech.tokens(clause)} for book in index.books.values()
    )
    if before and (under_way or named):
        return _and_then(dropped, plan(_of(situation, before, dropped.state, only_reads=True)))
    return dropped if under_way or before else None


_GOVERNS = re.compile(
    r"\b(?:not|no|nicht|pas|necessary|required|needed|necesario|necessaire|notig|falta|peine|besoin|need)\s*$"
)


def _and_then(dropped: PlannerDecision, decision: PlannerDecision) -> PlannerDecision:
    """What was dropped is said first; words that nothing comes of are passed over."""
    if not decision.calls and decision.state.pending is None:
        return dropped
    return replace(decision, text=f"{dropped.text} {decision.text}".strip())


def _of(
    situation: Situation,
    text: str,
    state: PlannerState,
    *,
    only_reads: bool = False,
    spoken_of: JsonObject | None = None,
) -> Situation:
    """The same situation, as if only `text` had been said."""
    entries = list(situation.turn.conversation)
    latest = max(number for number, entry in enumerate(entries) if isinstance(entry, UserText))
    entries[latest] = UserText(text)
    turn = replace(situation.turn, conversation=tuple(entries), planner_state=state.to_json())
    only_reads = only_reads or situation.only_reads
    spoken_of = spoken_of or situation.spoken_of
    return Situation(
        turn,
        situation.index,
        situation.today,
        only_reads,
        is_part=True,
        spoken_of=spoken_of,
        meanings=situation.meanings,
    )


def wanted_instead(situation: Situation) -> PlannerDecision | None:
    """ "Don't cancel 9 but move it": what is denied is left out, and the rest looked at on its own. What was denied
    to be done to a thing tells which thing is meant; such a value is read back."""
    if situation.is_part or situation.state.pending is not None or situation.speech.is_question:
        return None
    speech, index = situation.speech, situation.index
    denied = [clause for clause in speech.with_any(index.acts) if clause.force is Force.DENIED]
    wanted = [clause for clause in speech.with_any(index.acts) if clause.force is Force.PLAIN and not clause.withdraws]
    if not denied or not wanted:
        return None
    refused_names = {
        book.name for book in index.books.values() if any(one in denied for one in speech.with_any(book.acts))
    }
    wanted_names = {
        book.name for book in index.books.values() if any(one in wanted for one in speech.with_any(book.acts))
    }
    if not wanted_names - refused_names:
        return None
    text = situation.words.reading.text
    rest, things = text, dict[str, object]()
    for clause in denied:
        words = situation.recognised(text[clause.start : clause.end])
        for name in refused_names:
            proposals = assign(index.books[name].lessons, words)
            things |= {one.slot.name: one.value for one in proposals}
        rest = rest[: clause.start] + " " * (clause.end - clause.start) + rest[clause.end :]
    decision = plan(_of(situation, rest.strip(" ,.;:-–—\n"), situation.state, spoken_of=things))
    return decision if decision.calls or decision.state.pending else None


def agreed_and_asked(situation: Situation) -> PlannerDecision | None:
    """ "Yes, and what does it cost?": what waits for the yes is done, and the question answered, where something that
    changes nothing can answer it. Else the question may be a doubt, and is no yes."""
    pending, rest = situation.state.pending, after_yes(situation.text)
    book = situation.index.books.get(pending.function) if pending and pending.is_confirmation else None
    if book is None or not rest or not _only_asks(situation, rest) or (book.steps and not book.answers):
        return None
    answer = plan(_of(situation, rest, situation.state.without(), only_reads=True))
    used = {spoken(value) for _, arguments in answer.calls for value in scalars(arguments)}
    others = assign(book.lessons, situation.recognised(rest))
    if not answer.calls or any(spoken(one.value) not in used for one in others):
        return None
    done = attempt(situation, book, (), "agreed_and_asked", known=known_of(situation.state, book), confirmed=True)
    if not done.calls:
        return None
    state = replace(done.state, last=answer.state.last, last_arguments=answer.state.last_arguments)
    return replace(done, state=state, calls=(*done.calls, *answer.calls), evidence={**done.evidence, **answer.evidence})


def asked_in_between(situation: Situation) -> PlannerDecision | None:
    """A question while we wait for an answer, or a wish to be shown something: it is no value. It is answered by what
    changes nothing, if by anything, and what we waited for goes on."""
    state = situation.state
    book = situation.index.books.get(state.pending.function) if state.pending else None
    if book is None:
        return None
    wants_to_see = book.is_careful and not book.acts & LOOKING and situation.speech.looking
    if not situation.speech.is_question and not wants_to_see:
        return None
    decision = plan(_of(situation, situation.words.reading.text, state.without(), only_reads=True))
    if decision.calls:
        resumed = replace(decision.state, pending=state.pending, filled=state.filled, sure=state.sure)
        return replace(decision, state=resumed)
    is_answer = decision.rule == "like_an_example"
    return asked_again(situation, decision.text if is_answer else situation.user_wording.cannot_answer)


def _only_asks(situation: Situation, text: str) -> bool:
    """Whether words only ask, or ask to be shown something, without a condition or an objection."""
    speech = speech_of(situation.recognised(text).reading, situation.languages, situation.index.acts)
    asking = [clause for clause in speech.saying if clause.force is Force.QUESTION or clause in speech.looking]
    return bool(asking) and asking == speech.saying and not _OBJECTS.match(plain(text))


_OBJECTS = re.compile(r"(?:but|only|though|aber|nur|doch|pero|solo|mais|seulement|mas|so|ma|pero|solo)\b")


_RULES: tuple[Callable[[Situation], PlannerDecision | None], ...] = (
    answered_for,
    after_results,
    opening,
    withdrawn,
    pointed_answer,
    agreed_and_asked,
    asked_in_between,
    answer_to_question,
    shown_turn,
    accepted_offer,
    claimed,
    dialogue_request,
    small_talk,
    corrected,
    wanted_instead,
    wanted_function,
    follow_up,
    like_an_example,
    learned_request,
    told_by_values,
    wanted_person,
    asked_store,
    wished_request,
    entered,
    leaving,
)


def plan(situation: Situation) -> PlannerDecision:
    """The first rule that has something to say decides."""
    for rule in _RULES:
        decision = rule(situation)
        if decision is not None:
            return decision
    return not_understood(situation)
