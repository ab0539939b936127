"""Numbers of fields and enum values that a discovery document names and does not number.

A number follows from the name alone, so that it stays what it is when Google adds or removes others: what is stored
today is read tomorrow. A field's number is

    place of its first three letters among all triples of letters * SLOTS + hash of the whole name % SLOTS

which lists the fields of an answer nearly as the document does, by the alphabet. An enum value's is its hash, but that
of the first, which is what a field without a value holds: 0, as proto3 asks. Two names that get one number are refused
when the set is built (of a message with 40 fields that happens once in some 100,000); the one that came later then
needs a rule of its own here.
"""

import hashlib
from collections.abc import Iterable

SLOTS = 27000
"""Numbers for the names that begin with the same three letters. The last of all is 531,440,999, below the largest that
protobuf has; the first is far above our extension fields and what protobuf keeps for itself."""

_LETTERS = " abcdefghijklmnopqrstuvwxyz"
_LARGEST_ENUM = 2**31 - 1


def field_number(name: str) -> int:
    """The number of a field, from its JSON name without leading signs; `ValueError` where that begins with no
    letter."""
    lower = name.lower()
    if lower[:1] not in _LETTERS[1:] or not lower:
        raise ValueError(f"{name}: a field's name begins with a letter")
    place = 0
    for letter in f"{lower}  "[:3]:
        place = place * len(_LETTERS) + max(0, _LETTERS.find(letter))
    return place * SLOTS + _hash(name) % SLOTS


def enum_numbers(names: Iterable[str]) -> dict[str, int]:
    """The numbers of an enum's values, in the document's order; `ValueError` where two have the same."""
    first, *others = names
    numbers = {first: 0, **{name: 1 + _hash(name) % _LARGEST_ENUM for name in others}}
    check_distinct(first, numbers)
    return numbers


def check_distinct(owner: str, numbers: dict[str, int]) -> None:
    """Raises `ValueError` with the names where two of them have one number."""
    names: dict[int, str] = {}
    for name, number in numbers.items():
        other = names.setdefault(number, name)
        if other != name:
            raise ValueError(f"{owner}: {other} and {name} have one number; the later one needs a rule of its own")


def _hash(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
