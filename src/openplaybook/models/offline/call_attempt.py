"""From a chosen function and the values found for it to a call, or to a question for what is missing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.offline.assurance import sure_paths, unused
from openplaybook.models.offline.consent import Consent
from openplaybook.models.offline.knowledge.answer_templates import Facts, fill
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.local_forms import LocalForms
from openplaybook.models.offline.language.local_tables import forms_for
from openplaybook.models.offline.planner_state import Pending, PlannerDecision, PlannerState
from openplaybook.models.offline.questions import question_for, read_back
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.proposals import EXAMPLE, Proposal, RecognisedWords
from openplaybook.models.offline.slots.slot_schema import DEEPEST, Path, Slot, resolve, type_of
from openplaybook.models.offline.slots.slot_values import arguments_of, may_stand, pick, scalars, spoken
from openplaybook.models.offline.speech.speech_acts import SpeechActs


@dataclass(frozen=True, slots=True)
class Utterance:
    """Words, and what they do."""

    words: RecognisedWords
    speech: SpeechActs


@dataclass(frozen=True, slots=True)
class KnownValues:
    """What is known of a call before the latest words."""

    arguments: JsonObject = field(default_factory=dict[str, object])
    sure: Collection[Path] = ()
    """The slots among them that the user plainly said, and the empty path where the call itself was asked for."""


CALL: Path = ()
"""Among the sure paths: the call itself was asked for."""


def known_of(state: PlannerState, book: Book) -> KnownValues:
    """What was gathered for a function. What was gathered before something else came between is no longer sure."""
    goes_on = state.pending is not None and state.pending.function == book.name
    gathered: JsonObject = state.filled.get(book.name) or {}
    return KnownValues(gathered, state.sure.get(book.name, ()) if goes_on else ())


def asked(situation: Situation, book: Book, rule: str) -> PlannerDecision:
    """Put the user's words as they stand to a function that takes questions."""
    assert book.declaration.as_question is not None, "only such a function is asked"
    arguments = book.declaration.as_question(situation.whole_text)
    state = replace(situation.state, pending=None, last=book.name, last_arguments=arguments)
    return PlannerDecision(rule, state, calls=((book.name, arguments),))


def attempt(
    situation: Situation,
    book: Book,
    proposals: Sequence[Proposal],
    rule: str,
    *,
    known: KnownValues | None = None,
    consent: Consent = Consent.GIVEN,
    confirmed: bool = False,
    asked_slot: Path | None = None,
    utterance: Utterance | None = None,
) -> PlannerDecision:
    """Call `book`'s function when all that it needs is known, and asked for and sure enough; else ask.

    `known`: what is known from before, which the user's new words overrule. `asked_slot`: the slot that the agent has
    just asked for. `utterance`: the words that the proposals rest on, where they are not the user's latest.
    """
    if book.declaration.as_question is not None:
        return asked(situation, book, rule)
    before, words = known or KnownValues(), utterance.words if utterance else situation.words
    filled = dict(_given(book, before.arguments))
    replaced = {one.slot.path for one in proposals if filled.get(one.slot.path, one.value) != one.value}
    filled.update({proposal.slot.path: proposal.value for proposal in proposals})
    sources = _completed(situation, book, filled)
    sure = {path for path in before.sure if path not in {proposal.slot.path for proposal in proposals}}
    if book.is_careful and proposals:
        sure |= (
            sure_paths(
                book, proposals, words, utterance.speech if utterance else situation.speech, asked_slot=asked_slot
            )
            - replaced
        )
    sure |= {tuple(str(source["slot"]).split(".")) for source in sources}
    if consent is Consent.GIVEN:
        sure.add(CALL)
    text = words.reading.text
    evidence: JsonObject = {"slots": [*(proposal.evidence(text) for proposal in proposals), *sources]}
    missing = _missing(book, filled)
    if missing is not None:
        return _ask(
            situation, book, missing, KnownValues(arguments_of(filled), sure), rule, evidence, helped=bool(proposals)
        )
    arguments = arguments_of(filled)
    schema = book.declaration.input_schema
    _add_required_objects(resolve(schema, schema), schema, arguments)
    is_unsure = book.is_careful and _is_unsure(book, filled, sure, proposals, words)
    if not confirmed and (is_unsure or book.confirmation):
        return _ask_yes(situation, book, KnownValues(arguments, sure), rule, evidence, is_unsure=is_unsure)
    rest = situation.state.without(book.name)
    state = PlannerState(filled=rest.filled, last=book.name, last_arguments=arguments, sure=rest.sure)
    return PlannerDecision(rule, state, calls=((book.name, arguments),), evidence=evidence)


def _is_unsure(
    book: Book,
    filled: Mapping[Path, JsonValue],
    sure: Collection[Path],
    proposals: Sequence[Proposal],
    words: RecognisedWords,
) -> bool:
    """Whether a careful person would ask before the call is made."""
    if CALL not in sure or any(path not in sure for path in filled):
        return True
    # What the user said and the call does not take may have been meant for it: a second order number.
    return bool(proposals) and all(one.source != EXAMPLE for one in proposals) and bool(unused(proposals, words))


