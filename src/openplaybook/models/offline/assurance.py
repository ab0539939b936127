"""How sure a value is: whether the user said it in a place that only one parameter can mean."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from openplaybook.models.offline.answer_evidence import is_bare, is_evident, is_in
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.lexicon import PREPOSITION_CUES, word_set
from openplaybook.models.offline.language.tokenizer import Reading, identifier_words, key_of
from openplaybook.models.offline.slots.fitness import fitness
from openplaybook.models.offline.slots.proposals import EXAMPLE, LEARNED, LIKE_EXAMPLE, Proposal, RecognisedWords
from openplaybook.models.offline.slots.slot_lessons import Lesson
from openplaybook.models.offline.slots.slot_schema import Path, Slot
from openplaybook.models.offline.slots.slot_values import fits
from openplaybook.models.offline.slots.value_contexts import END, ENOUGH, context_at
from openplaybook.models.offline.spans.measures import COUNT, SUM
from openplaybook.models.offline.spans.typed_span import Span, SpanKind
from openplaybook.models.offline.speech.forces import Force
from openplaybook.models.offline.speech.speech_acts import SpeechActs

_GUESSED = ("conversation", LIKE_EXAMPLE, LEARNED)
_CLEARLY_LESS = 0.25
"""By so much less a value suits a slot that is no rival: a day suits a date better than a time."""
_REACH = 4
_BROAD = frozenset(("for", "about", "name", "belong"))
"""Prepositions that may speak of too many things to be a cue."""
_STRONG = frozenset(
    (
        SpanKind.NUMBER,
        SpanKind.DATE,
        SpanKind.TIME,
        SpanKind.EMAIL,
        SpanKind.PHONE,
        SpanKind.URL,
        SpanKind.CODE,
        SpanKind.QUOTED,
        SpanKind.ADDRESS,
        SpanKind.NAME,
    )
)


def sure_paths(
    book: Book,
    proposals: Sequence[Proposal],
    words: RecognisedWords,
    speech: SpeechActs,
    *,
    asked_slot: Path | None = None,
) -> set[Path]:
    """The slots whose values nobody would doubt. `asked_slot`: the slot that the agent has just asked for."""

    def sure_beside(cued: Collection[Path]) -> set[Path]:
        return {
            proposal.slot.path
            for proposal in proposals
            if _is_sure(book, proposal, proposals, words, speech, cued, is_asked=proposal.slot.path == asked_slot)
        }

    alone = sure_beside(())
    # A value that stands by its own name leaves fewer places for the others; so do two behind "from" and "to".
    certain = [one for one in proposals if one.slot.path in alone]
    way = {word for one in certain if (word := _preposition(one.start, words.reading)) in _WAY}
    cued = {
        one.slot.path
        for one in certain
        if _is_named(book, one, words.reading) or (way == _WAY and _preposition(one.start, words.reading) in way)
    }
    sure = alone | sure_beside(cued) if cued else alone
    # Words that do not plainly answer may be about something else altogether, with whatever is in them.
    return (
        sure
        if asked_slot is None or asked_slot in sure
        else {one.slot.path for one in proposals if one.source == EXAMPLE}
    )


_WAY = {"from", "to"}


def _is_named(book: Book, proposal: Proposal, reading: Reading) -> bool:
    """Whether a word of the parameter's own name stands before the value."""
    for token in reversed(reading.words_before(proposal.start, 2)):
        if token.key in proposal.slot.name_keys:
            # The verb names nothing: "book" before the number of a book.
            return token.key not in book.acts
        if not token.is_stop:
            break
    return False


def _preposition(start: int, reading: Reading) -> str:
    """Key of the word before a value, articles apart."""
    before = [token.key for token in reading.words_before(start, 2) if token.key not in ("a", "the")]
    return before[-1] if before else ""


def unused(proposals: Sequence[Proposal], words: RecognisedWords) -> list[Span]:
    """What the user said beside the values that looks like another value."""
    places = [place for proposal in proposals for place in proposal.places]
    return [
        span
        for span in words.spans
        if span.kind in _STRONG
        and not span.is_weak
        and not any(span.overlaps(start, end) for start, end in places)
        and not any(other is not span and _inside(span, other) for other in words.spans)
    ]


