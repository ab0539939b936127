"""What goes through the desk: time is taken off, errors are told in our words, no secret is on record."""

import asyncio

import pytest

from openplaybook.connectors.base import Rehearsed, SystemCall
from openplaybook.connectors.errors import (
    ConnectorError,
    EntityConflict,
    SystemFault,
    SystemUnavailable,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.plugins.exchange import Asked, SystemDesk
from openplaybook.connectors.settings import ConnectionSettings

READ, WRITE = Asked("GET", "the s3cret-w0rd"), Asked("PUT", "x", is_write=True)


def _failure(error: Exception, said: str, asked: Asked) -> ConnectorError | None:
    del asked
    return EntityConflict(said) if isinstance(error, KeyError) else None


def _desk(*, read_only: bool = False) -> SystemDesk:
    settings = ConnectionSettings("c", "x", {"read_only": read_only})
    return SystemDesk(settings, "x://y", _failure, ["s3cret-w0rd"])


async def _raising(error: Exception) -> str:
    raise error


async def _never() -> str:
    await asyncio.get_running_loop().create_future()
    raise AssertionError


async def test_no_secret_is_on_record_or_in_an_error() -> None:
    call = SystemCall()
    with pytest.raises(EntityConflict) as conflict:
        await _desk().sent(READ, call, lambda: _raising(KeyError("s3cret-w0rd is taken")))
    assert "s3cret" not in f"{conflict.value} {call.exchanges}"
    assert call.exchanges[0].error == str(conflict.value)


@pytest.mark.parametrize(("asked", "error"), [(READ, SystemFault), (WRITE, WriteInDoubt)])
async def test_what_no_driver_should_raise_is_a_fault_or_a_doubt(asked: Asked, error: type[Exception]) -> None:
    with pytest.raises(error, match="cannot be read"):
        await _desk().sent(asked, SystemCall(), lambda: _raising(IndexError("odd")))


@pytest.mark.parametrize(("asked", "error"), [(READ, SystemUnavailable), (WRITE, WriteInDoubt)])
async def test_the_end_of_the_time_is_told_apart(asked: Asked, error: type[Exception]) -> None:
    call = SystemCall(timeout_s=0.01)
    with pytest.raises(error):
        await _desk().sent(asked, call, _never)
    assert call.timeout_s < 0


async def test_nothing_is_sent_by_a_rehearsal_or_where_nothing_may_be_changed() -> None:
    call = SystemCall(is_rehearsal=True)
    with pytest.raises(Rehearsed):
        await _desk().sent(READ, call, _never)
    with pytest.raises(WriteRefused):
        await _desk(read_only=True).sent(WRITE, call, _never)
    assert len(call.exchanges) == 1
