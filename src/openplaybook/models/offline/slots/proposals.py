"""What the user's words could mean for one slot: values with where they stand and why."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.language.lexicon import COUNTERS, NEGATIONS, PREPOSITION_CUES
from openplaybook.models.offline.language.tokenizer import Reading, key_of, singular
from openplaybook.models.offline.slots.fitness import fitness
from openplaybook.models.offline.slots.slot_lessons import Lesson, cue_strength
from openplaybook.models.offline.slots.slot_schema import Slot
from openplaybook.models.offline.slots.slot_values import fits
from openplaybook.models.offline.slots.value_contexts import END, ENOUGH, context_at, is_listing, runs
from openplaybook.models.offline.spans.measures import AMOUNT
from openplaybook.models.offline.spans.recognition import cuts
from openplaybook.models.offline.spans.typed_span import Span

_PREPOSITIONS = {preposition: frozenset(map(key_of, topics)) for preposition, topics in PREPOSITION_CUES.items()}
EXAMPLE = "example"
"""Source of a value that an example's own words gave."""
LIKE_EXAMPLE = "like_example"
"""Source of a value that words like an example's gave."""
LEARNED = "learned"
"""Source of a value that was found by what was learned from many tools."""
_MOST_RUNS = 200
_CUE, _PREPOSITION, _CONTEXT, _ASKED = 0.4, 0.4, 0.5, 0.6


@dataclass(frozen=True, slots=True)
class Proposal:
    """A value for a slot, and the words that are its evidence."""

    slot: Slot
    value: JsonValue
    places: tuple[tuple[int, int], ...]
    """Offsets of the words in the utterance; several for an array."""
    source: str
    """`option`, `known`, `span:KIND`, `context`, `list`, `mention`, `short_answer`, `conversation`, `learned` or
    `example`."""
    score: float

    @property
    def start(self) -> int:
        """Where its first words begin."""
        return self.places[0][0]

    @property
    def end(self) -> int:
        """Where its last words end."""
        return self.places[-1][1]

    def overlaps(self, other: "Proposal") -> bool:
        """Whether both rest on the same words."""
        return any(start < end_ and start_ < end for start, end in self.places for start_, end_ in other.places)

    def evidence(self, text: str) -> JsonObject:
        """The proposal for the trace."""
        return {
            "slot": ".".join(self.slot.path),
            "value": self.value,
            "source": self.source,
            "words": [text[start:end] for start, end in self.places],
            "at": [start for start, _ in self.places],
            "score": round(self.score, 3),
        }


@dataclass(frozen=True, slots=True)
class RecognisedWords:
    """An utterance with all that was recognised in it."""

    reading: Reading
    spans: tuple[Span, ...]
    forbidden: frozenset[str]
    """Keys that are never a free value, since the agent uses them for something else."""
    runs: tuple[tuple[int, int], ...]
    """Where free values may stand: offsets of neighbouring words."""


def words_of(reading: Reading, spans: tuple[Span, ...], forbidden: frozenset[str]) -> RecognisedWords:
    """An utterance with the places where free values may stand: never a piece of something recognised, nor a word
    that only says that a number counts things."""
    spans = tuple(span for span in spans if span.text.casefold() not in COUNTERS)
    counters = [(token.start, token.end) for token in reading.words if token.text.casefold() in COUNTERS]
    free = [run for run in runs(reading, forbidden) if not any(cuts(run, span) for span in spans)]
    free = [run for run in free if run not in counters]
    return RecognisedWords(reading, spans, forbidden, tuple(free[:_MOST_RUNS]))


def proposals_for(lesson: Lesson, words: RecognisedWords, *, is_asked: bool = False) -> list[Proposal]:
    """Every proposal for the lesson's slot, best first. `is_asked`: the agent has just asked for it."""
    slot = lesson.slot
    if slot.type == "boolean":
        proposals = _mentioned(slot, words)
    else:
        proposals = [*_known(lesson, words), *_typed(lesson, words), *_free(lesson, words)]
    if is_asked:
        proposals = [replace(proposal, score=proposal.score + _ASKED) for proposal in proposals]
    if slot.is_array:
        proposals = _arrays(proposals, words)
    return sorted(proposals, key=lambda proposal: (-proposal.score, proposal.start))


def _known(lesson: Lesson, words: RecognisedWords) -> Iterator[Proposal]:
    slot, reading = lesson.slot, words.reading
    for start, end, value in lesson.find_known(reading):
        if slot.options:
            score = 1.1 + _CUE * cue_strength(slot, reading, start, end)
            yield Proposal(slot, value, ((start, end),), "option", score)
        else:
            # A category such as "dog" is known by itself; somebody's name needs more than that.
            base = 0.8 if isinstance(value, str) and value.islower() else 0.35
            yield Proposal(slot, value, ((start, end),), "known", base + _hints(lesson, reading, start, end))


def _typed(lesson: Lesson, words: RecognisedWords) -> Iterator[Proposal]:
    for span in words.spans:
        suits = fitness(lesson.slot, span)
        if suits is not None:
            value, base = suits
            score = base + _hints(lesson, words.reading, span.start, span.end)
            yield Proposal(lesson.slot, value, ((span.start, span.end),), f"span:{span.kind.value}", score)


