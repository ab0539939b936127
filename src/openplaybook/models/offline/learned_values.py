"""Values that what was learned from many tools finds in the user's words."""

from collections.abc import Iterable, Sequence

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.tokenizer import identifier_words
from openplaybook.models.offline.learned.filled_values import Filling, filled, judged, scene_of
from openplaybook.models.offline.learned.joint_choice import ChosenValue
from openplaybook.models.offline.learned.lexemes import stem_of
from openplaybook.models.offline.learned.mentions import MentionKind
from openplaybook.models.offline.learned.value_options import Form
from openplaybook.models.offline.learned.weights import learned_weights
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.fitness import fitness
from openplaybook.models.offline.slots.proposals import EXAMPLE, LEARNED, Proposal
from openplaybook.models.offline.slots.slot_schema import Slot
from openplaybook.models.offline.slots.slot_values import may_stand
from openplaybook.models.offline.spans.typed_span import Span

_LEAST_BESIDE = 0.5
"""Chance of a value that is taken besides those that the rules find."""
_FORMATS = frozenset(("date", "time", "date-time", "email", "uri"))
_LEARNED_IN = "en"
"""What words mean was learned of cases in this language."""
_LEAST_NEEDED = 0.2
"""The same of a value that is needed: where it changes something, it is read back."""


def more_values(situation: Situation, book: Book, found: Sequence[Proposal]) -> list[Proposal]:
    """Values for slots that the rules left open, of words that they did not use."""
    taken = {one.slot.path for one in found}
    return [
        one
        for one in _of_book(situation, book)
        if one.score >= _LEAST_BESIDE and one.slot.path not in taken and not any(map(one.overlaps, found))
    ]


def completed(situation: Situation, book: Book, found: Sequence[Proposal]) -> list[Proposal]:
    """The values that the rules found; text in full where they took a part of it, and needed ones that they missed."""
    is_read = situation.words.reading.language == _LEARNED_IN
    if not is_read or (found and all(one.source == EXAMPLE for one in found)):
        return list(found)
    learned = {one.slot.path: one for one in _of_book(situation, book)}
    found = [one for one in found if not _is_needed_elsewhere(one, found, learned.values())]
    whole = [_whole(one, learned.get(one.slot.path), found) for one in found]
    taken = {one.slot.path for one in whole}
    more = [
        one
        for one in learned.values()
        if one.slot.always_required
        and one.score >= _LEAST_NEEDED
        and one.slot.path not in taken
        and not any(map(one.overlaps, whole))
    ]
    return [*whole, *more]


def _is_needed_elsewhere(one: Proposal, found: Sequence[Proposal], learned: Iterable[Proposal]) -> bool:
    """Whether a value that an optional slot got is rather one that is needed: "book a visit for Rex" gives no
    reason."""
    if one.slot.required or one.source == EXAMPLE or one.slot.options:
        return False
    held = {other.slot.path for other in found}
    return any(
        other.slot.always_required
        and other.score >= _LEAST_BESIDE
        and other.slot.path not in held
        and (other.start, other.end) == (one.start, one.end)
        for other in learned
    )


def _whole(one: Proposal, learned: Proposal | None, found: Sequence[Proposal]) -> Proposal:
    if learned is None or one.source == EXAMPLE or one.slot.type != "string" or one.slot.is_array or one.slot.options:
        return one
    is_part = learned.start <= one.start and one.end < learned.end
    is_free = not any(other is not one and learned.overlaps(other) for other in found)
    return learned if is_part and is_free else one


def _of_book(situation: Situation, book: Book) -> list[Proposal]:
    tool = next((tool for tool in situation.index.learned_tools if tool.name == book.name), None)
    if tool is None:
        return []
    scene = scene_of(situation.utterance, tool.wants, tool.name_stems, situation.today)
    weights = learned_weights()
    return proposals_of(situation, book, filled(scene, judged(scene, weights.pair, weights.rival)))


def proposals_of(situation: Situation, book: Book, filling: Filling) -> list[Proposal]:
    """A filling's values that the schema allows, as proposals for the slots of a book, the surest first."""
    proposals: list[Proposal] = []
    # Of two that are about as sure, the one that the schema has first.
    for chosen in sorted(filling.choice.values, key=lambda one: -round(one.chance, 1)):
        lesson = book.paths.get(chosen.want.path)
        if (
            lesson is None
            or chosen.is_guessed
            or _is_verb(situation, book, chosen)
            or not _may_identify(situation, lesson.slot, chosen)
        ):
            continue
        value = _by_rule(situation, lesson.slot, chosen)
        proposal = Proposal(lesson.slot, value, (_place(situation, chosen),), LEARNED, chosen.chance)
        is_said_again = not lesson.slot.required and any(
            one.value == value and one.overlaps(proposal) for one in proposals
        )
        if may_stand(lesson.slot, value) and not is_said_again:
            proposals.append(proposal)
    return proposals


def _is_verb(situation: Situation, book: Book, chosen: ChosenValue) -> bool:
    """Whether no more of a listed value is said than the verb of the function: "check my balance" names no checking
    account."""
    place = chosen.option.place
    if chosen.option.form is not Form.OPTION or place is None or place[0] != place[1]:
        return False
    word, (verb, *_) = situation.utterance.lexemes[place[0]], identifier_words(book.declaration.action) or [""]
    return word.stem == stem_of(verb) and word.lower != str(chosen.option.value).casefold()


def _spans(situation: Situation, chosen: ChosenValue) -> list[Span]:
    """What the recognisers of the rules know at the place of a value."""
    mention = chosen.option.mention
    return [one for one in situation.words.spans if mention is not None and one.overlaps(mention.start, mention.end)]


def _may_identify(situation: Situation, slot: Slot, chosen: ChosenValue) -> bool:
    """Whether a value may be what identifies something, or has a format: no number that measures identifies anything,
    and no name is a day."""
    mention = chosen.option.mention
    if slot.type == "string" and slot.schema.get("format") in _FORMATS and chosen.option.form is not Form.FORMATTED:
        return any(fitness(slot, span) is not None for span in _spans(situation, chosen))
    if not slot.is_identifier or slot.options or mention is None or mention.kind is not MentionKind.NUMBER:
        return True
    return any(fitness(slot, span) is not None for span in _spans(situation, chosen))


def _by_rule(situation: Situation, slot: Slot, chosen: ChosenValue) -> JsonValue:
    """The value, of a day or a time as the rules write it, which know which days are past."""
    mention = chosen.option.mention
    if chosen.option.form is Form.FORMATTED and mention is not None:
        for span in _spans(situation, chosen):
            is_same = (span.start, span.end) == (mention.start, mention.end)
            suited = fitness(slot, span) if is_same and span.past is not None else None
            if suited is not None:
                return suited[0]
    return chosen.option.value


def _place(situation: Situation, chosen: ChosenValue) -> tuple[int, int]:
    """Where the words of a value stand; at the beginning, and of no length, where no single place has them."""
    option = chosen.option
    if option.mention is not None:
        return option.mention.start, option.mention.end
    if option.place is None:
        return 0, 0
    lexemes = situation.utterance.lexemes
    return lexemes[option.place[0]].start, lexemes[option.place[1]].end
