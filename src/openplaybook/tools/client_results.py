"""What clients answer for tools of ours, against what the tool is declared to answer by status."""

import re
from collections import OrderedDict
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.digits import has_digits, with_numbers
from openplaybook.tools.schema.validator import Validator

_STATUS = re.compile("[1-5]([0-9]{2}|XX)")


_MAX_KEPT = 256


def with_result_numbers(declared: JsonObject | None, output: JsonObject) -> JsonObject:
    """An answer with texts of digits as the numbers that are declared, spelled whole or as the body alone."""
    if declared is None or not has_digits(output):
        return output
    bodies = as_object(declared.get("properties"))
    if not output.keys().isdisjoint(bodies) or not all(map(_STATUS.fullmatch, bodies)):
        return as_object(with_numbers(output, declared))
    for body in bodies.values():
        read = as_object(with_numbers(output, {**as_object(body), "$defs": as_object(declared.get("$defs"))}))
        if read != output:
            return read
    return output


async def result_problems(declared: JsonObject | None, output: JsonObject) -> Sequence[str]:
    """What is wrong with an answer, spelled whole (`{"200": body}`) or as the body alone; empty when it fits.

    `declared` is an output schema with a property for each status. Only declared answers are judged; a body alone may
    be that of any status. Raises `InvalidSchema`.
    """
    if declared is None:
        return ()
    judges = _judges(declared)
    if not output.keys().isdisjoint(judges.bodies):
        return await judges.whole.judge(output)
    if not judges.bodies or all(map(_STATUS.fullmatch, output)):
        return ()
    if not await judges.any_body.judge(output):
        return ()
    return await judges.first_body.judge(output)


class _Judges:
    """What judges by one output schema."""

    def __init__(self, declared: JsonObject) -> None:
        self.declared = declared
        self.bodies: JsonObject = as_object(declared.get("properties"))
        definitions: JsonObject = {"$defs": as_object(declared.get("$defs"))}
        bodies = list(self.bodies.values())
        self.whole = Validator(declared)
        self.any_body = Validator({"anyOf": bodies, **definitions})
        self.first_body = Validator({**as_object(bodies[0]), **definitions}) if bodies else self.whole


_KEPT: OrderedDict[int, _Judges] = OrderedDict()
"""By identity: a tool's schemas stay as they are, and are judged by again and again."""


def _judges(declared: JsonObject) -> _Judges:
    known = _KEPT.pop(id(declared), None)
    if known is None or known.declared is not declared:
        known = _Judges(declared)
    _KEPT[id(declared)] = known
    if len(_KEPT) > _MAX_KEPT:
        _KEPT.popitem(last=False)
    return known
