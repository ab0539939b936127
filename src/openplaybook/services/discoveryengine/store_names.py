"""Names of stores and of what is within them, as requests spell them: with the collection or without it.

The only branch of a store is called `0` and `default_branch`; what is answered has the spelling that was asked with.
"""

import re
from dataclasses import dataclass
from functools import cache

from openplaybook.resources.errors import InvalidName
from openplaybook.retrieval.base import DEFAULT_COLLECTION, store_name
from openplaybook.services.errors import not_found

BRANCHES = ("default_branch", "0")

_LOCATION = "projects/{project}/locations/{location}"
_STORE = _LOCATION + "/collections/{collection}/dataStores/{data_store}"
_SEGMENT = r"[^\s/]{1,128}"
_WITHIN_LOCATION = re.compile(rf"projects/{_SEGMENT}/locations/{_SEGMENT}")


@dataclass(frozen=True, slots=True)
class NameWithin:
    """A name that begins with that of a store."""

    store: str
    """Whole name."""
    words: tuple[str, ...]
    """What stands for the variables behind it."""

    @property
    def id(self) -> str:
        """The last of them."""
        return self.words[-1]


def whole_collection(text: str, field: str = "parent") -> str:
    """The name of a collection; a location stands for its default collection. Raises `InvalidName`."""
    location, _, collection = text.partition("/collections/")
    words = re.fullmatch(_SEGMENT, collection) if "/collections/" in text else True
    if not words or not _WITHIN_LOCATION.fullmatch(location) or not text.isprintable():
        raise InvalidName(text, _LOCATION + "/collections/{collection}", field)
    return f"{location}/collections/{collection or DEFAULT_COLLECTION}"


def whole_store(text: str, field: str = "name") -> str:
    """The whole name of a store. Raises `InvalidName`."""
    return name_within(text, "", field).store


def name_within(text: str, template: str, field: str = "name") -> NameWithin:
    """A name that is a store's and then a template such as `branches/{branch}`. Raises `InvalidName`."""
    found = _pattern(template).fullmatch(text)
    store = store_name(found[1]) if found and text.isprintable() else None
    if found is None or store is None:
        raise InvalidName(text, f"{_STORE}/{template}" if template else _STORE, field)
    return NameWithin(store, found.groups()[1:])


def name_in_branch(text: str, template: str = "", field: str = "name") -> NameWithin:
    """The same below a branch, which must be the one that there is. Raises `InvalidName` and NOT_FOUND."""
    name = name_within(text, "branches/{branch}" + (f"/{template}" if template else ""), field)
    if name.words[0] not in BRANCHES:
        raise not_found("Branch", f"{name.store}/branches/{name.words[0]}")
    return name


@cache
def _pattern(template: str) -> re.Pattern[str]:
    words = [f"({_SEGMENT})" if word.startswith("{") else re.escape(word) for word in template.split("/") if word]
    store = rf"(projects/{_SEGMENT}/locations/{_SEGMENT}/(?:collections/{_SEGMENT}/)?dataStores/{_SEGMENT})"
    return re.compile("/".join([store, *words]))