def _inside(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end and other.end - other.start > span.end - span.start


def _is_sure(
    book: Book,
    proposal: Proposal,
    others: Sequence[Proposal],
    words: RecognisedWords,
    speech: SpeechActs,
    cued: Collection[Path],
    *,
    is_asked: bool,
) -> bool:
    if proposal.source == EXAMPLE:
        return True
    if proposal.source in _GUESSED or not (book.only_looks or _is_plainly_said(proposal, speech)):
        return False
    if proposal.source == "short_answer" and any(c.force is Force.PLAIN for c in speech.with_any(book.acts)):
        # "I want to open a ticket" may be no description of one.
        return False
    if proposal.source == "short_answer" or (is_asked and _is_free(proposal.slot)):
        return is_asked and is_evident(book, proposal, words, speech)
    if proposal.slot.type == "boolean":
        return proposal.value is True and (not is_asked or is_bare(book, proposal, others, words))
    if is_asked:
        return is_bare(book, proposal, others, words) and not _alike(proposal, others, words)
    return all(_stands_well(book, proposal, place, others, words, cued) for place in proposal.places)


def _is_free(slot: Slot) -> bool:
    """Whether any words would do."""
    return slot.type == "string" and not slot.options and "format" not in slot.schema and not slot.is_identifier


def _is_plainly_said(proposal: Proposal, speech: SpeechActs) -> bool:
    clauses = [clause for start, _ in proposal.places if (clause := speech.at(start)) is not None]
    return all(clause.force is Force.PLAIN or clause.is_tag or clause.kind for clause in clauses)


def _alike(proposal: Proposal, others: Sequence[Proposal], words: RecognisedWords) -> bool:
    """Whether something else that was said could be the answer as well."""
    spare = unused(others, words)
    return any(fitness(proposal.slot, span) is not None for span in spare)


def _stands_well(
    book: Book,
    proposal: Proposal,
    place: tuple[int, int],
    others: Sequence[Proposal],
    words: RecognisedWords,
    cued: Collection[Path],
) -> bool:
    """Whether a cue stands by the value, for this slot and no other, or no other slot could take it."""
    start, end = place
    slot, reading = proposal.slot, words.reading
    rivals = [
        lesson
        for lesson in book.lessons
        if lesson.slot is not slot and lesson.slot.path not in cued and _could_take(lesson, proposal, place, words)
    ]
    taken = [other for item in others if item is not proposal for other in item.places]
    own, theirs = _cues_of(book, slot, place, reading, rivals, taken)
    if proposal.source in ("context", "list") and not _is_whole(book, reading, place, others):
        return False
    counts = slot.is_identifier and any(
        span.measure in (COUNT, SUM) for span in words.spans if span.overlaps(start, end)
    )
    if own > theirs:
        return not counts or own >= 1.0
    return not rivals and not counts and _is_typed(proposal, book)


def _cues_of(
    book: Book,
    slot: Slot,
    place: tuple[int, int],
    reading: Reading,
    rivals: Sequence[Lesson],
    taken: Sequence[tuple[int, int]],
) -> tuple[float, float]:
    """How clearly the words beside a place speak of a slot, and of the clearest of its rivals: words that name both
    speak of neither."""
    named = [lesson.slot.name_keys for lesson in rivals]
    shared = frozenset(key for keys in named for key in keys & slot.name_keys)
    own = _cue(book, book.paths[slot.path], place, reading, taken, shared)
    return own, max((_cue(book, lesson, place, reading, taken, shared) for lesson in rivals), default=0.0)


def stands_by_cue(book: Book, proposal: Proposal, words: RecognisedWords) -> bool:
    """Whether the words beside a value speak of its slot."""
    lesson = book.paths[proposal.slot.path]
    return _cue(book, lesson, proposal.places[0], words.reading, (), frozenset()) > 0


def _is_typed(proposal: Proposal, book: Book) -> bool:
    """Whether the value is of a kind that is known apart from its place."""
    if proposal.source in ("option", "mention"):
        return True
    if proposal.source == "known":
        return isinstance(proposal.value, str) and proposal.value.islower()
    if proposal.source == "span:name":
        # Somebody's name is not what a note or a reason is.
        return bool(proposal.slot.name_keys & _NAMED) or not book.is_careful
    return proposal.source.startswith("span:")


_NAMED = frozenset(
    key_of(word)
    for word in word_set(
        """name person customer guest passenger employee student teacher trainer visitor participant
        driver owner author artist user patient member contact recipient city town
        country place location destination origin title product item street room device doctor nombre
        cliente ciudad ort stadt kunde name nom ville client titel titre título buch libro livre book"""
    )
)


def _could_take(lesson: Lesson, proposal: Proposal, place: tuple[int, int], words: RecognisedWords) -> bool:
    slot, (start, end) = lesson.slot, place
    if not slot.type:
        return False
    if proposal.source in ("option", "known"):
        return any(first < end and start < last for first, last, _ in lesson.find_known(words.reading))
    spans = [span for span in words.spans if span.overlaps(start, end)]
    if slot.is_identifier and any(span.measure == COUNT for span in spans) and not proposal.slot.is_identifier:
        return False
    suits = [suited[1] for span in spans if (suited := fitness(slot, span)) is not None]
    if suits:
        own = [suited[1] for span in spans if (suited := fitness(proposal.slot, span)) is not None]
        return max(suits) > max(own, default=0.0) - _CLEARLY_LESS
    is_free = slot.type == "string" and not slot.options and "format" not in slot.schema
    return not spans and is_free and fits(slot, words.reading.text[start:end])


def _cue(
    book: Book,
    lesson: Lesson,
    place: tuple[int, int],
    reading: Reading,
    taken: Sequence[tuple[int, int]],
    shared: frozenset[str],
) -> float:
    """How clearly the words beside a place speak of a slot: 0 to 1.5. `shared` words do not count."""
    start, end = place
    slot = lesson.slot
    here = context_at(reading, start, end)
    taught = max((one.context.strength(here) for one in lesson.taught), default=0.0)
    by_examples = taught if taught >= ENOUGH or (taught > _LEAST_SHOWN and here.behind != END) else 0.0
    before = _named_before(book, slot, start, reading, taken, shared)
    by_name = max(by_examples, before, _named_behind(slot, end, reading, taken, shared))
    return max(by_name, _prepositional(slot, start, reading))


_LEAST_SHOWN = 0.69


def _named_before(
    book: Book,
    slot: Slot,
    start: int,
    reading: Reading,
    taken: Sequence[tuple[int, int]],
    shared: frozenset[str],
) -> float:
    keys = _cues(slot.name, slot.description, book.declaration.action, is_identifier=slot.is_identifier)
    for distance, token in enumerate(reversed(reading.words_before(start, _REACH))):
        if is_in(token, taken) or _is_parted(reading, token.end, start):
            return 0.0
        if token.key in shared:
            continue
        if token.key in keys:
            # The nearer the better: of two names before a value it belongs to the latter.
            return keys[token.key] - 0.05 * distance
        if not token.is_stop:
            return 0.0
    return 0.0


def _named_behind(
    slot: Slot, end: int, reading: Reading, taken: Sequence[tuple[int, int]], shared: frozenset[str]
) -> float:
    following = reading.words_from(end, 1)
    if not following or is_in(following[0], taken) or _is_parted(reading, end, following[0].start):
        return 0.0
    if following[0].is_stop or following[0].key in shared:
        return 0.0
    cues = _cues(slot.name, slot.description, "", is_identifier=False)
    return min(0.9, cues.get(following[0].key, 0.0))


@lru_cache(maxsize=1024)
def _cues(name: str, description: str, action: str, *, is_identifier: bool) -> dict[str, float]:
    """Keys that speak of a slot, and how clearly: its name, its description's words, for an identifier also what is
    identified."""
    cues: dict[str, float] = {}
    described = [word for word in identifier_words(description)[:_MOST_DESCRIBED] if word not in _SMALL]
    cues |= {key_of(word): 0.8 for word in described}
    if is_identifier:
        cues |= {key_of(word): 1.0 for word in identifier_words(action)[1:]}
        cues |= {key_of(word): 1.0 for word in ("number", "no", "id", "nummer", "número", "numéro")}
    cues |= {key_of(word): 1.1 for word in identifier_words(name) if len(word) > 1}
    return cues


_MOST_DESCRIBED = 12
_SMALL = word_set("""a an the of to in on at for and or is be it this that new current which whose where by""")


def _prepositional(slot: Slot, start: int, reading: Reading) -> float:
    preposition = _preposition(start, reading)
    topics = () if preposition in _BROAD else PREPOSITION_CUES.get(preposition, ())
    return 0.6 if frozenset(map(key_of, topics)) & slot.name_keys else 0.0


def _is_parted(reading: Reading, start: int, end: int) -> bool:
    """Whether a mark stands between two words that parts a sentence."""
    return any(mark in reading.text[start:end] for mark in ",;.!?\n")


def _is_whole(book: Book, reading: Reading, place: tuple[int, int], others: Sequence[Proposal]) -> bool:
    """Whether a free value ends where its phrase ends: nothing of it was left behind."""
    following = list(reading.tokens_from(place[1], 1))
    if not following or not following[0].is_word or following[0].is_stop:
        return not _goes_on(reading, place[1], others)
    return following[0].key in book.parameter_keys or any(is_in(following[0], other.places) for other in others)


def _goes_on(reading: Reading, end: int, others: Sequence[Proposal]) -> bool:
    """Whether "and" and the like join more to the value that no proposal has."""
    following = reading.tokens_from(end, 2)
    if len(following) < 2 or following[0].text.casefold() not in _JOINTS:
        return False
    return not any(is_in(following[1], other.places) for other in others)


_JOINTS = frozenset(("and", "und", "y", "e", "et", "&", ",", "or", "oder", "o", "ou", "-", "'"))
