"""Values that are written in code, as JSON."""

import ast
import math
from collections.abc import Sequence
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, is_deep

_MAX_LEVELS = 16


class NotJson(ValueError):
    """What is written there is no JSON value."""


def constant(node: ast.expr) -> JsonValue:
    """The value of a literal; raises `NotJson` for anything else."""
    try:
        value = _as_json(ast.literal_eval(node))
        # No schema can hold halves of surrogate pairs, nor integers of more digits than JSON has here.
        dumps(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise NotJson(str(error)) from error
    if is_deep(value, _MAX_LEVELS):
        raise NotJson(f"it is nested more than {_MAX_LEVELS} levels")
    return value


def words(text: str) -> str:
    """A text of the code as it can be told: halves of surrogate pairs, which are no characters, become `?`."""
    return text.encode(errors="replace").decode()


def enumerated(members: Sequence[ast.expr]) -> JsonObject:
    """The JSON Schema of one of these values; any value, where they are no literals."""
    try:
        values = [constant(each) for each in members]
    except NotJson:
        return {}
    kinds: list[JsonValue] = [*dict.fromkeys(map(_kind, values))]
    return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": values} if values else {}


def _as_json(value: object) -> JsonValue:
    if isinstance(value, float) and not math.isfinite(value):
        raise NotJson(f"{value} is not JSON")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_as_json(each) for each in cast("list[object]", value)]
    if isinstance(value, dict):
        return {str(name): _as_json(each) for name, each in cast("dict[object, object]", value).items()}
    raise NotJson(f"a {type(value).__name__} is not JSON")


def _kind(value: JsonValue) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case _:
            return "array" if isinstance(value, list) else "object"
