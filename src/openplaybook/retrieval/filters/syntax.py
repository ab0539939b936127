"""The syntax tree of a filter: what `parser` reads, and what `evaluation` and each engine's translation work on.

Source: the filter grammar of Vertex AI Search ("Filter custom search for structured or unstructured data").
"""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Relation(Enum):
    """How a value of a field is compared with the one in the filter."""

    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="
    EQUAL = "="


@dataclass(frozen=True, slots=True)
class AnyOf:
    """`field: ANY("a", "b")`: the field, or an item of the list that it holds, equals one of the texts."""

    field: str
    """Dotted path into the document's data, such as `office.city`."""
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a range."""

    value: float
    is_inclusive: bool


@dataclass(frozen=True, slots=True)
class InRange:
    """`field: IN(1, 5e)`: a number between two ends; None stands for `*`, an open end."""

    field: str
    lower: Bound | None
    upper: Bound | None


@dataclass(frozen=True, slots=True)
class NumberComparison:
    """`price <= 9.5`."""

    field: str
    comparison: Relation
    value: float


@dataclass(frozen=True, slots=True)
class TextComparison:
    """`field = "text"`, and a comparison with a date: the text is compared as a date where it is one, else exactly.

    Only `=` is allowed with a text that is no date. `"true"` and `"false"` also equal the boolean.
    """

    field: str
    comparison: Relation
    text: str


@dataclass(frozen=True, slots=True)
class GeoDistance:
    """`office.location: GEO_DISTANCE(34.1, -118.2, 500)`: a place within so many metres of coordinates."""

    field: str
    latitude: float
    longitude: float
    metres: float


@dataclass(frozen=True, slots=True)
class AddressDistance:
    """`office.location: GEO_DISTANCE("Palo Alto, CA", 1000)`: an address, which somebody has to find on the map."""

    field: str
    address: str
    metres: float


@dataclass(frozen=True, slots=True)
class SiteMatch:
    """`siteSearch:"https://example.com/help/*"`: the document's address fits the pattern, as `site_patterns` says."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    """`NOT x`, or `-x`."""

    operand: "FilterNode"


@dataclass(frozen=True, slots=True)
class Conjunction:
    """`a AND b AND c`; binds closer than OR."""

    operands: "tuple[FilterNode, ...]"


@dataclass(frozen=True, slots=True)
class Disjunction:
    """`a OR b OR c`."""

    operands: "tuple[FilterNode, ...]"


FilterNode: TypeAlias = (
    AnyOf
    | InRange
    | NumberComparison
    | TextComparison
    | GeoDistance
    | AddressDistance
    | SiteMatch
    | Exclusion
    | Conjunction
    | Disjunction
)
