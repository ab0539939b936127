"""Reads `SearchConfig` of Dialogflow CX, and the `BoostSpec` that it shares with Vertex AI Search, from their JSON.

Both say which boosts and filters a search has: `boostSpecs[]{dataStores[], spec[]{conditionBoostSpecs[]}}` and
`filterSpecs[]{dataStores[], filter}`. Nothing is ignored here: whatever cannot be taken is an error with its path.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, is_large, is_number
from openplaybook.retrieval.base import Boost, ControlPoint, store_name
from openplaybook.retrieval.errors import InvalidSearchConfig, InvalidSearchFilter
from openplaybook.retrieval.filters.evaluation import checked_filter
from openplaybook.retrieval.filters.syntax import Conjunction, FilterNode

MAX_CONDITIONS: Final = 20
"""Boosts of one spec."""
MAX_POINTS: Final = 100
"""Control points of one boost."""
MAX_SPECS: Final = 100
"""Entries of a list of specs or stores."""
MAX_CHARACTERS: Final = 100_000
"""Of a whole configuration, which is read on the way to each answer."""

EVERY_DOCUMENT: Final = Conjunction(())
"""The condition of a boost that has none and depends on a value."""

_AGE: Final = re.compile(
    r"(?:([0-9]{1,9})D)?(?:T(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9}(?:\.[0-9]{1,9})?)S)?)?"
)
_SECONDS: Final = (86_400, 3_600, 60, 1)
"""Of a day, an hour, a minute, a second."""

_NUMERICAL: Final = ("NUMERICAL", 1)
_FRESHNESS: Final = ("FRESHNESS", 2)
_LINEAR: Final = ("LINEAR", 1)

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class StoreBoosts:
    """Boosts for some stores."""

    stores: tuple[str, ...]
    """Whole names."""
    boosts: tuple[Boost, ...]


@dataclass(frozen=True, slots=True)
class StoreFilter:
    """A filter for some stores."""

    stores: tuple[str, ...]
    """Whole names."""
    filter: FilterNode


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """What a request says of its search, in the order in which it says it."""

    boosts: tuple[StoreBoosts, ...] = ()
    filters: tuple[StoreFilter, ...] = ()

    def boosts_for(self, store: str) -> tuple[Boost, ...]:
        """All boosts for a store, by its whole name."""
        return tuple(boost for entry in self.boosts if store in entry.stores for boost in entry.boosts)

    def filter_for(self, store: str) -> FilterNode | None:
        """All filters for a store, of which each has to be met; None where there is none."""
        found = tuple(entry.filter for entry in self.filters if store in entry.stores)
        return Conjunction(found) if len(found) > 1 else next(iter(found), None)


def search_config(config: JsonObject) -> SearchConfig:
    """A whole `SearchConfig`. Raises `InvalidSearchConfig`."""
    root = _Member(config, "searchConfig")
    if is_large(config, MAX_CHARACTERS):
        raise root.refuse(f"it has more than the {MAX_CHARACTERS:,} characters that are allowed")
    return SearchConfig(
        tuple(_store_boosts(entry) for entry in root.entries("boostSpecs", MAX_SPECS)),
        tuple(_store_filter(entry) for entry in root.entries("filterSpecs", MAX_SPECS)),
    )


def boosts_in(spec: JsonObject, path: str = "boostSpec") -> tuple[Boost, ...]:
    """The boosts of one `BoostSpec`, `{conditionBoostSpecs[]}`, at `path`. Raises `InvalidSearchConfig`."""
    return tuple(_boost(entry) for entry in _Member(spec, path).entries("conditionBoostSpecs", MAX_CONDITIONS))


def seconds_of(age: str) -> float | None:
    """The seconds of an age, `[nD][T[nH][nM][nS]]`; None for a text that is none, also for one without any number."""
    found = _AGE.fullmatch(age)
    if found is None or not any(found.groups()):
        return None
    return sum(float(number) * seconds for number, seconds in zip(found.groups("0"), _SECONDS, strict=True))


@dataclass(frozen=True, slots=True)
class _Member:
    """A value of the JSON, and where it stands."""

    value: JsonValue
    path: str

    def refuse(self, message: str) -> InvalidSearchConfig:
        return InvalidSearchConfig(message, self.path)

    def member(self, key: str) -> "_Member":
        value = self.value
        if not isinstance(value, dict):
            raise self.refuse("an object has to stand here")
        return _Member(cast(JsonObject, value).get(key), f"{self.path}.{key}")

    def entries(self, key: str, most: int) -> "Sequence[_Member]":
        found = self.member(key)
        items: JsonValue = [] if found.value is None else found.value
        if not isinstance(items, list):
            raise found.refuse("a list has to stand here")
        values = cast(list[JsonValue], items)
        if len(values) > most:
            raise found.refuse(f"{len(values)} entries are more than the {most} that are allowed")
        return [_Member(value, f"{found.path}[{number}]") for number, value in enumerate(values)]

    def text(self) -> str:
        if not isinstance(self.value, str | None):
            raise self.refuse("a text has to stand here")
        return self.value or ""

    def amount(self) -> float:
        value = 0.0 if self.value is None else self.value
        if not is_number(value) or not -1 <= value <= 1:
            raise self.refuse("a number from -1 to 1 has to stand here")
        return float(value)

    def is_one_of(self, names: tuple[str, int]) -> bool:
        return self.value in names and not isinstance(self.value, bool)

    def filter(self) -> FilterNode:
        try:
            return checked_filter(self.text())
        except InvalidSearchFilter as error:
            raise self.refuse(str(error)) from error


def _stores(entry: _Member) -> tuple[str, ...]:
    stores: list[str] = []
    for member in entry.entries("dataStores", MAX_SPECS):
        name = store_name(member.text())
        if name is None:
            raise member.refuse("a name as `projects/P/locations/L/collections/C/dataStores/D` has to stand here")
        stores.append(name)
    return tuple(stores)


def _store_boosts(entry: _Member) -> StoreBoosts:
    specs = entry.entries("spec", MAX_SPECS)
    return StoreBoosts(_stores(entry), tuple(boost for spec in specs for boost in boosts_in(spec.value, spec.path)))


def _store_filter(entry: _Member) -> StoreFilter:
    return StoreFilter(_stores(entry), entry.member("filter").filter())


def _boost(entry: _Member) -> Boost:
    condition, control = entry.member("condition"), entry.member("boostControlSpec")
    amount = entry.member("boost").amount()
    if control.value is None:
        return Boost(condition.filter(), amount)
    node = condition.filter() if condition.text() else EVERY_DOCUMENT
    return _controlled(control, node)


def _controlled(control: _Member, condition: FilterNode) -> Boost:
    """A boost by value, which counts in place of the number beside it."""
    kind, way, field = (control.member(key) for key in ("attributeType", "interpolationType", "fieldName"))
    is_freshness = kind.is_one_of(_FRESHNESS)
    if not is_freshness and not kind.is_one_of(_NUMERICAL):
        raise kind.refuse("NUMERICAL or FRESHNESS has to stand here")
    if not way.is_one_of(_LINEAR):
        raise way.refuse("LINEAR has to stand here")
    if not field.text():
        raise field.refuse("the name of a field has to stand here")
    points = [_point(entry, is_freshness=is_freshness) for entry in control.entries("controlPoints", MAX_POINTS)]
    if not points:
        raise control.member("controlPoints").refuse("at least one point has to stand here")
    if len({point.value for point in points}) < len(points):
        raise control.member("controlPoints").refuse("two points have the same attributeValue")
    points.sort(key=lambda point: point.value)
    return Boost(condition, field=field.text(), is_freshness=is_freshness, points=tuple(points))


def _point(entry: _Member, *, is_freshness: bool) -> ControlPoint:
    written = entry.member("attributeValue")
    value = seconds_of(written.text()) if is_freshness else _number(written.text())
    if value is None:
        wanted = "an age as `5D`, `3DT12H30M` or `T24H`" if is_freshness else "a number in quotes"
        raise written.refuse(f"{wanted} has to stand here")
    return ControlPoint(value, entry.member("boostAmount").amount())


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
