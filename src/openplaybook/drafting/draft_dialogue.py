"""The schema as a model writes it, checked and, where need be, written again."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from openplaybook.documents.yaml_output import to_yaml
from openplaybook.drafting.document_merge import joined
from openplaybook.drafting.draft_prompt import COMMISSION, task
from openplaybook.drafting.draft_remarks import Remarks
from openplaybook.drafting.draft_review import DraftBasis, UnusableDraft, draft_of, misfits
from openplaybook.drafting.errors import NothingToGoOn, UnusableAnswers
from openplaybook.drafting.sample_merge import absorbed
from openplaybook.drafting.schema_generation import (
    Assignment,
    GeneratedSchema,
    entitled,
    in_usual_order,
    read,
    remarks_on,
)
from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Entry, Model, ModelReply, ProviderReply, UserText
from openplaybook.models.errors import ModelError
from openplaybook.tools.commission import correction
from openplaybook.workers.lanes import DOCUMENTS

MAX_REPAIRS = 2
"""Times a model is told what is wrong with its draft."""

ANSWER_S = 120.0
"""For one answer of the model."""

TIMEOUT_S = 300.0
"""For all its answers."""

Tell: TypeAlias = Callable[[str], None]
"""Hears how the work goes on, a sentence at a time."""


async def generate_with(
    model: Model, assignment: Assignment, tell: Tell, timeout_s: float = TIMEOUT_S
) -> GeneratedSchema:
    """The schema as the model writes it, holding for the samples whatever the model wrote.

    Where the model fails or writes nothing usable, the schema that the samples alone show, and a remark. Raises
    `GenerationError`; without samples also `UnusableAnswers` and `ModelError`.
    """
    # Beside the event loop, as everything here that takes long: others are served meanwhile.
    exchanges, before = await DOCUMENTS.run(partial(read, assignment))
    if not exchanges and not assignment.words.strip():
        raise NothingToGoOn("there is nothing to start from: give samples, or describe the API in words")
    basis = DraftBasis(exchanges, before, assignment.words)
    prompt = await DOCUMENTS.run(partial(_task, assignment, basis))
    dialogue = _Dialogue(model, basis, tell, time.monotonic() + timeout_s, [prompt])
    try:
        await dialogue.hold()
    except ModelError as error:
        if dialogue.draft is None and not exchanges:
            raise
        dialogue.failure = str(error)
    finish = _without if dialogue.draft is None else _finished
    return await DOCUMENTS.run(partial(finish, dialogue, assignment))


@dataclass
class _Dialogue:
    """What a model was asked and what came of it."""

    model: Model
    basis: DraftBasis
    tell: Tell
    deadline: float
    """By the monotonic clock, in seconds."""
    conversation: list[Entry | ProviderReply]
    draft: JsonObject | None = None
    """The latest that can be used."""
    notes: Remarks = field(default_factory=Remarks)
    """What there is to say of the draft."""
    failure: str = ""
    """What is wrong with the latest answer; empty when nothing is."""

    async def hold(self) -> None:
        """Ask until the answer is without fault, the patience at its end, or the time over. Raises `ModelError`."""
        for attempt in range(MAX_REPAIRS + 1):
            left = self.deadline - time.monotonic()
            if left <= 0:
                self.failure = self.failure or "there was no time left"
                return
            again = f" for a better one ({attempt} of {MAX_REPAIRS})" if attempt else ""
            self.tell(f"asking {self.model.name}{again}")
            reply = await self.model.decide(COMMISSION.turn(self.conversation, min(left, ANSWER_S)))
            await DOCUMENTS.run(partial(self._judge, reply))
            if not self.failure:
                return
            self.tell(f"its schema has faults: {self.failure.partition(chr(10))[0]}")
            advice = f"{self.failure}\nCorrect this and hand the whole document over again."
            self.conversation += correction(reply, {"error": advice}, advice)

    def _judge(self, reply: ModelReply) -> None:
        notes = Remarks()
        try:
            self.draft = draft_of(reply, self.basis, notes)
            self.notes = notes
            self.failure = "\n".join(misfits(self.draft, self.basis.exchanges))
        except UnusableDraft as error:
            self.failure = str(error)


def _task(assignment: Assignment, basis: DraftBasis) -> UserText:
    """What there is to go on, with what the samples alone show for the model to start from."""
    exchanges, before = basis.exchanges, basis.before
    inferred = to_yaml(in_usual_order(absorbed(None, exchanges, Remarks()))) if exchanges else ""
    schema = "" if before is None else to_yaml(before)
    return task(assignment.words, assignment.samples, exchanges, inferred, schema)


def _finished(dialogue: _Dialogue, assignment: Assignment) -> GeneratedSchema:
    """The draft, widened for the samples, in the schema that is there already."""
    basis, remarks = dialogue.basis, remarks_on(assignment)
    for sentence in dialogue.notes.sentences:
        remarks.add(sentence)
    if basis.before is None:
        document = in_usual_order(absorbed(dialogue.draft, basis.exchanges, remarks))
    else:
        full = absorbed(dialogue.draft, basis.exchanges, Remarks())
        document = absorbed(joined(basis.before, full), basis.exchanges, remarks)
    return GeneratedSchema(to_yaml(document), True, remarks.sentences)


def _without(dialogue: _Dialogue, assignment: Assignment) -> GeneratedSchema:
    """The schema without the model's help. Raises `UnusableAnswers` where there are no samples."""
    basis, remarks = dialogue.basis, remarks_on(assignment)
    reason = dialogue.failure.partition("\n")[0]
    if not basis.exchanges:
        raise UnusableAnswers(f"the model wrote no usable schema: {reason}")
    remarks.add(f"The model did not help ({reason}), so the schema comes from the samples only.")
    inferred = entitled(absorbed(basis.before, basis.exchanges, remarks), basis.before, assignment.words)
    return GeneratedSchema(to_yaml(inferred), False, remarks.sentences)
