"""What clients answer for tools of ours, against what the tool is declared to answer by status."""

import re
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.digits import has_digits, with_numbers
from openplaybook.tools.schema.validation import Validator

_STATUS = re.compile("[1-5]([0-9]{2}|XX)")


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


def result_problems(declared: JsonObject | None, output: JsonObject) -> Sequence[str]:
    """What is wrong with an answer, spelled whole (`{"200": body}`) or as the body alone; empty when it fits.

    `declared` is an output schema with a property for each status. Only declared answers are judged; a body alone may
    be that of any status. Raises `InvalidSchema`.
    """
    if declared is None:
        return ()
    bodies = as_object(declared.get("properties"))
    if not output.keys().isdisjoint(bodies):
        return Validator(declared).problems(output)
    if all(map(_STATUS.fullmatch, output)):
        return ()
    found = [
        Validator({**as_object(body), "$defs": as_object(declared.get("$defs"))}).problems(output)
        for body in bodies.values()
    ]
    return found[0] if found and all(found) else ()
