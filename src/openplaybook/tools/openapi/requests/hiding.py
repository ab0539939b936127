"""Saying what is wrong with arguments without saying a secret that the session put in."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.answers.masking import without
from openplaybook.tools.schema.validation import Validator

_NAMELESS = "a session parameter that holds a credential does not fit where it goes"


async def problems_without(secrets: Sequence[str], validator: Validator, arguments: JsonObject) -> Sequence[str]:
    """What is wrong with arguments, every secret in them masked; empty when they fit. Raises `InvalidSchema`."""
    problems = await validator.judge(arguments)
    if not problems or not secrets:
        return problems
    # Masked beforehand, since a message may show no more than the beginning of a value.
    return await validator.judge(_masked(arguments, secrets)) or (_NAMELESS,)


def _masked(value: JsonValue, secrets: Sequence[str]) -> JsonValue:
    if isinstance(value, str):
        return without(value, secrets)
    if isinstance(value, list):
        return [_masked(each, secrets) for each in as_list(value)]
    if isinstance(value, dict):
        return {name: _masked(each, secrets) for name, each in as_object(value).items()}
    return value
