"""Secrets that stand in resources themselves: never written into a package, and missed when one is read.

Google's exports hold none since 15 August 2025.
"""

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy

from openplaybook.credentials.secret_fields import SecretPlace, secret_places
from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.report import Notes, Report

_MAX_SECRET_ID = 63
"""Characters; shorter than what is allowed (`is_valid_id`), as it is to be typed."""


def missing_secrets(resource: JsonObject) -> Iterator[SecretPlace]:
    """Places of a tool or an agent that need a secret and have neither one nor a secret version."""
    for place in secret_places(resource):
        version_key = place.field.version_key
        if not place.value and not (version_key and place.holder.get(version_key)):
            yield place


def how_to_give(place: SecretPlace, project: str, display_name: str) -> tuple[str, str]:
    """A sentence on a secret that a tool of that display name lacks, and the command that keeps it.

    The command is empty for a secret that has no version: it can only be given in its field.
    """
    key, version_key = place.field.key, place.field.version_key
    if version_key is None:
        return f"the tool needs {key}; set it in this field, where it is encrypted", ""
    secret = f"projects/{project}/secrets/{_secret_id(place, display_name)}"
    message = f"the tool needs {key}; store it as a secret, and set {version_key} to {secret}/versions/latest"
    return message, f"openplaybook secrets set {secret}"


def named_secrets(resource: JsonObject) -> Iterator[tuple[str, str]]:
    """JSON path and full name of every secret of which a tool or an agent names a version."""
    for place in secret_places(resource):
        key = place.field.version_key
        if key and isinstance(version := place.holder.get(key), str) and version:
            yield f"{place.path.removesuffix(place.field.key)}{key}", version.partition("/versions/")[0]


def _secret_id(place: SecretPlace, display_name: str) -> str:
    key = re.sub("([A-Z])", r"-\1", place.field.key)
    positions = re.findall(r"\[(\d+)\]", place.path)
    words = re.sub(r"[^A-Za-z0-9]+", "-", " ".join([display_name, key, *positions]))
    return words.strip("-").lower()[-_MAX_SECRET_ID:].lstrip("-")


def raw_secrets(resource: JsonObject) -> Iterator[SecretPlace]:
    """Places of a tool or an agent that hold a secret itself."""
    return (place for place in secret_places(resource) if place.is_secret)


def withheld(resources: Iterable[JsonObject]) -> Report:
    """What of resources `without_secrets` leaves out."""
    notes = Notes()
    for resource in resources:
        for field in raw_secrets(resource):
            place = f"{resource.get('displayName') or resource.get('name', '')} {field.path}"
            notes.withheld_secret(place, "is a secret and is not written; set it again after import")
    return notes.report()


def without_secrets(resource: JsonObject) -> JsonObject:
    """The resource without the secrets it holds."""
    if next(raw_secrets(resource), None) is None:
        return resource
    copy = deepcopy(resource)
    for place in raw_secrets(copy):
        del place.holder[place.field.key]
    return copy
