"""From a chosen function and the values found for it to a call, or to a question for what is missing."""

from collections.abc import Mapping, Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.offline.answers import AnswerTemplate
from openplaybook.models.offline.asking import question_for
from openplaybook.models.offline.decision import Decision
from openplaybook.models.offline.lesson_book import Book
from openplaybook.models.offline.proposals import Proposal
from openplaybook.models.offline.schema import DEEPEST, Path, Slot, resolve, type_of
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.state import Pending, PlannerState
from openplaybook.models.offline.templates import Facts, fill
from openplaybook.models.offline.values import arguments_of, fits, pick


def attempt(
    situation: Situation,
    book: Book,
    proposals: Sequence[Proposal],
    rule: str,
    *,
    earlier: JsonObject | None = None,
    confirmed: bool = False,
    said: str | None = None,
) -> Decision:
    """Call `book`'s function when all that it needs is known; else ask for the first thing missing.

    `earlier`: arguments known from before, which the user's new words overrule. `said`: the words that the proposals
    rest on, where they are not the user's latest.
    """
    filled = dict(_given(book, earlier or {}))
    filled.update({proposal.slot.path: proposal.value for proposal in proposals})
    sources = _completed(situation, book, filled)
    text = situation.words.reading.text if said is None else said
    evidence: JsonObject = {"slots": [proposal.evidence(text) for proposal in proposals] + sources}
    missing = _missing(book, filled)
    if missing is not None:
        return _ask(situation, book, missing, filled, rule, evidence, helped=bool(proposals))
    arguments = arguments_of(filled)
    if book.confirmation and not confirmed:
        return _ask_yes(situation, book, book.confirmation, arguments, rule, evidence)
    schema = book.declaration.input_schema
    _add_required_objects(resolve(schema, schema), schema, arguments)
    rest = {name: value for name, value in situation.state.filled.items() if name != book.name}
    state = PlannerState(filled=rest, last=book.name, last_arguments=arguments)
    return Decision(rule, state, calls=((book.name, arguments),), evidence=evidence)


def _given(book: Book, earlier: JsonObject) -> Mapping[Path, JsonValue]:
    """The arguments known from before that still fit: the function may have been changed since."""
    known = {path: pick(earlier, path) for path in book.paths}
    slots = {path: lesson.slot for path, lesson in book.paths.items()}
    return {
        path: value
        for path, value in known.items()
        if value is not None and (not slots[path].type or _may_stand(slots[path], value))
    }


def _completed(situation: Situation, book: Book, filled: dict[Path, JsonValue]) -> list[JsonValue]:
    """Fill needed slots from what is known beside the words; says from where."""
    sources: list[JsonValue] = []
    for lesson in book.lessons:
        slot = lesson.slot
        if slot.path in filled or not slot.always_required:
            continue
        for source, value in _elsewhere(situation, slot):
            if _may_stand(slot, value):
                filled[slot.path] = value
                sources.append({"slot": ".".join(slot.path), "value": value, "source": source})
                break
    return sources


def _elsewhere(situation: Situation, slot: Slot) -> list[tuple[str, JsonValue]]:
    turn = situation.turn
    found: list[tuple[str, JsonValue]] = []
    if len(slot.options) == 1:
        found.append(("schema", slot.options[0]))
    found += [("input", turn.inputs.get(slot.name)), ("parameter", turn.parameters.get(slot.name))]
    return found


def _may_stand(slot: Slot, value: JsonValue) -> bool:
    if slot.is_array:
        items = as_list(value)
        return bool(items) and all(fits(slot, item) for item in items)
    return value is not None and fits(slot, value)


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
    filled: Mapping[Path, JsonValue],
    rule: str,
    evidence: JsonObject,
    *,
    helped: bool,
) -> Decision:
    pending = situation.state.pending
    same = pending is not None and pending.function == book.name and pending.path == missing.path
    times = pending.times + 1 if pending is not None and same else 1
    state = _gathered(situation, book, arguments_of(filled), Pending(book.name, missing.path, times))
    text = question_for(book.paths[missing.path], situation.wording, again=same and not helped)
    return Decision(rule, state, text=text, evidence={**evidence, "missing": ".".join(missing.path)})


def _ask_yes(
    situation: Situation,
    book: Book,
    template: AnswerTemplate,
    arguments: JsonObject,
    rule: str,
    evidence: JsonObject,
) -> Decision:
    text = fill(template.parts, Facts(arguments, None, None)) or situation.wording.confirm
    state = _gathered(situation, book, arguments, Pending(book.name, ()))
    return Decision(rule, state, text=text, evidence={**evidence, "confirm": True})


def _gathered(situation: Situation, book: Book, arguments: JsonObject, pending: Pending) -> PlannerState:
    before = situation.state
    return PlannerState(pending, {**before.filled, book.name: arguments}, before.last, before.last_arguments)


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
