"""Access tokens, kept while they are valid and fetched once however many ask."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field

from openplaybook.credentials.errors import CredentialError, CredentialUnavailable

LONGEST_S = 86_400.0
"""A token is fetched anew after a day, whatever its issuer says."""

_KEPT = 1_000
_EARLY_S = 60.0
_EARLY_SHARE = 0.1
_PATIENCE_S = 2.0
"""How long a call waits for a new token while the old one is valid."""
_PAUSE_S = 10.0
"""Between two attempts to replace a token that is still valid."""


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token as its issuer gave it."""

    value: str = field(repr=False)
    life_s: float
    """Seconds it stays valid; without any it is used for the calls that wait for it, and not kept."""
    account: str = ""
    """Email address of whom it stands for; empty where that is not known."""


@dataclass(slots=True)
class _CachedToken:
    value: str
    renewed_at: float
    ends_at: float


class TokenCache:
    """The tokens of one server, by whatever tells them apart. Used by one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, patience_s: float = _PATIENCE_S) -> None:
        self._clock = clock
        self._patience_s = patience_s
        self._kept: OrderedDict[Hashable, _CachedToken] = OrderedDict()
        self._fetching: dict[Hashable, asyncio.Task[IssuedToken]] = {}

    async def get(self, key: Hashable, fetch: Callable[[], Awaitable[IssuedToken]], timeout_s: float) -> str:
        """The kept token, or what `fetch` gives; raises what that raises, and `CredentialUnavailable` for no end of it.

        A token is replaced a little before it ends, a tenth of its life and at most a minute. As long as it is valid,
        it is used when that fails or takes long.
        """
        now = self._clock()
        cached = self._kept.get(key)
        if cached is not None and now < cached.renewed_at:
            self._kept.move_to_end(key)
            return cached.value
        if cached is None or now >= cached.ends_at:
            return await self._fetched(key, fetch, timeout_s)
        try:
            return await self._fetched(key, fetch, min(timeout_s, self._patience_s))
        except CredentialError:
            cached.renewed_at = now + _PAUSE_S
            return cached.value

    def forget(self, value: str) -> bool:
        """Drop a token that was refused; whether it was still kept."""
        keys = [key for key, cached in self._kept.items() if cached.value == value]
        for key in keys:
            del self._kept[key]
        return bool(keys)

    async def _fetched(self, key: Hashable, fetch: Callable[[], Awaitable[IssuedToken]], timeout_s: float) -> str:
        task = self._fetching.get(key)
        if task is None:
            task = self._fetching[key] = asyncio.create_task(self._fetch(key, fetch))
            task.add_done_callback(_look_at)
        # One caller that gives up must not take the token from the others.
        done, _ = await asyncio.wait([task], timeout=timeout_s)
        if not done:
            raise CredentialUnavailable(f"no access token arrived within {timeout_s:.3g} s")
        return task.result().value

    async def _fetch(self, key: Hashable, fetch: Callable[[], Awaitable[IssuedToken]]) -> IssuedToken:
        try:
            token = await fetch()
        finally:
            del self._fetching[key]
        self._keep(key, token)
        return token

    def _keep(self, key: Hashable, token: IssuedToken) -> None:
        life = min(token.life_s, LONGEST_S)
        if life <= 0:
            self._kept.pop(key, None)
            return
        now = self._clock()
        early = min(_EARLY_S, life * _EARLY_SHARE)
        self._kept[key] = _CachedToken(token.value, now + life - early, now + life)
        self._kept.move_to_end(key)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def _look_at(task: asyncio.Task[IssuedToken]) -> None:
    """Takes note of a failure that all have stopped waiting for."""
    if not task.cancelled():
        task.exception()
