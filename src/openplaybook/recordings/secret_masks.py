"""Keeping secrets out of recordings: what stands under a secret name, and wherever else the same text occurs."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.recordings.errors import ConversationTooLong
from openplaybook.telemetry.redaction import MASK, mask_json, without

_TELLING = 6
"""Characters from which on a secret is looked for elsewhere: a shorter one would hit words and numbers."""
_MOST_STEPS = 1_000_000_000
"""Secrets times the characters in which they are looked for: some seconds."""
_PLAIN = re.compile(r"[\w.~-]+", re.ASCII)
"""Characters that are the same in every spelling of a secret."""


def without_secrets(document: JsonObject, known: Collection[str] = ()) -> JsonObject:
    """The JSON object with every value under a secret name masked, and the texts of these, and those that are `known`
    to be secret, masked in all other texts. Arguments go into paths, and models repeat what they are told.

    Large objects are not for the event loop. Raises `ConversationTooLong` where it would take too long.
    """
    masked = as_object(mask_json(document))
    hidden = {text for text in {*known, *_hidden(document, masked)} if len(text) >= _TELLING and text != MASK}
    if len(hidden) * sum(map(len, leaves(masked))) > _MOST_STEPS:
        raise ConversationTooLong(f"the conversation has {len(hidden):,} secret values, too many to find in its texts")
    secrets = [_Secret(text, max(_PLAIN.findall(text), key=len, default="")) for text in sorted(hidden)]
    return as_object(_replaced(masked, secrets)) if hidden else masked


@dataclass(frozen=True, slots=True)
class _Secret:
    """A secret."""

    text: str
    part: str
    """The longest part of it that stands in each of its spellings as it is."""


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


def _replaced(value: JsonValue, hidden: Sequence[_Secret]) -> JsonValue:
    if isinstance(value, str):
        secrets = [each.text for each in hidden if each.part in value]
        return without(value, secrets) if secrets else value
    if isinstance(value, dict):
        return {name: _replaced(member, hidden) for name, member in as_object(value).items()}
    return [_replaced(each, hidden) for each in as_list(value)] if isinstance(value, list) else value
