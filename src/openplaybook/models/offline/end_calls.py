"""Leaving a playbook: the outputs it hands back."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.base import DeclarationKind
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.teacher import EARLY_ENDS
from openplaybook.models.offline.language.handover import ESCALATED
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.slot_schema import Path, Slot
from openplaybook.models.offline.slots.slot_values import arguments_of, fits, leaves, pick
from openplaybook.resources.ces.system_tools import ESCALATED as HANDED_OVER

_STATE, _SUMMARY = "state", "executionSummary"
_UNANSWERED = "The user goes on: "
"""How the summary of a playbook begins that ends because the user's words are a matter for its caller."""


def end_arguments(situation: Situation, state: str, known: JsonValue) -> JsonObject | None:
    """Arguments of the END function from what is known, by name; None when END is not offered or lacks something.

    `known`: an object, searched before the last call's arguments and the playbook's inputs.
    """
    end = situation.index.end
    return None if end is None else _arguments(situation, end, state, known)


def early_end(situation: Situation, state: str) -> tuple[tuple[str, JsonObject], ...]:
    """The call that ends the playbook, or with the first one the conversation; nothing where none can."""
    book = situation.index.end or situation.index.close
    arguments = None if book is None or not state else _arguments(situation, book, state, None)
    return () if book is None or arguments is None else ((book.name, arguments),)


def shown_end(situation: Situation, state: str) -> tuple[tuple[str, JsonObject], ...]:
    """The call that ends what an example ended in this state; nothing where it only came to a good end.

    An example of an app says so by the call itself, so that there OK is an end as well.
    """
    close = situation.index.close
    is_called = close is not None and (HANDED_OVER,) in close.paths
    return early_end(situation, state) if state in EARLY_ENDS or (state == "OK" and is_called) else ()


def handing_back(situation: Situation) -> tuple[tuple[str, JsonObject], ...]:
    """The call that ends a playbook which its user's words have nothing to do with, so that its caller answers them;
    nothing where something is under way here, or nobody called it."""
    end, state = situation.index.end, situation.state
    is_idle = state.pending is None and not state.filled and not situation.is_part
    if end is None or not is_idle or (_SUMMARY,) not in end.paths or not situation.text.strip():
        return ()
    summary = f"{_UNANSWERED}{situation.text}"
    arguments = _arguments(situation, end, "OK" if state.last else "CANCELLED", {_SUMMARY: summary})
    return () if arguments is None else ((end.name, arguments),)


def handed_back(situation: Situation) -> str:
    """The words with which a called playbook has ended without answering them; empty where none has."""
    result = situation.results[-1][1] if situation.results else None
    book = situation.index.known(result.name) if result else None
    if result is None or book is None or book.declaration.kind is not DeclarationKind.PLAYBOOK:
        return ""
    summary = str(as_object(result.output).get(_SUMMARY) or "")
    return summary.removeprefix(_UNANSWERED) if summary.startswith(_UNANSWERED) else ""


def _arguments(situation: Situation, end: Book, state: str, known: JsonValue) -> JsonObject | None:
    filled: dict[Path, JsonValue] = {}
    for lesson in end.lessons:
        value = _output(situation, lesson.slot, state, known)
        if value is not None:
            filled[lesson.slot.path] = value
        elif lesson.slot.always_required:
            return None
    return arguments_of(filled)


def _output(situation: Situation, slot: Slot, state: str, known: JsonValue) -> JsonValue:
    if slot.path == (_STATE,):
        return state if fits(slot, state) else None
    if slot.path == (HANDED_OVER,):
        return True if state == ESCALATED else None
    sources = (known, situation.last_thing, situation.state.last_arguments, situation.turn.inputs)
    for source in sources:
        named = (value for path, value in leaves(source) if path and path[-1] == slot.name)
        for value in (pick(source, slot.path), *named):
            if fits(slot, value):
                return value
    return None
