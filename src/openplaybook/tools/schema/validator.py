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
from openplaybook.tools.schema.errors import InvalidSchema, Unjudged
from openplaybook.tools.schema.expansion import ValidationCost, survey
from openplaybook.tools.schema.faults import ValueFault, at_once
from openplaybook.tools.schema.sentences import sentences
from openplaybook.workers.lanes import JUDGEMENT

__all__ = ["InvalidSchema", "Unjudged", "Validator"]

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
        found = self._at_once(value)
        if found is not None:
            return found
        return await judge_process.told(JUDGEMENT.run(lambda: self._apart(value)))

    def problems(self, value: JsonValue) -> Sequence[str]:
        """As `judge`, for those who may wait: commands, and threads beside the loop."""
        found = self._at_once(value)
        return found if found is not None else self._apart(value)

    def fits(self, value: JsonValue) -> bool:
        """Whether `value` fits, found out at once. Raises `InvalidSchema`, and `Unjudged` where that takes longer."""
        found = self._at_once(value, tells=False)
        if found is None:
            raise Unjudged("takes too long to check")
        return not found

    def faults(self, value: JsonValue) -> Sequence[ValueFault] | None:
        """What is wrong with `value`, fault by fault; None if it takes long to find out. Raises `InvalidSchema`."""
        found, size = self._found, measure(value)
        if found is None or size is None or size.depth > MAX_DEPTH:
            return None
        if found.circles or found.gives_up_unheard or found.expands_too_far:
            return None
        taken = self._effort(found, size, value)
        if taken is None or taken > AT_ONCE:
            return None
        if self._compiled.is_valid(value):
            return ()
        if taken > TOLD_AT_ONCE and checks(found, size) > TOLD_AT_ONCE:
            return None
        faults = at_once(self._compiled, value)
        return None if any(fault.is_in_doubt for fault in faults) else faults

    def effort(self, value: JsonValue) -> int:
        """How many checks judging `value` takes at most. Raises `Unjudged` where they are too many to be counted."""
        found, size = self._found, measure(value)
        counted = None if found is None or size is None or found.circles else self._effort(found, size, value)
        if counted is None:
            raise Unjudged("takes too long to check")
        return counted

    def compile(self) -> None:
        """Find out whether the schema can be used; raises `InvalidSchema`. For those who may wait."""
        if self._found is None or self._found.circles:
            judge_process.check(self._packed)
        else:
            _ = self._compiled

    def _at_once(self, value: JsonValue, *, tells: bool = True) -> Sequence[str] | None:
        """The answer where it takes no time to speak of, else None; unless it `tells`, any one text means a misfit."""
        if self._is_quick and is_small(value) and self._compiled.is_valid(value):
            return ()
        found, size = self._found, measure(value)
        if size is not None and size.depth > MAX_DEPTH:
            return (TOO_DEEP,)
        if found is None or size is None or found.circles or found.gives_up_unheard:
            return None
        taken = 0 if found.expands_too_far else self._effort(found, size, value)
        if taken is None or taken > AT_ONCE:
            return None
        if self._compiled.is_valid(value):
            return ()
        if taken > TOLD_AT_ONCE and checks(found, size) > TOLD_AT_ONCE:
            return None if tells or found.worst.backtracking else ("",)
        faults = at_once(self._compiled, value)
        if any(fault.is_in_doubt for fault in faults):
            return None
        return sentences(faults, self._schema, value)

    def _effort(self, found: ValidationCost, size: Size, value: JsonValue) -> int | None:
        estimated = effort(found, size)
        return estimated if estimated <= AT_ONCE else exact(self._schema, size, value)

    def _apart(self, value: JsonValue) -> Sequence[str]:
        return judge_process.problems(self._packed, value)

    @cached_property
    def _found(self) -> ValidationCost | None:
        """What is known of the schema; None where it is too large to be looked through."""
        return None if is_large(self._schema, _MAX_SCHEMA) else survey(self._schema)

    @cached_property
    def _is_quick(self) -> bool:
        """Whether every small value is judged in no time to speak of."""
        found = self._found
        if found is None or found.circles or found.gives_up_unheard or found.expands_too_far:
            return False
        return effort(found, SMALL) <= AT_ONCE

    @cached_property
    def _packed(self) -> judge_process.Packed:
        return judge_process.packed(self._schema, has_formats=self._formats is FORMATS)

    @cached_property
    def _compiled(self) -> Compiled:
        return compile_schema(self._schema, self._formats, self._found or survey(self._schema))
