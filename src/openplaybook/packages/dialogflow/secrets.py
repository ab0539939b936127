"""Secrets that stand in resources themselves: never written into a package, and missed when one is read.

Google's exports hold none since 15 August 2025.
"""

from collections.abc import Iterator
from copy import deepcopy

from openplaybook.credentials.secret_fields import SecretPlace, secret_places
from openplaybook.jsonvalues import JsonObject


def missing_secrets(resource: JsonObject) -> Iterator[SecretPlace]:
    """Places of a tool or an agent that need a secret and have neither one nor a secret version."""
    for place in secret_places(resource):
        version_key = place.field.version_key
        if not place.value and not (version_key and place.holder.get(version_key)):
            yield place


def raw_secrets(resource: JsonObject) -> Iterator[SecretPlace]:
    """Places of a tool or an agent that hold a secret itself."""
    return (place for place in secret_places(resource) if place.is_secret)


def without_secrets(resource: JsonObject) -> JsonObject:
    """The resource without the secrets it holds."""
    if next(raw_secrets(resource), None) is None:
        return resource
    kept = deepcopy(resource)
    for place in raw_secrets(kept):
        del place.holder[place.field.key]
    return kept
