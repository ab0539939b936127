"""A model that says what the recording says."""

import re
from collections.abc import AsyncIterator, Sequence

from openplaybook.models.base import Declaration, DeclarationKind, ModelReply, ModelTurn, RequestedCall, TextDelta
from openplaybook.models.errors import ModelRejected, ModelUnavailable
from openplaybook.recordings.form import RecordedTurn
from openplaybook.recordings.step_form import RecordedCall, RecordedDecision


class RecordedModel:
    """Gives the decisions of one turn after the other; `begin` names the turn."""

    name = "recorded"

    def __init__(self) -> None:
        self._left: list[RecordedDecision] = []
        self._stops = ""
        self._made = 0

    def begin(self, turn: RecordedTurn) -> None:
        """From now on play this turn; what is left of the one before is skipped."""
        self._left = [step for step in turn.steps or () if isinstance(step, RecordedDecision)]
        self._stops = turn.stopped.message if turn.stopped is not None else ""

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The next decision. Raises `ModelRejected` when the recording has no more of them for this turn, and
        `ModelUnavailable` there when the recorded turn was cut short too."""
        if not self._left:
            if self._stops:
                raise ModelUnavailable(self._stops)
            raise ModelRejected("The recording has no further decision of the model for this turn.")
        decision = self._left.pop(0)
        return ModelReply(
            # Words that were withheld come again: whether they pass is up to the guardrails of today.
            text=decision.says or decision.withheld,
            calls=tuple(self._call(call, turn.declarations) for call in decision.calls),
            model=self.name,
            finish_reason="tool_calls" if decision.calls else "stop",
        )

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The same, word by word."""
        reply = await self.decide(turn)
        for word in re.findall(r"\s*\S+\s*$|\s*\S+", reply.text):
            yield TextDelta(word)
        yield reply

    async def aclose(self) -> None:
        """Nothing to give back."""

    def _call(self, call: RecordedCall, declarations: Sequence[Declaration]) -> RequestedCall:
        self._made += 1
        return RequestedCall(f"call_{self._made}", _function(call, declarations), call.arguments)


def _function(call: RecordedCall, declarations: Sequence[Declaration]) -> str:
    """The name under which a call's callee is offered now; where it is not, a name that tells what is missed."""
    meant = [each.name for each in declarations if _is_meant(each, call)]
    if not meant:
        return call.label
    # Where an agent and a tool that calls it share a name, the tool is declared before the transfer.
    return meant[-1 if call.playbook else 0]


def _is_meant(offered: Declaration, call: RecordedCall) -> bool:
    if call.tool and not call.action:
        return (offered.kind, offered.reference) == (DeclarationKind.PLAYBOOK, call.tool)
    if call.tool:
        identity = (offered.kind, offered.reference, offered.action)
        return identity == (DeclarationKind.TOOL, call.tool, call.action)
    if call.playbook:
        return (offered.kind, offered.reference) == (DeclarationKind.PLAYBOOK, call.playbook)
    return call.end and offered.kind in (DeclarationKind.END, DeclarationKind.CLOSE)
