"""Keeping what a remote back end answered, for a short time."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from openplaybook.credentials.errors import CredentialUnavailable
from openplaybook.credentials.secrets.base import SecretBackend
from openplaybook.resources.secret_names import SecretVersionName

LATEST_S = 30.0
"""`latest` is asked for again after so many seconds: a new version is used by then, without a restart."""
FIXED_S = 300.0
"""A numbered version never changes, but may be destroyed."""
STALE_S = 300.0
"""How long a value is used beyond that when the back end is disturbed."""
_PAUSE_S = 5.0
"""Between two tries to reach a disturbed back end."""
_KEPT = 1024

_log = logging.getLogger("openplaybook.secrets")


@dataclass(slots=True)
class _CachedValue:
    """What a back end answered."""

    value: str | None = field(repr=False)
    fresh_until: float
    usable_until: float


class CachedSecrets:
    """A back end whose answers are kept; of many who ask for the same at once, one goes there."""

    def __init__(self, backend: SecretBackend, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._backend = backend
        self._clock = clock
        self._kept: OrderedDict[SecretVersionName, _CachedValue] = OrderedDict()
        self._asking: dict[SecretVersionName, asyncio.Task[str | None]] = {}

    @property
    def about(self) -> str:
        """What the back end says of itself."""
        return self._backend.about

    async def access(self, name: SecretVersionName) -> str | None:
        """The value, at most 30 s (a numbered version 300 s) old; 300 s more while the back end is disturbed."""
        cached = self._kept.get(name)
        if cached is not None and self._clock() < cached.fresh_until:
            return cached.value
        asking = self._asking.get(name)
        if asking is None:
            asking = self._asking[name] = asyncio.create_task(self._ask(name))
            asking.add_done_callback(lambda task: self._asked(name, task))
        # One caller that gives up must not take the answer from the others.
        return await asyncio.shield(asking)

    async def check(self) -> None:
        """Ask the back end itself."""
        await self._backend.check()

    def _asked(self, name: SecretVersionName, task: asyncio.Task[str | None]) -> None:
        del self._asking[name]
        if not task.cancelled():
            task.exception()  # Looked at, in case all have stopped waiting.

    async def _ask(self, name: SecretVersionName) -> str | None:
        try:
            value = await self._backend.access(name)
        except CredentialUnavailable as error:
            return self._stale(name, error)
        now = self._clock()
        fresh_until = now + (LATEST_S if name.is_latest or value is None else FIXED_S)
        self._kept[name] = _CachedValue(value, fresh_until, fresh_until + STALE_S)
        self._kept.move_to_end(name)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return value

    def _stale(self, name: SecretVersionName, error: CredentialUnavailable) -> str | None:
        cached, now = self._kept.get(name), self._clock()
        if cached is None or cached.value is None or now >= cached.usable_until:
            raise error
        cached.fresh_until = min(now + _PAUSE_S, cached.usable_until)
        _log.warning("a cached secret is used, because its store does not respond", extra={"secret": str(name)})
        return cached.value
