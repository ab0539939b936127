"""Entities that are written one after the other."""

from collections.abc import Iterator

import pytest

from openplaybook.connectors.base import WriteReport
from openplaybook.connectors.errors import ConnectorError, EntityNotFound, InvalidValue, RateLimited
from openplaybook.connectors.writes_by_condition import written_one_by_one


class Writes:
    """Fails as it is told."""

    def __init__(self, **errors: ConnectorError) -> None:
        self.errors = errors
        self.tried: list[str] = []

    async def change(self, key: str) -> None:
        self.tried.append(key)
        if key in self.errors:
            raise self.errors[key]


async def test_one_that_is_gone_or_refused_stops_no_other() -> None:
    writes = Writes(a=EntityNotFound("gone"), b=InvalidValue("x", "is wrong"))
    report = await written_one_by_one(["a", "b", "c"], writes.change, lambda: 1.0)

    assert report == WriteReport(1, ("c",), {"a": "it is not there any more", "b": str(writes.errors["b"])})


async def test_nothing_is_tried_after_the_system_asks_to_wait() -> None:
    writes = Writes(a=RateLimited("the system asks to wait", None))
    report = await written_one_by_one(["a", "b"], writes.change, lambda: 1.0)

    assert writes.tried == ["a"]
    assert report.failures["b"] == "not tried: the system asks to wait"


@pytest.mark.parametrize("left", [[1.0, 0.0, 1.0]])
async def test_nothing_is_tried_once_the_time_is_over(left: list[float]) -> None:
    clock: Iterator[float] = iter(left)
    writes = Writes()
    report = await written_one_by_one(["a", "b", "c"], writes.change, lambda: next(clock))

    assert (writes.tried, report.keys) == (["a"], ("a",))
    assert set(report.failures.values()) == {"not tried: the time is over"}
