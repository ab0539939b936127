"""Whether the server can do its work: it is not told to stop, and its database is sound and takes writes.

It is looked at when somebody asks, at most once a second, and something is written at most every five. Whoever asks
waits for a second and a half at most.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Protocol

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.errors import SENTENCES, StoreFault, StoreUnusable

LOOK_S = 1.0
"""How old an answer may be."""
WRITE_S = 5.0
"""How old a write may be that went well; what went wrong is tried again at each look."""
PATIENCE_S = 1.5


class CheckableStore(Protocol):
    """The part of the `Store` port that tells."""

    async def check(self, *, write: bool) -> None:
        """As `Store.check`."""
        ...


_LOG = logging.getLogger("openplaybook.server")


class Readiness:
    """What health, gRPC's health and the metrics say."""

    def __init__(
        self, store: CheckableStore, is_draining: Callable[[], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._is_draining = is_draining
        self._clock = clock
        self._fault: StoreFault | None = None
        # A store that was just opened was looked at and written to.
        self._looked_at = self._written_at = clock()
        self._looking: asyncio.Task[None] | None = None

    @property
    def is_ready(self) -> bool:
        """What was found last."""
        return self._fault is None and not self._is_draining()

    async def look(self) -> bool:
        """Whether the server is ready now."""
        if self._clock() - self._looked_at >= LOOK_S:
            if self._looking is None:
                self._looking = asyncio.create_task(self._look())
            # One look for all who ask, which goes on when they are gone.
            ended, late = await asyncio.wait([self._looking], timeout=PATIENCE_S)
            for failure in filter(None, (look.exception() for look in ended if not look.cancelled())):
                _LOG.error("the database cannot be checked", exc_info=failure)
                self._found(StoreFault.UNUSABLE, str(failure))
            if late:
                self._looked_at = self._clock()
                self._found(StoreFault.SLOW, "")
        return self.is_ready

    def answer(self) -> tuple[int, JsonObject]:
        """Status and body of what `look` found last; nothing in it that a stranger may not know."""
        if self._is_draining():
            return 503, {"status": "draining"}
        if self._fault is not None:
            sentence = f"The database cannot be used: {SENTENCES[self._fault]}."
            return 503, {"status": "unavailable", "database": self._fault.value, "message": sentence}
        return 200, {"status": "ok"}

    async def close(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])

    async def _look(self) -> None:
        begun = self._clock()
        is_due = self._fault is not None or begun - self._written_at >= WRITE_S
        fault, reason = None, ""
        try:
            await self._store.check(write=is_due)
        except StoreUnusable as error:
            fault, reason = error.fault, str(error)
        finally:
            self._looking, self._looked_at = None, self._clock()
        if fault is None and is_due:
            self._written_at = begun
        self._found(fault, reason)

    def _found(self, fault: StoreFault | None, reason: str) -> None:
        if fault is self._fault:
            return
        self._fault = fault
        if fault is None:
            _LOG.info("the database can be used again")
        else:
            _LOG.error("not ready: the database is %s", fault.value, extra={"reason": reason} if reason else {})
