"""One request of a driver: permission, rehearsal, time, the record for traces, errors in our words."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

from openplaybook.connectors.base import Rehearsed, SystemCall, SystemExchange
from openplaybook.connectors.errors import ConnectorError, SystemFault, SystemUnavailable, WriteInDoubt, WriteRefused
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.telemetry.redaction import excerpt

_MOST_RECORDED = 16_000
"""Characters of a request or a reply in a record."""
_MOST_TOLD = 400
"""Characters of the system's words in an error."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request before it is sent."""

    method: str
    """Name of the driver's call, or an HTTP method."""
    text: str
    """What is asked, for traces."""
    is_write: bool = False
    is_description: bool = False
    """Whether it only tells what there is, so that rehearsals send it too."""


Failure = Callable[[Exception, str, Asked], ConnectorError | None]
"""The error for what a driver raised (with its words, masked and cut); None for what it does not know."""


@dataclass(frozen=True, slots=True)
class SystemDesk:
    """Where all requests of one connection go through."""

    settings: ConnectionSettings
    address: str
    """For traces, without a user."""
    failure: Failure
    secrets: Collection[str] = field(default=(), repr=False)

    async def sent(
        self, asked: Asked, call: SystemCall, work: Callable[[], Awaitable[T]], told: Callable[[T], str] = str
    ) -> T:
        """What `work` gives within the call's time, of which it is taken off. Raises a subclass of `ConnectorError`,
        and `Rehearsed` instead of working in a rehearsal."""
        self.admit(asked, call)
        started = monotonic()
        try:
            async with asyncio.timeout(max(call.timeout_s, 0.05)):
                result = await work()
        except Exception as error:
            found = self._error(error, asked)
            call.timeout_s -= monotonic() - started
            call.exchanged.append(self._record(asked, "", started, str(found)))
            if found is error:
                raise
            raise found from error
        call.timeout_s -= monotonic() - started
        call.exchanged.append(self._record(asked, told(result), started))
        return result

    def admit(self, asked: Asked, call: SystemCall) -> None:
        """Raises `WriteRefused` for a write where nothing may be changed, and `Rehearsed` in a rehearsal."""
        refuse_write(self.settings, is_write=asked.is_write)
        if call.is_rehearsal and not asked.is_description:
            call.exchanged.append(self._record(asked, "", monotonic()))
            raise Rehearsed

    def shown(self, text: str, most: int = _MOST_RECORDED) -> str:
        """A text without secrets, cut."""
        return excerpt(text, most, self.secrets, masks_pairs=True)

    def _error(self, error: Exception, asked: Asked) -> Exception:
        if isinstance(error, ConnectorError | Rehearsed):
            return error
        said = " ".join(self.shown(str(error), _MOST_TOLD).split())
        if isinstance(error, TimeoutError | asyncio.TimeoutError):
            return unanswered(asked, "it took longer than the time that is left")
        known = self.failure(error, said, asked)
        if known is not None or asked.is_write:
            return known or unanswered(asked, f"its answer cannot be read: {said or type(error).__name__}")
        # Whatever a driver stumbles over in what a stranger answers.
        return SystemFault(f"the system's answer cannot be read: {said or type(error).__name__}")

    def _record(self, asked: Asked, response: str, started: float, error: str = "") -> SystemExchange:
        return SystemExchange(
            method=asked.method,
            address=self.address,
            request=self.shown(asked.text),
            response=self.shown(response),
            elapsed_ms=(monotonic() - started) * 1_000,
            error=error,
        )


def refuse_write(settings: ConnectionSettings, *, is_write: bool = True) -> None:
    """Raises `WriteRefused` where the connection changes nothing."""
    if is_write and settings.is_read_only:
        raise WriteRefused("this connection is read-only (the config variable read_only): nothing was sent")


def unanswered(asked: Asked, said: str) -> ConnectorError:
    """The error for a request that may have been sent and was not answered."""
    if asked.is_write:
        return WriteInDoubt(f"the write was sent, and no answer came ({said}); whether it was done is not known")
    return SystemUnavailable(f"the system does not answer: {said}")
