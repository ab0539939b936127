"""A request that was made over several turns: what was said since the last call is put together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.base import AgentText, FunctionCall, FunctionResult, UserText
from openplaybook.models.offline.call_attempt import KnownValues, attempt
from openplaybook.models.offline.candidates import Candidate
from openplaybook.models.offline.consent import Consent, consent_to
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.learned.filled_values import filled, judged, scene_of
from openplaybook.models.offline.learned.tool_choice import learned_calls
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.utterance import utterance_of
from openplaybook.models.offline.learned.weights import learned_weights
from openplaybook.models.offline.planner_state import PlannerDecision
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.proposals import Proposal
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import fits, pick
from openplaybook.models.offline.speech.forces import Force

_MOST_TURNS = 8
"""Utterances of either side that are put together."""
_LEAST_RIGHT = 0.3
_LEAST_CHANCE = 0.4
"""Of a value; one that was said later counts more than one said before."""
_MOST_ITEMS = 3
"""Of the last result that are looked at."""


def gathered_request(situation: Situation) -> PlannerDecision | None:
    """Call or ask for the function that the turns since the last call speak of together; None where there was one turn,
    or the latest words deny or only ask something."""
    said = _since_last_call(situation)
    if situation.index.is_taught:
        # The planner's own questions, and what it remembers of them, hold such a conversation together.
        return None
    if len(said) < 2 or situation.state.pending is not None or not _goes_on(situation):
        return None
    text = " ".join(entry.text for entry in said if isinstance(entry, UserText) or entry is said[-2])
    calls = learned_calls(utterance_of(text), situation.index.learned_tools, learned_weights(), today=situation.today)
    if not calls or calls[0].right < _LEAST_RIGHT:
        return None
    call = calls[0]
    book = situation.index.books[call.tool.name]
    proposals = list(_values(situation, book, call.tool, said))
    consent = consent_to(situation, Candidate(book, call.right, tuple(proposals), "", has_word=True))
    if book.is_careful or consent is Consent.REFUSED:
        return None
    taken = {proposal.slot.path for proposal in proposals}
    known = KnownValues({name: value for name, value in _carried(situation, book).items() if (name,) not in taken})
    return attempt(situation, book, proposals, "gathered_request", known=known, consent=Consent.UNSURE)


def _goes_on(situation: Situation) -> bool:
    """Whether the latest words are an answer or an agreement, and nothing in them is denied; words that were not
    understood are not made plainer by what we said to them."""
    if situation.agent_text.startswith(situation.wording.not_understood):
        return False
    saying = situation.speech.saying
    return not any(clause.force is Force.DENIED for clause in saying) and not situation.speech.is_question


def _since_last_call(situation: Situation) -> list[UserText | AgentText]:
    said: list[UserText | AgentText] = []
    for entry in reversed(situation.entries):
        if isinstance(entry, FunctionCall | FunctionResult) or len(said) == _MOST_TURNS:
            break
        said.insert(0, entry)
    return said


@dataclass(frozen=True, slots=True)
class _Turn:
    text: str
    begin: int
    """Where what was said begins, behind the question that it answers."""


def _turns(said: Sequence[UserText | AgentText]) -> Iterator[_Turn]:
    """What was said, the latest first; an answer together with its question."""
    for number in range(len(said) - 1, -1, -1):
        entry, before = said[number], said[number - 1] if number else None
        if isinstance(entry, UserText) and isinstance(before, AgentText) and "?" in before.text:
            yield _Turn(f"{before.text} {entry.text}", len(before.text) + 1)
        else:
            yield _Turn(entry.text, 0)


def _values(
    situation: Situation, book: Book, tool: LearnedTool, said: Sequence[UserText | AgentText]
) -> Iterator[Proposal]:
    weights = learned_weights()
    taken: set[Path] = set()
    for turn in _turns(said):
        scene = scene_of(utterance_of(turn.text), tool.wants, tool.name_stems, situation.today)
        for chosen in filled(scene, judged(scene, weights.pair, weights.rival)).choice.values:
            mention, lesson = chosen.option.mention, book.paths.get(chosen.want.path)
            is_said = mention is not None and mention.start >= turn.begin
            if not is_said or lesson is None or lesson.slot.path in taken or chosen.chance < _LEAST_CHANCE:
                continue
            items = as_list(chosen.option.value) if lesson.slot.is_array else [chosen.option.value]
            if not lesson.slot.type or all(fits(lesson.slot, item) for item in items):
                taken.add(lesson.slot.path)
                yield Proposal(lesson.slot, chosen.option.value, ((0, 0),), "conversation", chosen.chance)


def _carried(situation: Situation, book: Book) -> JsonObject:
    """Values of the last call, and of the item of its result that was spoken of, for parameters of the same name."""
    carried: JsonObject = {}
    for entry in reversed(situation.entries):
        if isinstance(entry, FunctionResult) and not carried:
            carried |= _spoken_of(entry.output, situation)
        elif isinstance(entry, FunctionCall):
            carried = {**entry.arguments, **carried}
            break
    fitting = {path: pick(carried, path) for path in book.paths if len(path) == 1}
    return {
        path[0]: value
        for path, value in fitting.items()
        if value is not None and book.paths[path].slot.type and fits(book.paths[path].slot, value)
    }


def _spoken_of(output: JsonValue, situation: Situation) -> JsonObject:
    """The item of a result of which the agent named most values."""
    items = [as_object(item) for item in as_list(output)[:_MOST_ITEMS]] or [as_object(output)]
    texts = " ".join(entry.text for entry in situation.entries[-_MOST_TURNS:] if isinstance(entry, AgentText)).lower()
    return max(items, key=lambda item: sum(str(value).lower() in texts for value in item.values()))
