"""The `Model` that plays a script."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.base import FunctionCall, FunctionResult, ModelReply, ModelTurn, RequestedCall, TextDelta
from openplaybook.models.errors import (
    ModelError,
    ModelGarbled,
    ModelRateLimited,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
)
from openplaybook.models.scripted.script import Fail, FailureKind, ScriptedCall, ScriptedReply, ScriptedStep
from openplaybook.models.scripted.script_file import Location, read_script
from openplaybook.models.scripted.script_situation import Fit, ScriptSituation, fit, names_of
from openplaybook.models.scripted.script_template import NoValue, as_text, fill

_FAILURES: Mapping[FailureKind, type[ModelError]] = {
    FailureKind.TIMEOUT: ModelTimeout,
    FailureKind.UNAVAILABLE: ModelUnavailable,
    FailureKind.REJECTED: ModelRejected,
    FailureKind.GARBLED: ModelGarbled,
}


class ScriptedModel:
    """Plays a script; `times` and the place in `replies` are counted for the life of the object."""

    def __init__(self, path: Path) -> None:
        """Read the script; raises `ModelNotConfigured` naming file, line and path of every mistake."""
        self._script, self._lines = read_script(path)
        self._file = path.name
        # The name only: callers see it, and where a file lies is nobody's business.
        self._name = f"scripted:{path.name}"
        self._played: Counter[int] = Counter()
        self._position = 0

    @property
    def name(self) -> str:
        """`scripted:FILE`."""
        return self._name

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """Play the next step. Raises what the script says, and `ModelRejected` where it says nothing."""
        situation = ScriptSituation.of(turn)
        step, fits, location = self._next(situation)
        if step.delay_ms / 1000 > turn.timeout_s:
            await asyncio.sleep(turn.timeout_s)
            raise ModelTimeout(f"{self._file}: the script's delay is longer than the time left.")
        if step.delay_ms:
            await asyncio.sleep(step.delay_ms / 1000)
        if step.fail is not None:
            raise _failure(step.fail)
        try:
            return self._reply(step.reply or ScriptedReply(), situation, fits, location)
        except NoValue as error:
            raise ModelRejected(f"{self._file}, {self._lines.place(location)}: {error}") from None

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The same, word by word."""
        reply = await self.decide(turn)
        for word in re.findall(r"\s*\S+\s*$|\s*\S+", reply.text):
            yield TextDelta(word)
        yield reply

    async def aclose(self) -> None:
        """Nothing to give back."""

    def _next(self, situation: ScriptSituation) -> tuple[ScriptedStep, Fit, Location]:
        if self._script.replies is not None:
            position, self._position = self._position, self._position + 1
            if position >= len(self._script.replies):
                raise ModelRejected(f"{self._file}: all {position} replies of the script are used up.")
            last = situation.results[-1] if situation.results else None
            return self._script.replies[position].step(), Fit({}, last), ("replies", position)
        for number, rule in enumerate(self._script.rules or ()):
            if rule.times is not None and self._played[number] >= rule.times:
                continue
            rule_fit = fit(rule.when, situation)
            if rule_fit is not None:
                self._played[number] += 1
                return rule, rule_fit, ("rules", number)
        after = ", ".join(result.name for result in situation.results)
        stage = f"after the result of {after}" if after else "after what the user said"
        raise ModelRejected(f"{self._file}: no rule fits playbook {situation.turn.playbook!r} {stage}.")

    def _reply(self, reply: ScriptedReply, situation: ScriptSituation, fits: Fit, location: Location) -> ModelReply:
        turn = situation.turn
        outputs = {entry.name: entry.output for entry in turn.conversation if isinstance(entry, FunctionResult)}
        values: dict[str, JsonValue] = {
            "results": outputs,
            "match": fits.groups,
            "user": situation.user,
            "inputs": turn.inputs,
            "parameters": turn.parameters,
        }
        if fits.result is not None:
            values["result"] = fits.result.output
        earlier = sum(isinstance(entry, FunctionCall) for entry in turn.conversation)
        return ModelReply(
            text=as_text(fill(reply.text, values)),
            calls=tuple(
                self._call(call, turn, f"call_{number}", values)
                for number, call in enumerate(reply.calls, start=earlier + 1)
            ),
            model=self._name,
            finish_reason="tool_calls" if reply.calls else "stop",
            evidence={"script": self._file, "line": self._lines.line(location)},
        )

    def _call(
        self, call: ScriptedCall, turn: ModelTurn, made_id: str, values: Mapping[str, JsonValue]
    ) -> RequestedCall:
        names = names_of(call.name, turn.declarations)
        if len(names) > 1:
            raise ModelRejected(f"{self._file}: {call.name!r} may be any of {', '.join(names)}.")
        return RequestedCall(call.id or made_id, names[0] if names else call.name, fill(call.arguments, values))


def _failure(fail: Fail) -> ModelError:
    if fail.kind is FailureKind.RATE_LIMITED:
        return ModelRateLimited(fail.message, retry_after_s=fail.retry_after_s)
    return _FAILURES[fail.kind](fail.message)
