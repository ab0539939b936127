"""Arguments for a client that makes a call of ours: complete, but for what secret parameters of the session gave."""

from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.base import ToolContext
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.requests.prepared_request import complete_arguments


async def without_secrets(
    operation: Operation, arguments: JsonObject, complete: JsonObject, context: ToolContext
) -> JsonObject:
    """What of the `complete` arguments comes about without the session's secret parameters too."""
    if not context.secret_parameters:
        return complete
    open_ones = {name: value for name, value in context.parameters.items() if name not in context.secret_parameters}
    open_complete = await complete_arguments(operation, arguments, replace(context, parameters=open_ones))
    return _common(complete, open_complete)


def _common(complete: JsonObject, open_ones: JsonObject) -> JsonObject:
    """The members that both have: where they differ, a secret has made the difference."""
    return {
        name: _of_both(value, open_ones[name])
        for name, value in complete.items()
        if name in open_ones and _are_alike(value, open_ones[name])
    }


def _of_both(one: JsonValue, other: JsonValue) -> JsonValue:
    if one == other:
        return one
    if isinstance(one, list):
        return [_of_both(*pair) for pair in zip(as_list(one), as_list(other), strict=True)]
    return _common(as_object(one), as_object(other))


def _are_alike(one: JsonValue, other: JsonValue) -> bool:
    """Whether they are equal but for members of objects."""
    if isinstance(one, list) and isinstance(other, list):
        ones, others = as_list(one), as_list(other)
        return len(ones) == len(others) and all(map(_are_alike, ones, others))
    return one == other or (isinstance(one, dict) and isinstance(other, dict))
