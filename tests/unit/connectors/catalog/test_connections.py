"""Opened connections are shared by those with equal settings alone, and closed when they are of no more use."""

import asyncio
from dataclasses import replace
from typing import cast

import pytest

from openplaybook.connectors.base import SystemConnection
from openplaybook.connectors.catalog.connections import IDLE_S, MOST_OPENED, Connections
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import SystemUnavailable
from openplaybook.connectors.settings import AccessToken, ConnectionSettings, UserPassword

SETTINGS = ConnectionSettings(
    "projects/p/locations/l/connections/c", "postgresql", authentication=UserPassword("u", "p")
)


class System:
    """Counts."""

    def __init__(self, settings: ConnectionSettings) -> None:
        self.settings = settings
        self.is_closed = False

    async def aclose(self) -> None:
        self.is_closed = True


class Opening:
    """Opens systems that do nothing."""

    def __init__(self) -> None:
        self.systems: list[System] = []
        self.fault: Exception | None = None
        self.now = 0.0
        self.connections = Connections(self.open, cast("SystemAccess", None), lambda: self.now)

    async def open(self, settings: ConnectionSettings, access: SystemAccess) -> SystemConnection:
        await asyncio.sleep(0)
        if self.fault is not None:
            raise self.fault
        self.systems.append(System(settings))
        return cast("SystemConnection", self.systems[-1])

    async def use(self, settings: ConnectionSettings) -> System:
        async with self.connections.opened(settings) as system:
            return cast("System", system)


@pytest.fixture
def opening() -> Opening:
    return Opening()


async def _settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_equal_settings_share_one(opening: Opening) -> None:
    first, second = await asyncio.gather(opening.use(SETTINGS), opening.use(replace(SETTINGS)))
    assert first is second
    assert await opening.use(SETTINGS) is first
    assert len(opening.systems) == 1


async def test_no_credential_finds_the_connection_of_another(opening: Opening) -> None:
    own = await opening.use(SETTINGS)
    ann = await opening.use(SETTINGS.overridden(AccessToken("ann")))
    bob = await opening.use(SETTINGS.overridden(AccessToken("bob")))
    assert {id(own), id(ann), id(bob)} == {id(each) for each in opening.systems}
    assert ann.settings.authentication == AccessToken("ann")
    assert await opening.use(SETTINGS.overridden(AccessToken("ann"))) is ann
    assert not own.is_closed


async def test_a_changed_password_opens_anew_and_closes_the_old_one(opening: Opening) -> None:
    old = await opening.use(SETTINGS)
    new = await opening.use(replace(SETTINGS, authentication=UserPassword("u", "new")))
    await _settled()
    assert (old.is_closed, new.is_closed) == (True, False)


async def test_what_is_in_use_is_closed_by_its_last_user(opening: Opening) -> None:
    async with opening.connections.opened(SETTINGS) as used:
        opening.connections.forget(SETTINGS.name)
        await _settled()
        assert not cast("System", used).is_closed
        assert await opening.use(SETTINGS) is not used
    await _settled()
    assert [each.is_closed for each in opening.systems] == [True, False]


async def test_what_nobody_uses_for_long_is_closed(opening: Opening) -> None:
    idle = await opening.use(SETTINGS)
    opening.now = IDLE_S + 1
    await opening.use(replace(SETTINGS, name="projects/p/locations/l/connections/d"))
    await _settled()
    assert idle.is_closed


async def test_what_was_used_least_gives_way(opening: Opening) -> None:
    first = await opening.use(SETTINGS.overridden(AccessToken("0")))
    for number in range(1, MOST_OPENED + 1):
        await opening.use(SETTINGS.overridden(AccessToken(str(number))))
    await _settled()
    assert first.is_closed
    assert sum(not each.is_closed for each in opening.systems) == MOST_OPENED


async def test_a_failed_opening_is_tried_again(opening: Opening) -> None:
    opening.fault = SystemUnavailable("no answer")
    with pytest.raises(SystemUnavailable, match="no answer"):
        await opening.use(SETTINGS)
    opening.fault = None
    assert (await opening.use(SETTINGS)).settings == SETTINGS


async def test_one_that_gives_up_waiting_does_not_take_it_from_the_others(opening: Opening) -> None:
    waiting = asyncio.ensure_future(opening.use(SETTINGS))
    await asyncio.sleep(0)
    other = asyncio.ensure_future(opening.use(SETTINGS))
    await asyncio.sleep(0)
    waiting.cancel()
    assert await other is opening.systems[0]


async def test_closing_closes_all(opening: Opening) -> None:
    await opening.use(SETTINGS)
    await opening.use(SETTINGS.overridden(AccessToken("ann")))
    await opening.connections.aclose()
    assert [each.is_closed for each in opening.systems] == [True, True]
