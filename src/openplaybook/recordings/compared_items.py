"""What of a turn is compared: its words as a whole, and everything else that happened, one thing after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.recordings.form import RecordedTurn
from openplaybook.recordings.step_form import (
    Enter,
    Leave,
    Notice,
    OtherEvent,
    RecordedCall,
    RecordedDecision,
    RecordedError,
    Say,
    Settle,
    Step,
)

REQUEST = "request"
"""Name of the fact what a call sends."""
FORM = "request form"
"""Name of the fact which fields of a form it sends."""


@dataclass(frozen=True, slots=True)
class ComparedItem:
    """Something that happened."""

    label: str
    """`pets.getPet`, `enters Returns`."""
    facts: JsonObject = field(default_factory=dict[str, JsonValue])
    """What is told of it: its arguments under `$`, all else by name."""
    error: RecordedError | None = None
    """Why it came to nothing. Its code is compared; the message may name what else the agent has."""


def items_of(turn: RecordedTurn, *, outputs: bool) -> list[ComparedItem]:
    """All that happened in a turn but words; of calls `outputs` too, if they are to be compared."""
    return [item for step in turn.steps or () for item in _items(step, outputs)]


def words_of(turn: RecordedTurn) -> str:
    """All words of a turn."""
    if turn.says is not None:
        return "\n".join(turn.says)
    return "\n".join(filter(None, map(_words, turn.steps or ())))


def paired(
    expected: Sequence[ComparedItem], happened: Sequence[ComparedItem]
) -> Iterator[tuple[ComparedItem | None, ComparedItem | None]]:
    """What belongs together, in order; what has no counterpart stands alone."""
    one, other = [item.label for item in expected], [item.label for item in happened]
    for kind, from_one, to_one, from_other, to_other in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from zip(expected[from_one:to_one], happened[from_other:to_other], strict=True)
        else:
            yield from ((item, None) for item in expected[from_one:to_one])
            yield from ((None, item) for item in happened[from_other:to_other])


def _words(step: Step) -> str:
    if isinstance(step, RecordedDecision):
        return step.says
    return step.engine if isinstance(step, Say) else ""


def _items(step: Step, outputs: bool) -> list[ComparedItem]:
    match step:
        case RecordedDecision():
            # Entering and leaving playbooks are steps of their own.
            return [_of_call(call, outputs) for call in step.calls if call.tool or call.function or call.error]
        case Enter():
            return [ComparedItem(f"enters {step.enters}", {"inputs": step.inputs})]
        case Leave():
            return [
                ComparedItem(
                    f"leaves {step.leaves}", {"state": step.state, "outputs": step.outputs, "summary": step.summary}
                )
            ]
        case Settle():
            return [ComparedItem(f"{step.settles} ends with {step.error.code}")]
        case Say():
            return [ComparedItem(f"the engine speaks {step.code}".strip())]
        case Notice():
            return [ComparedItem(f"notice {step.notice}", {"message": step.message})]
        case OtherEvent():
            detail = step.data.get("stage") or step.data.get("playbook") or ""
            return [ComparedItem(f"{step.event} {detail}".strip(), step.data)]


def _of_call(call: RecordedCall, outputs: bool) -> ComparedItem:
    facts: JsonObject = {"$": call.arguments}
    if call.request is not None:
        facts[REQUEST] = call.request.model_dump(exclude_defaults=True, exclude={"form"})
        if call.request.form is not None:
            # Apart: recordings of older versions have no fields of forms.
            facts[FORM] = call.request.form
    if outputs:
        facts["output"] = call.output
    return ComparedItem(call.label, facts, call.error)
