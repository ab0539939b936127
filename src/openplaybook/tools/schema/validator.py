"""Checks values against a JSON Schema (2020-12) and says what is wrong in words a model can act on."""

from collections.abc import Sequence
from functools import cached_property

from openplaybook.jsonvalues import JsonObject, JsonValue, is_large
from openplaybook.tools.schema import judge_process
from openplaybook.tools.schema.checked_formats import FORMATS
from openplaybook.tools.schema.compilation import Compiled, Formats, compile_schema
from openplaybook.tools.schema.effort import (
    AT_ONCE,
    MAX_DEPTH,
    SMALL,
    TOLD_AT_ONCE,
    Size,
    checks,
    effort,
    exact,
    is_small,
    measure,
)
from openplaybook.tools.schema.errors import Unjudged
from openplaybook.tools.schema.expansion import ValidationCost, cost_of
from openplaybook.tools.schema.faults import ValueFault, at_once
from openplaybook.tools.schema.sentences import sentences
from openplaybook.workers.lanes import JUDGEMENT

_MAX_SCHEMA = 64_000
"""Characters of a schema that is compiled where it is wanted: that takes some milliseconds."""

TOO_DEEP = f"the value is nested more than {MAX_DEPTH} levels"


class Validator:
    """A schema, compiled when it is first used.

    `formats` has the check of every format that is checked; without it none is. Small values are judged at once. What
    would take longer, by the value or by the schema, is judged in a process of its own, within a time.
    """

    def __init__(self, schema: JsonObject, *, formats: Formats | None = None) -> None:
        self._schema = schema
        self._formats = formats

    async def judge(self, value: JsonValue) -> Sequence[str]:
        """What is wrong with `value`, at most five sentences; empty when it fits. Raises `InvalidSchema`.

        One of the sentences may be that it is not judged, since that takes too long: then it does not fit.
        """
        verdict = self._at_once(value)
        if verdict is not None:
            return verdict
        return await judge_process.reported(JUDGEMENT.run(lambda: self._apart(value)))

    def problems(self, value: JsonValue) -> Sequence[str]:
        """As `judge`, for those who may wait: commands, and threads beside the loop."""
        verdict = self._at_once(value)
        return verdict if verdict is not None else self._apart(value)

    def fits(self, value: JsonValue) -> bool:
        """Whether `value` fits, found out at once. Raises `InvalidSchema`, and `Unjudged` where that takes longer."""
        verdict = self._at_once(value, tells=False)
        if verdict is None:
            raise Unjudged("takes too long to check")
        return not verdict

    def faults(self, value: JsonValue) -> Sequence[ValueFault] | None:
        """What is wrong with `value`, fault by fault; None if it takes long to find out. Raises `InvalidSchema`."""
        cost, size = self._cost, measure(value)
        if cost is None or size is None or size.depth > MAX_DEPTH:
            return None
        if cost.circles or cost.gives_up_unheard or cost.expands_too_far:
            return None
        taken = self._effort(cost, size, value)
        if taken is None or taken > AT_ONCE:
            return None
        if self._compiled.is_valid(value):
            return ()
        if taken > TOLD_AT_ONCE and checks(cost, size) > TOLD_AT_ONCE:
            return None
        faults = at_once(self._compiled, value)
        return None if any(fault.is_in_doubt for fault in faults) else faults

    def effort(self, value: JsonValue) -> int:
        """How many checks judging `value` takes at most. Raises `Unjudged` where they are too many to be counted."""
        cost, size = self._cost, measure(value)
        counted = None if cost is None or size is None or cost.circles else self._effort(cost, size, value)
        if counted is None:
            raise Unjudged("takes too long to check")
        return counted

    def compile(self) -> None:
        """Find out whether the schema can be used; raises `InvalidSchema`. For those who may wait."""
        if self._cost is None or self._cost.circles:
            judge_process.check(self._packed)
        else:
            _ = self._compiled

    def _at_once(self, value: JsonValue, *, tells: bool = True) -> Sequence[str] | None:
        """The answer where it takes no time to speak of, else None; unless it `tells`, any one text means a misfit."""
        if self._is_quick and is_small(value) and self._compiled.is_valid(value):
            return ()
        cost, size = self._cost, measure(value)
        if size is not None and size.depth > MAX_DEPTH:
            return (TOO_DEEP,)
        if cost is None or size is None or cost.circles or cost.gives_up_unheard:
            return None
        taken = 0 if cost.expands_too_far else self._effort(cost, size, value)
        if taken is None or taken > AT_ONCE:
            return None
        if self._compiled.is_valid(value):
            return ()
        if taken > TOLD_AT_ONCE and checks(cost, size) > TOLD_AT_ONCE:
            return None if tells or cost.worst.backtracking else ("",)
        faults = at_once(self._compiled, value)
        if any(fault.is_in_doubt for fault in faults):
            return None
        return sentences(faults, self._schema, value)

    def _effort(self, cost: ValidationCost, size: Size, value: JsonValue) -> int | None:
        estimated = effort(cost, size)
        return estimated if estimated <= AT_ONCE else exact(self._schema, size, value)

    def _apart(self, value: JsonValue) -> Sequence[str]:
        return judge_process.problems(self._packed, value)

    @cached_property
    def _cost(self) -> ValidationCost | None:
        """What is known of the schema; None where it is too large to be looked through."""
        return None if is_large(self._schema, _MAX_SCHEMA) else cost_of(self._schema)

    @cached_property
    def _is_quick(self) -> bool:
        """Whether every small value is judged in no time to speak of."""
        cost = self._cost
        if cost is None or cost.circles or cost.gives_up_unheard or cost.expands_too_far:
            return False
        return effort(cost, SMALL) <= AT_ONCE

    @cached_property
    def _packed(self) -> judge_process.Packed:
        return judge_process.packed(self._schema, has_formats=self._formats is FORMATS)

    @cached_property
    def _compiled(self) -> Compiled:
        return compile_schema(self._schema, self._formats, self._cost or cost_of(self._schema))
