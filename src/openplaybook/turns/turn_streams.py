"""A turn as it happens: words and tool calls for whoever listens, and at last its result."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace

from openplaybook.turns.base import Partial, PartialText, TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine


class TurnStreams:
    """Turns with listeners. A turn never waits for its listener, and goes on when that leaves."""

    def __init__(self, engine: TurnEngine) -> None:
        self._engine = engine
        self._running: set[asyncio.Task[TurnResult]] = set()

    def __len__(self) -> int:
        """Turns under way whose listeners were told of them, also where these have left."""
        return len(self._running)

    async def stream(self, request: TurnRequest) -> AsyncGenerator[Partial | TurnResult]:
        """The turn as it happens; the last item is its result. Raises `TurnError` as `TurnEngine.run` does.

        A request that was answered before gives its result alone.
        """
        heard = _Heard()
        task = asyncio.create_task(self._engine.run(request, heard.tell))
        self._running.add(task)
        task.add_done_callback(self._finished)
        task.add_done_callback(lambda _: heard.end())
        try:
            while (partial := await heard.take()) is not None:
                yield partial
            yield task.result()
        finally:
            heard.leave()

    async def drain(self, timeout_s: float) -> int:
        """Wait until the turns that run have ended; returns how many still do after `timeout_s`."""
        if self._running:
            await asyncio.wait(self._running, timeout=timeout_s)
        return len(self._running)

    def _finished(self, task: "asyncio.Task[TurnResult]") -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # seen, so that a failure whose listener has left is not reported as forgotten


@dataclass(slots=True)
class _Words:
    """Pieces of one reply."""

    first: PartialText
    texts: list[str]


class _Heard:
    """What a listener has not taken yet.

    Words of one reply are joined while it lags, so a slow listener gets few and long pieces, and what waits for it is
    no more than what the limits of a turn let it say and call.
    """

    def __init__(self) -> None:
        self._waiting: deque[_Words | Partial] = deque()
        self._news = asyncio.Event()
        self._is_over = False

    def tell(self, partial: Partial) -> None:
        """Keep something for the listener, unless it has left."""
        if self._is_over:
            return
        last = self._waiting[-1] if self._waiting else None
        if not isinstance(partial, PartialText):
            self._waiting.append(partial)
        elif isinstance(last, _Words) and last.first.reply == partial.reply:
            last.texts.append(partial.text)
        else:
            self._waiting.append(_Words(partial, [partial.text]))
        self._news.set()

    def end(self) -> None:
        """There is no more to come."""
        self._is_over = True
        self._news.set()

    def leave(self) -> None:
        """The listener is gone."""
        self.end()
        self._waiting.clear()

    async def take(self) -> Partial | None:
        """The next piece, as soon as there is one; None at the end."""
        while not self._waiting:
            if self._is_over:
                return None
            self._news.clear()
            await self._news.wait()
        taken = self._waiting.popleft()
        return replace(taken.first, text="".join(taken.texts)) if isinstance(taken, _Words) else taken
