"""What the tests of list filters have in common: fields as either wire spells them, operators, and times."""

from collections.abc import Callable, Mapping
from datetime import datetime
from operator import eq, ge, gt, le, lt, ne

from openplaybook.resources.errors import InvalidFilter
from openplaybook.resources.filters import FieldComparison

ORDERED: Mapping[str, Callable[[float, float], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
"""What an operator says of numbers."""


def plain(field: str) -> str:
    """A field as Google's protos write it: REST users write `createTime`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in field)


def check_operator(comparison: FieldComparison, allowed: tuple[str, ...]) -> None:
    """Raise `InvalidFilter` for an operator that the field cannot be compared by."""
    if comparison.operator not in allowed:
        raise InvalidFilter(f"{comparison.field} cannot be compared by {comparison.operator}; use {' '.join(allowed)}")


def microseconds_of(comparison: FieldComparison) -> int:
    """The time that a field is compared with, since the epoch. Raises `InvalidFilter`."""
    try:
        time = datetime.fromisoformat(comparison.value)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise InvalidFilter(
            f"{comparison.field} is compared with {comparison.value!r}; "
            'write a time in RFC 3339, such as "2022-04-21T11:30:00-04:00"'
        )
    return int(time.timestamp()) * 1_000_000 + time.microsecond


def truth_of(comparison: FieldComparison) -> bool:
    """The boolean that a field is compared with. Raises `InvalidFilter`."""
    if comparison.value.lower() not in ("true", "false"):
        raise InvalidFilter(f"{comparison.field} is compared with {comparison.value!r}; it must be true or false")
    return comparison.value.lower() == "true"
