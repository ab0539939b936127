"""The segments of paths: which are names, which are values, and what the values are called."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from openplaybook.drafting.api_words import camel, is_plural, singular_words
from openplaybook.drafting.samples import ApiExchange, decoded
from openplaybook.drafting.text_formats import is_identifier, is_version

_NAMED = re.compile(r"\{([^{}/]+)\}(.*)", re.DOTALL)
_ENDED = re.compile(r"(.+?)(\.(?:json|xml|csv|html|txt|pdf|png|jpe?g|svg|zip)|:[A-Za-z]+)", re.DOTALL)
_FIRST_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class ValueSegment:
    """A segment that holds a value."""

    value: str | None
    """Decoded; None where a sample names the variable without giving a value."""
    ending: str = ""
    """What follows the value in the segment: `.json`, `:cancel`."""
    name: str = ""
    """Empty until it is known."""


Part: TypeAlias = str | ValueSegment
"""A literal segment as written, or a variable."""


@dataclass(frozen=True, slots=True)
class Row:
    """The path of one exchange."""

    exchange: ApiExchange
    parts: tuple[Part, ...]

    def key(self, position: int) -> tuple[str, bool] | None:
        """Equal for parts that lead the same way; None past the end."""
        if position >= len(self.parts):
            return None
        part = self.parts[position]
        return (part.ending, True) if isinstance(part, ValueSegment) else (part, False)

    def with_part(self, position: int, part: Part) -> "Row":
        """The row with another part there."""
        return replace(self, parts=(*self.parts[:position], part, *self.parts[position + 1 :]))


def parts_of(segments: Sequence[str]) -> tuple[Part, ...]:
    """Segments with those made variables that can only be values."""
    return tuple(_part(segment, is_first=at == 0) for at, segment in enumerate(segments))


def _part(segment: str, *, is_first: bool) -> Part:
    named = _NAMED.fullmatch(segment)
    if named:
        return ValueSegment(None, _literal(named[2]), named[1])
    # A date that comes first is how some APIs write their version.
    if is_first and _FIRST_DATE.fullmatch(segment):
        return segment
    ended = _ENDED.fullmatch(segment)
    if ended and is_identifier(decoded(ended[1])):
        return ValueSegment(decoded(ended[1]), ended[2])
    return ValueSegment(decoded(segment)) if is_identifier(decoded(segment)) else _literal(segment)


def _literal(segment: str) -> str:
    """A literal that is no template: braces encoded."""
    return segment.replace("{", "%7B").replace("}", "%7D")


def variable_name(before: Sequence[Part], taken: Collection[str]) -> str:
    """A name for the value that follows `before`: `petId` after `pets`; unlike those taken."""
    last = before[-1] if before else None
    words = singular_words(decoded(last)) if isinstance(last, str) and not is_version(last) else []
    base = camel([*words, "id"]) if words else "id"
    if base not in taken:
        return base
    return next(name for number in range(2, len(taken) + 3) if (name := f"{base}{number}") not in taken)


def may_precede_value(part: Part) -> bool:
    """Whether a word that follows may be a value: behind a plural, as in `/users/alice`."""
    return isinstance(part, str) and is_plural(decoded(part)) and not is_version(part)
