"""Everything that one decision can draw on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from unicodedata import normalize

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, ModelTurn, ProviderReply, UserText
from openplaybook.models.offline.antecedents import Antecedents, PickedThing
from openplaybook.models.offline.candidates import Candidate, rank
from openplaybook.models.offline.knowledge.playbook_index import PlaybookIndex
from openplaybook.models.offline.knowledge.result_outcome import items_in, read_outcome
from openplaybook.models.offline.language.ordinals import pick_in
from openplaybook.models.offline.language.own_sentences import Wording, wording_for
from openplaybook.models.offline.language.small_talk import without_greeting
from openplaybook.models.offline.language.tokenizer import fold, last_sentence, read
from openplaybook.models.offline.learned.tool_choice import LearnedCall, calls_heard
from openplaybook.models.offline.learned.tool_features import Meanings
from openplaybook.models.offline.learned.utterance import HeardUtterance, utterance_of
from openplaybook.models.offline.planner_state import Pending, PlannerState, read_state
from openplaybook.models.offline.slots.proposals import RecognisedWords, words_of
from openplaybook.models.offline.slots.slot_values import leaves
from openplaybook.models.offline.spans.recognition import recognise
from openplaybook.models.offline.speech.speech_acts import SpeechActs, speech_of

_FOREIGN_RELIEF = 0.1
_FEWEST_PICKED = 2
_LATEST = 3
"""Utterances that tell in which language the user speaks."""
_MOST_CHARACTERS = 1000
"""Of an utterance that are read: what somebody wants stands at its beginning, and reading must stay quick."""
_MOST_LOOKED_AT = 2 * _MOST_CHARACTERS
"""Of an utterance that rules look at besides; more than are read, so that they know that it was cut."""


@dataclass(frozen=True)
class Situation:
    """A turn, read: the planner's rules look at nothing else."""

    turn: ModelTurn
    index: PlaybookIndex
    today: date
    only_reads: bool = False
    """Whether only what changes nothing may be called: for a question in the midst of something else."""
    is_part: bool = False
    """Whether its latest words are a part of what the user said, beside what was taken back."""
    spoken_of: JsonObject = field(default_factory=dict[str, object])
    """Values that stand in the other part: what the latest words may be about without a word for it."""

    meanings: Meanings | None = None
    """How near the words are to each of the index's `learned_tools`; None where no encoder tells."""
    earlier_meanings: Mapping[str, Meanings] = field(default_factory=dict[str, Meanings])
    """The same of all that the user has said since the latest call, by the words."""

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """The conversation without raw provider replies."""
        return [entry for entry in self.turn.conversation if not isinstance(entry, ProviderReply)]

    @cached_property
    def state(self) -> PlannerState:
        """What the planner left last time; without the question that waits where the agent's words were other ones."""
        state = read_state(self.turn.planner_state)
        pending = state.pending
        if pending is None:
            return state.waiting_for(self._shown_question())
        if self.index.is_taught or self._said_last.endswith(pending.said):
            return state
        return state.waiting_for(None)

    def _shown_question(self) -> Pending | None:
        """What the agent asked for last in an example's words; None where it asked in others, or nothing."""
        shown = self.index.questions.get(fold(last_sentence(self._said_last)))
        return None if shown is None or self.results or self.is_part else Pending(*shown)

    @property
    def _said_last(self) -> str:
        return next((entry.text for entry in reversed(self.entries) if isinstance(entry, AgentText)), "").rstrip()

    @cached_property
    def wording(self) -> Wording:
        """The planner's own sentences in the agent's language."""
        return wording_for(self.turn.language_code)

    @cached_property
    def whole_text(self) -> str:
        """The user's latest words, however long; for tasks that are handed on as they stand."""
        return next((entry.text for entry in reversed(self.entries) if isinstance(entry, UserText)), "")

    @cached_property
    def text(self) -> str:
        """The user's latest words as far as rules look at them; empty when the user has said nothing."""
        return self.whole_text[:_MOST_LOOKED_AT]

    @cached_property
    def agent_text(self) -> str:
        """The agent's latest words before those, as far as rules look at them."""
        texts = (entry.text for entry in reversed(self.entries) if isinstance(entry, AgentText))
        return next(texts, "")[:_MOST_LOOKED_AT]

    @cached_property
    def words(self) -> RecognisedWords:
        """The user's latest words without a greeting before them, recognised."""
        return self.recognised(without_greeting(self.text))

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages that the user may be speaking."""
        return frozenset(("en", self.words.reading.language, self.turn.language_code[:2].casefold()))

    @cached_property
    def speech(self) -> SpeechActs:
        """What the user's latest words do."""
        return speech_of(self.words.reading, self.languages, self.index.acts)

    @property
    def is_cut(self) -> bool:
        """Whether the user said more than is read."""
        return len(self.text) > _MOST_CHARACTERS

    @cached_property
    def user_wording(self) -> Wording:
        """The planner's own sentences in the language that the user speaks."""
        latest = [entry.text for entry in self.entries if isinstance(entry, UserText)][-_LATEST:]
        readings = [read(text[:_MOST_CHARACTERS]) for text in latest]
        certain = [reading.language for reading in readings if reading.is_certain]
        return wording_for(certain[-1]) if certain and certain[-1] != "en" else self.wording

    @cached_property
    def is_foreign(self) -> bool:
        """Whether the user speaks another language than the agent."""
        return self.words.reading.language != self.turn.language_code[:2].casefold()

    @property
    def threshold(self) -> float:
        """Likeness from which on a function is taken to be meant; lower where not all words can be read."""
        return self.index.threshold - (_FOREIGN_RELIEF if self.is_foreign else 0.0)

    @cached_property
    def antecedents(self) -> Antecedents:
        """What a pronoun may stand for."""
        members = [*leaves(self._under_way), *leaves(self.last_thing), *leaves(self.state.last_arguments)]
        return Antecedents(
            [*leaves(self.spoken_of), *members], needs_pronoun=not self.spoken_of, picked=self._picked_thing
        )

    @property
    def _picked_thing(self) -> PickedThing | None:
        """Which of the several things that were found last the latest words pick by its number."""
        pick = pick_in(self.words.reading.text) if self.index.is_taught else None
        latest = next((entry for entry in reversed(self.entries) if isinstance(entry, FunctionResult)), None)
        if pick is None or latest is None or latest.is_error:
            return None
        items = items_in(read_outcome(latest).body) or []
        if len(items) < _FEWEST_PICKED or not -1 <= pick.number < len(items):
            return None
        return PickedThing(tuple(leaves(items[pick.number])), pick.start, pick.end)

    @property
    def _under_way(self) -> JsonObject:
        pending = self.state.pending
        return as_object(self.state.filled.get(pending.function)) if pending else {}

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The functions that the words may ask for, likeliest first."""
        return rank(self.index, self.words, self.antecedents, is_foreign=self.is_foreign)

    @cached_property
    def utterance(self) -> HeardUtterance:
        """The user's latest words as the learned planner reads them."""
        return utterance_of(self.words.reading.text)

    @cached_property
    def learned(self) -> Sequence[LearnedCall]:
        """The functions that the words may ask for by what was learned from many tools, likeliest first."""
        return calls_heard(self.utterance, self.index.learned_tools, self.today, self.meanings)

    @cached_property
    def results(self) -> list[tuple[FunctionCall | None, FunctionResult]]:
        """The results at the end of the conversation that are not answered yet, with their calls."""
        calls = {entry.id: entry for entry in self.entries if isinstance(entry, FunctionCall)}
        results: list[tuple[FunctionCall | None, FunctionResult]] = []
        for entry in reversed(self.entries):
            if not isinstance(entry, FunctionResult):
                break
            results.insert(0, (calls.get(entry.id), entry))
        return results

    def taken_back(self, wording: Wording) -> str:
        """What to say to words that take something back: that it will not be done, or that it is done already."""
        is_open = bool(self.state.filled) or self.state.pending is not None
        is_done = not is_open and self._has_just_acted and not self.speech.with_any(self.index.acts)
        return wording.is_done if is_done else wording.dropped

    @property
    def _has_just_acted(self) -> bool:
        """Whether something unsafe was done, and went well, between the user's latest words and those before."""
        user_positions = [number for number, entry in enumerate(self.entries) if isinstance(entry, UserText)][-2:]
        between = (
            [
                entry
                for entry in self.entries[user_positions[0] : user_positions[-1]]
                if isinstance(entry, FunctionResult)
            ]
            if user_positions
            else []
        )
        return any(
            (book := self.index.known(result.name)) and book.is_careful and not read_outcome(result).is_error
            for result in between
        )

    @cached_property
    def last_thing(self) -> JsonObject:
        """The one object that the latest successful result was about; empty when there was none or several."""
        for entry in reversed(self.entries):
            if isinstance(entry, FunctionResult):
                outcome = read_outcome(entry)
                return {} if outcome.is_error else _one(outcome.body)
        return {}

    def recognised(self, text: str) -> RecognisedWords:
        """Any words, recognised as the user's would be."""
        reading = read(normalize("NFC", text[:_MOST_CHARACTERS]))
        return words_of(reading, recognise(reading, self.today), self.index.forbidden)

    def called_since_user(self) -> list[tuple[str, JsonObject]]:
        """Calls made since the user spoke last: name and arguments."""
        calls: list[tuple[str, JsonObject]] = []
        for entry in reversed(self.entries):
            if isinstance(entry, UserText):
                break
            if isinstance(entry, FunctionCall):
                calls.append((entry.name, entry.arguments))
        return calls


def _one(body: JsonValue) -> JsonObject:
    items = items_in(body)
    if items is None:
        return as_object(body)
    return as_object(items[0]) if len(items) == 1 else {}
