"""Work that nobody waits for."""

import asyncio

import pytest

from openplaybook.sandbox.remote.leftovers import Leftovers


async def test_closing_waits_for_what_is_under_way() -> None:
    leftovers, done = Leftovers(), list[int]()

    async def work() -> None:
        await asyncio.sleep(0)
        done.append(1)

    leftovers.add(work(), "work")
    await leftovers.aclose()
    assert done == [1]


async def test_a_failure_is_logged_by_its_kind_only(caplog: pytest.LogCaptureFixture) -> None:
    leftovers = Leftovers()

    async def work() -> None:
        raise ValueError("with a secret")

    leftovers.add(work(), "giving back claim x")
    await leftovers.aclose()
    await asyncio.sleep(0)
    assert caplog.messages == ["giving back claim x failed: ValueError"]