def _free(lesson: Lesson, words: RecognisedWords) -> Iterator[Proposal]:
    """Words that no recogniser knows, in a place that the examples or a clear cue point at."""
    slot, reading = lesson.slot, words.reading
    if slot.type != "string" or slot.options or "format" in slot.schema:
        return
    for start, end in words.runs:
        text = reading.text[start:end]
        if slot.is_identifier and any(one.measure == AMOUNT and one.overlaps(start, end) for one in words.spans):
            continue
        # What is all digits is a number, and proposed as such.
        if text.isdigit() or (lesson.wants_digits and not any(map(str.isdigit, text))):
            continue
        first = reading.words_from(start, 1)
        if first and first[0].key in slot.name_keys and first[0].end < end:
            # The name announces the value, and is no part of it.
            continue
        strength = _strength(lesson, reading, start, end)
        if strength < ENOUGH and not _is_announced(slot, reading, start):
            continue
        value = singular(text) if lesson.is_plural else text
        score = 0.3 + _hints(lesson, reading, start, end) + 0.01 * (end - start) / len(reading.text)
        if fits(slot, value):
            yield Proposal(slot, value, ((start, end),), "context", score)


def _hints(lesson: Lesson, reading: Reading, start: int, end: int) -> float:
    strength = min(1.2, _strength(lesson, reading, start, end))
    cue = cue_strength(lesson.slot, reading, start, end)
    preposition = 1.0 if _preposition_fits(lesson.slot, reading, start) else 0.0
    return _CONTEXT * strength + _CUE * cue + _PREPOSITION * preposition


def _strength(lesson: Lesson, reading: Reading, start: int, end: int) -> float:
    here = context_at(reading, start, end)
    before, behind = here.before, here.behind
    strength = 0.0
    for taught in lesson.taught:
        context = taught.context
        if context.before == before or context.behind == behind:
            strength = max(strength, context.strength(here))
    # Standing at the end, or behind one same function word, is no evidence.
    return strength if strength > (0.5 if behind == END else 0.45) else 0.0


def _preposition_fits(slot: Slot, reading: Reading, start: int) -> bool:
    topics = _topics_before(reading, start)
    return bool(topics) and not topics.isdisjoint(slot.cue_keys)


@lru_cache(maxsize=512)
def _topics_before(reading: Reading, start: int) -> frozenset[str]:
    """What the preposition before a place speaks for."""
    keys = [token.key for token in reading.words_before(start, 2)]
    if keys and keys[-1] in ("a", "the"):
        keys.pop()
    return _PREPOSITIONS.get(keys[-1], frozenset()) if keys else frozenset()


def _is_announced(slot: Slot, reading: Reading, start: int) -> bool:
    """Whether the word directly before is the slot's own name or a preposition made for it."""
    before = reading.words_before(start, 2)
    if not before:
        return False
    return (before[-1].key in slot.name_keys and len(before) > 1) or _preposition_fits(slot, reading, start)


def _mentioned(slot: Slot, words: RecognisedWords) -> list[Proposal]:
    """A boolean is meant when its name's words are said; a negation before them makes it false."""
    reading = words.reading
    wanted = {key for key in slot.name_keys if key not in ("is", "has", "with")}
    mentions = [token for token in reading.words if token.key in wanted]
    if not wanted or wanted != {token.key for token in mentions}:
        return []
    before = [token.text.casefold() for token in reading.words_before(mentions[0].start, 3)]
    value = not NEGATIONS.intersection(before)
    return [Proposal(slot, value, tuple((token.start, token.end) for token in mentions), "mention", 0.9)]


def _arrays(proposals: list[Proposal], words: RecognisedWords) -> list[Proposal]:
    """Proposals of items joined to arrays: what the user lists side by side, and everything that is well known."""
    if not proposals:
        return []
    text = words.reading.text
    distinct = _without_overlaps(sorted(proposals, key=lambda proposal: (-proposal.score, proposal.start)))
    best = distinct[0]
    chosen = {best.start: best}
    for proposal in sorted(distinct, key=lambda item: item.start):
        is_sure = proposal.source in ("known", "option") and proposal.score >= 0.75
        beside = any(_beside(text, proposal, other) for other in chosen.values())
        if is_sure or beside:
            chosen[proposal.start] = proposal
    for item in _listed_behind(best, words, list(chosen.values())):
        chosen[item.start] = item
    items = [chosen[start] for start in sorted(chosen)]
    places = tuple(place for item in items for place in item.places)
    return [Proposal(best.slot, list(dict.fromkeys(item.value for item in items)), places, best.source, best.score)]


def _without_overlaps(ordered: Iterable[Proposal]) -> list[Proposal]:
    distinct: list[Proposal] = []
    for proposal in ordered:
        if not any(map(proposal.overlaps, distinct)):
            distinct.append(proposal)
    return distinct


def _beside(text: str, one: Proposal, other: Proposal) -> bool:
    first, second = sorted((one, other), key=lambda proposal: proposal.start)
    return first.end <= second.start and is_listing(text[first.end : second.start])


def _listed_behind(best: Proposal, words: RecognisedWords, taken: Iterable[Proposal]) -> Iterator[Proposal]:
    """Free words that go on with a list that `best` began: "x, y and z"."""
    if best.slot.type != "string" or best.slot.options:
        return
    text, end = words.reading.text, best.end
    ends = {proposal.start: proposal.end for proposal in taken}
    for start, stop in runs(words.reading, words.forbidden, longest=1):
        if start < end or not is_listing(text[end:start]):
            continue
        if start not in ends and fits(best.slot, text[start:stop]):
            yield Proposal(best.slot, text[start:stop], ((start, stop),), "list", best.score)
        end = ends.get(start, stop)