def _given(book: Book, earlier: JsonObject) -> Mapping[Path, JsonValue]:
    """The arguments known from before that still fit: the function may have been changed since."""
    known = {path: pick(earlier, path) for path in book.paths}
    slots = {path: lesson.slot for path, lesson in book.paths.items()}
    return {path: value for path, value in known.items() if may_stand(slots[path], value)}


def _completed(situation: Situation, book: Book, filled: dict[Path, JsonValue]) -> list[JsonObject]:
    """Fill needed slots from what is known beside the words; says from where."""
    sources: list[JsonObject] = []
    for lesson in book.lessons:
        slot = lesson.slot
        if slot.path in filled or not slot.always_required:
            continue
        for source, value in _elsewhere(situation, slot):
            if may_stand(slot, value):
                filled[slot.path] = value
                sources.append({"slot": ".".join(slot.path), "value": value, "source": source})
                break
    return sources


def _elsewhere(situation: Situation, slot: Slot) -> list[tuple[str, JsonValue]]:
    turn = situation.turn
    values: list[tuple[str, JsonValue]] = []
    if len(slot.options) == 1:
        values.append(("schema", slot.options[0]))
    values += [("input", turn.inputs.get(slot.name)), ("parameter", turn.parameters.get(slot.name))]
    return values


def _missing(book: Book, filled: Mapping[Path, JsonValue]) -> Slot | None:
    """The first slot that a call would lack: needed always, or by an object that has other members."""
    for lesson in book.lessons:
        slot = lesson.slot
        begun = len(slot.path) > 1 and any(path[: len(slot.path) - 1] == slot.path[:-1] for path in filled)
        if slot.path not in filled and (slot.always_required or (slot.required and begun)):
            return slot
    return None


def _ask(
    situation: Situation,
    book: Book,
    missing: Slot,
    known: KnownValues,
    rule: str,
    evidence: JsonObject,
    *,
    helped: bool,
) -> PlannerDecision:
    pending = situation.state.pending
    same = pending is not None and pending.function == book.name and pending.path == missing.path
    times = pending.times + 1 if pending is not None and same else 1
    state = _gathered(situation, book, known, Pending(book.name, missing.path, times))
    text = question_for(book.paths[missing.path], situation.wording, again=same and not helped)
    return PlannerDecision(rule, state, text=text, evidence={**evidence, "missing": ".".join(missing.path)})


def _ask_yes(
    situation: Situation, book: Book, known: KnownValues, rule: str, evidence: JsonObject, *, is_unsure: bool
) -> PlannerDecision:
    text = confirmation_of(situation, book, known.arguments, is_unsure=is_unsure)
    state = _gathered(situation, book, known, Pending(book.name, ()))
    return PlannerDecision(rule, state, text=text, evidence={**evidence, "confirm": True})


def confirmation_of(situation: Situation, book: Book, arguments: JsonObject, *, is_unsure: bool) -> str:
    """Asks for a yes: as an example does where that tells every value, else by reading the call back."""
    forms = forms_for(situation.turn.language_code)
    question = fill(book.confirmation.parts, Facts(arguments, None, None, forms=forms)) if book.confirmation else None
    if question and (not is_unsure or all(_is_told(value, question, forms) for value in scalars(arguments))):
        return question
    if not is_unsure:
        return situation.wording.confirm
    return read_back(book, arguments, situation.user_wording)


def _is_told(value: JsonValue, question: str, forms: LocalForms) -> bool:
    """Whether a question has a value, as it is or in a form of the language that has no less."""
    own = forms.own(value) if isinstance(value, str) else None
    return spoken(value) in question or (own is not None and own in question)


def waiting_question(situation: Situation) -> str:
    """The question that still waits for its answer; empty when none does."""
    state = situation.state
    book = situation.index.books.get(state.pending.function) if state.pending else None
    if state.pending is None or book is None:
        return ""
    lesson = book.paths.get(state.pending.path)
    if lesson is not None:
        return question_for(lesson, situation.wording)
    known = known_of(state, book)
    is_unsure = book.is_careful and any(path not in known.sure for path in (CALL, *_given(book, known.arguments)))
    return confirmation_of(situation, book, known.arguments, is_unsure=is_unsure)


def _gathered(situation: Situation, book: Book, known: KnownValues, pending: Pending) -> PlannerState:
    before = situation.state
    return PlannerState(
        pending,
        {**before.filled, book.name: known.arguments},
        before.last,
        before.last_arguments,
        {**before.sure, book.name: tuple(sorted(known.sure))},
    )


def _add_required_objects(schema: JsonObject, root: JsonObject, arguments: JsonObject, depth: int = 0) -> None:
    """An object that is required although nothing in it is: given empty, at any depth that slots reach."""
    needed = as_list(schema.get("required"))
    for name, described in as_object(schema.get("properties")).items():
        member = resolve(as_object(described), root)
        if depth == DEEPEST or not (type_of(member) == "object" or as_object(member.get("properties"))):
            continue
        if name in needed:
            arguments.setdefault(name, {})
        if isinstance(arguments.get(name), dict):
            _add_required_objects(member, root, arguments[name], depth + 1)
