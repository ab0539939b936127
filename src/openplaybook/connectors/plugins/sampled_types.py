"""Entity types of systems that keep none: what some of the documents hold stands for all of them."""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping

from openplaybook.connectors.base import DataType, EntityType, Field

SAMPLE = 100
"""Documents that are looked at."""
MOST_FIELDS = 200
_FRESH_S = 600.0
_KEPT = 200
_NUMBERS = (DataType.BIGINT, DataType.DOUBLE, DataType.DECIMAL)
"""Each holds what those before it hold."""


def sampled_fields(samples: Iterable[Mapping[str, DataType | None]]) -> tuple[Field, ...]:
    """Fields by name, of documents that say of each member its type, None where it is null. A field that holds several
    types is of type OTHER."""
    found: dict[str, DataType | None] = {}
    for sample in samples:
        for name, kind in sample.items():
            if name in found or len(found) < MOST_FIELDS:
                found[name] = _common(found.get(name), kind)
    return tuple(Field(name, kind or DataType.OTHER) for name, kind in sorted(found.items()))


def _common(one: DataType | None, other: DataType | None) -> DataType | None:
    if one is None or other is None or one is other:
        return one or other
    if one in _NUMBERS and other in _NUMBERS:
        return max(one, other, key=_NUMBERS.index)
    return DataType.OTHER


class SampledTypes:
    """The entity types of one connection: looked at anew after ten minutes, or when something is written that may have
    other fields."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, EntityType]] = OrderedDict()

    async def get(self, name: str, sample: Callable[[], Awaitable[EntityType]]) -> EntityType:
        """The type that is kept, or what `sample` gives."""
        kept = self._kept.get(name)
        if kept is not None and self._clock() < kept[0] + _FRESH_S:
            return kept[1]
        found = await sample()
        self._kept[name] = (self._clock(), found)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    def written(self, entity_type: EntityType, names: Iterable[str]) -> None:
        """Forget a type where something was written that it does not know."""
        if any(entity_type.field(name) is None for name in names):
            self._kept.pop(entity_type.name, None)
