"""English nouns and names as API designers write them."""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "data": "data",
    "media": "media",
    "news": "news",
    "series": "series",
    "status": "status",
    "address": "address",
    "analytics": "analytics",
    "indices": "index",
    "statuses": "status",
    "addresses": "address",
    "caches": "cache",
    "movies": "movie",
    "cookies": "cookie",
    "has": "has",
    "is": "is",
    "this": "this",
    "settings": "settings",
    "sms": "sms",
    "dns": "dns",
    "https": "https",
}
_MIN_PLURAL = 4
"""Letters of the shortest plural: `cms` and `sms` are none."""

_NOT_PLURAL = ("ss", "us", "is", "ics")


def words_of(text: str) -> list[str]:
    """The words of a name, lower case: `petOwners`, `pet-owners` and `pet_owners` are `pet`, `owners`."""
    return [word.lower() for word in _WORD.findall(text)]


def singular(word: str) -> str:
    """The singular of a lower-case noun; the word itself where it is none."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < _MIN_PLURAL or not word.endswith("s") or word.endswith(_NOT_PLURAL):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


def is_plural(text: str) -> bool:
    """Whether the last word of a name is a plural."""
    words = words_of(text)
    return bool(words) and singular(words[-1]) != words[-1]


def singular_words(text: str) -> list[str]:
    """The words of a name, the last one in the singular."""
    words = words_of(text)
    return [*words[:-1], singular(words[-1])] if words else []


def camel(words: Iterable[str]) -> str:
    """`petOwner`."""
    first, *others = [*words] or [""]
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def pascal(words: Iterable[str]) -> str:
    """`PetOwner`."""
    return "".join(word[:1].upper() + word[1:] for word in words)
