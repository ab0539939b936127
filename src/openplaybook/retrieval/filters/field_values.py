"""What a document's data hold for a field, and as what a filter may take a value: a number, a place.

A field is a dotted path: `office.city` finds the member `city` of the object `office`, of each object in a list
`office`, and a member that is called `office.city`. Lists count item by item, however deep they are in each other.
"""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, is_number
from openplaybook.retrieval.filters.moments import time_span

_EARTH: Final = 6_371_008.8
"""Mean radius, in metres."""


class Place(NamedTuple):
    """Degrees north and east."""

    latitude: float
    longitude: float

    def metres_to(self, other: "Place") -> float:
        """Along the great circle of a sphere (haversine), at most half a percent off."""
        here, there = math.radians(self.latitude), math.radians(other.latitude)
        north = math.sin((there - here) / 2)
        east = math.sin(math.radians(other.longitude - self.longitude) / 2)
        square = north * north + math.cos(here) * math.cos(there) * east * east
        return 2 * _EARTH * math.asin(min(1.0, math.sqrt(square)))


def values_at(data: JsonValue, path: str) -> Iterator[JsonValue]:
    """All values of a field in their order, none of them a list; without recursion, as data may be deep."""
    left: list[tuple[JsonValue, str]] = [(data, path)]
    while left:
        value, rest = left.pop()
        if isinstance(value, list):
            left.extend((item, rest) for item in reversed(cast(list[JsonValue], value)))
        elif not rest:
            yield value
        elif isinstance(value, dict):
            left.extend(_steps(cast(JsonObject, value), rest))


def _steps(members: JsonObject, path: str) -> Iterator[tuple[JsonValue, str]]:
    """Members with whose names a path may begin, and what of it is left."""
    if path in members:
        yield members[path], ""
    end = len(path)
    while (end := path.rfind(".", 0, end)) >= 0:
        if path[:end] in members:
            yield members[path[:end]], path[end + 1 :]


def number_in(value: JsonValue) -> float | None:
    """A number as a double; a text that is a date as its first microsecond since 1970. None for all else, also for a
    number that is larger than any double."""
    if isinstance(value, str):
        span = time_span(value)
        return span and float(span.first)
    if not is_number(value):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def place_in(value: JsonValue) -> Place | None:
    """A place written as `34.1,-118.2` or as an object with `latitude` and `longitude`; None for all else."""
    if isinstance(value, str):
        parts = value.split(",")
        return _place(*parts) if len(parts) == 2 else None
    if isinstance(value, dict):
        members = cast(JsonObject, value)
        latitude, longitude = members.get("latitude"), members.get("longitude")
        return _place(latitude, longitude) if is_number(latitude) and is_number(longitude) else None
    return None


def _place(latitude: JsonValue, longitude: JsonValue) -> Place | None:
    try:
        place = Place(float(latitude), float(longitude))
    except (ValueError, OverflowError):
        return None
    return place if abs(place.latitude) <= 90 and abs(place.longitude) <= 180 else None
