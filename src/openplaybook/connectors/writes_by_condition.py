"""Writes by condition where a system takes one entity at a time: first the keys, then one after the other."""

from collections.abc import Awaitable, Callable, Sequence

from openplaybook.connectors.base import WriteReport
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityNotFound,
    RateLimited,
    SystemUnavailable,
)

_STOPPING = (AuthenticationRefused, RateLimited, SystemUnavailable)
"""After these, the other entities are not tried."""


async def written_one_by_one(
    keys: Sequence[str], change: Callable[[str], Awaitable[object]], seconds_left: Callable[[], float]
) -> WriteReport:
    """What became of each entity. `change` raises `ConnectorError` where it fails; without time left no more are
    tried."""
    done: list[str] = []
    failures: dict[str, str] = {}
    stopped = ""
    for key in keys:
        stopped = stopped or ("" if seconds_left() > 0 else "the time is over")
        if stopped:
            failures[key] = f"not tried: {stopped}"
            continue
        try:
            await change(key)
        except EntityNotFound:
            failures[key] = "it is not there any more"
        except ConnectorError as error:
            failures[key] = str(error)
            stopped = str(error) if isinstance(error, _STOPPING) else ""
        else:
            done.append(key)
    return WriteReport(len(done), tuple(done), failures)
