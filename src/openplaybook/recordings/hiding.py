"""Keeping secrets out of recordings: what stands under a secret name, and wherever else the same text occurs."""

from collections.abc import Collection, Iterator

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.telemetry.redaction import MASK, mask_json
from openplaybook.tools.openapi.answers.masking import without

_TELLING = 6
"""Characters from which on a secret is looked for elsewhere: a shorter one would hit words and numbers."""


def without_secrets(document: JsonObject, known: Collection[str] = ()) -> JsonObject:
    """The JSON object with every value under a secret name masked, and the texts of these, and those that are `known`
    to be secret, masked in all other texts. Arguments go into paths, and models repeat what they are told."""
    masked = as_object(mask_json(document))
    hidden = {text for text in {*known, *_hidden(document, masked)} if len(text) >= _TELLING and text != MASK}
    return as_object(_replaced(masked, sorted(hidden))) if hidden else masked


def _hidden(value: JsonValue, masked: JsonValue) -> Iterator[str]:
    """Texts and numbers that a mask stands for."""
    if masked == MASK:
        yield from leaves(value)
    elif isinstance(value, dict):
        for name, member in as_object(value).items():
            yield from _hidden(member, as_object(masked)[name])
    else:
        for one, other in zip(as_list(value), as_list(masked), strict=True):
            yield from _hidden(one, other)


def leaves(value: JsonValue) -> Iterator[str]:
    """Every text and number of a JSON value, as text."""
    if isinstance(value, str) or is_number(value):
        yield str(value)
    for inner in [*as_object(value).values(), *as_list(value)]:
        yield from leaves(inner)


def _replaced(value: JsonValue, hidden: Collection[str]) -> JsonValue:
    if isinstance(value, str):
        return without(value, hidden)
    if isinstance(value, dict):
        return {name: _replaced(member, hidden) for name, member in as_object(value).items()}
    return [_replaced(each, hidden) for each in as_list(value)] if isinstance(value, list) else value
