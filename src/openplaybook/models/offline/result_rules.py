"""What to do when calls have come back: go on as an example did, or answer."""

from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import FunctionCall
from openplaybook.models.offline.answer_rules import asked_again
from openplaybook.models.offline.call_attempt import KnownValues, attempt, waiting_question
from openplaybook.models.offline.end_calls import early_end, end_arguments, shown_end
from openplaybook.models.offline.knowledge.lesson_book import Book, FollowingCall
from openplaybook.models.offline.knowledge.result_outcome import ResultOutcome, found_nothing, read_outcome
from openplaybook.models.offline.planner_state import PlannerDecision
from openplaybook.models.offline.request_rules import not_understood, says_nothing_known
from openplaybook.models.offline.result_answers import answer_about
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.slot_values import arguments_of, pick

_LIKE_THE_EXAMPLE = 0.6


def after_results(situation: Situation) -> PlannerDecision | None:
    """Answer the results at the end of the conversation; None when there are none."""
    if not situation.results:
        return None
    call, result = situation.results[-1]
    book = situation.index.known(result.name)
    outcome = read_outcome(result)
    if book and call and not outcome.is_error:
        following = _next_call(situation, book, call, outcome)
        if following is not None:
            return following
        if book.declaration.as_question is not None and found_nothing(outcome) and says_nothing_known(situation):
            # It was asked for want of anything better, and what it says would sound as if there had been a question.
            return _given_up(situation, book)
    return _answer(situation, book, outcome)


def _next_call(situation: Situation, book: Book, call: FunctionCall, outcome: ResultOutcome) -> PlannerDecision | None:
    """The call that an example made directly after this one, when its arguments are known again."""
    if not book.steps or book.answers:
        return None
    step = book.steps[0]
    following = situation.index.books.get(step.name)
    if following is None:
        return None
    if following.is_careful and not _is_asked(situation, book, following):
        return None
    proposals = assign(following.lessons, situation.words)
    carried = _carried(step, call, outcome)
    known = KnownValues(carried, [path for path in following.paths if pick(carried, path) is not None])
    decision = attempt(situation, following, proposals, "next_step", known=known)
    if decision.evidence.get("confirm"):
        return decision
    is_new = all(previous not in decision.calls for previous in situation.called_since_user())
    return decision if decision.calls and is_new else None


def _given_up(situation: Situation, book: Book) -> PlannerDecision:
    """Words that nobody knows what to do with; what was under way before them goes on."""
    if situation.state.pending:
        return asked_again(situation, situation.wording.not_understood)
    decision = not_understood(situation)
    return replace(decision, evidence={**decision.evidence, "asked": book.name})


def _is_asked(situation: Situation, book: Book, following: Book) -> bool:
    """Whether the user's words ask for the next call as well: by its own words, or much as the example did."""
    speech = situation.speech
    if not speech.is_plain:
        return False
    candidate = next((one for one in situation.candidates if one.book is book), None)
    return bool(speech.with_any(following.acts)) or (
        candidate is not None and bool(candidate.example) and candidate.score >= _LIKE_THE_EXAMPLE
    )


def _carried(step: FollowingCall, call: FunctionCall, outcome: ResultOutcome) -> JsonObject:
    roots: dict[str, JsonValue] = {"result": outcome.body, "argument": call.arguments}
    values = {path: pick(roots[source], at) for path, source, at in step.sources}
    return arguments_of({path: value for path, value in values.items() if value is not None})


def _answer(situation: Situation, book: Book | None, outcome: ResultOutcome) -> PlannerDecision:
    answers = [
        answer_about(situation.index.known(result.name), call.arguments if call else {}, result, situation.wording)
        for call, result in situation.results
    ]
    text = "\n".join(dict.fromkeys(text for text, _ in answers))
    evidence: JsonObject = {"answered_like": [source for _, source in answers]}
    pending = situation.state.pending
    waiting = waiting_question(situation) if pending and (book is None or pending.function != book.name) else ""
    if waiting:
        # The calls answered a question in the midst of something else, which goes on.
        return PlannerDecision("answer_and_ask_again", situation.state, f"{text}\n{waiting}", evidence=evidence)
    state = replace(situation.state, pending=None)
    if book is not None and outcome.is_error and book.gives_up:
        return PlannerDecision("answer_and_give_up", state, text, early_end(situation, book.gives_up), evidence)
    if book is not None and not outcome.is_error and _is_over(situation, book):
        arguments = end_arguments(situation, "OK", outcome.body)
        if arguments is not None and situation.index.end is not None:
            return PlannerDecision("answer_and_end", state, text, ((situation.index.end.name, arguments),), evidence)
        if book.ends and (calls := shown_end(situation, "OK")):
            return PlannerDecision("answer_and_end", state, text, calls, evidence)
    return PlannerDecision("answer", state, text, evidence=evidence)


def _is_over(situation: Situation, book: Book) -> bool:
    """Whether an example was over here; without any such example, every success is an end."""
    return book.ends or not any(other.ends for other in situation.index.books.values())
