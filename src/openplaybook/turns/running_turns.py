"""The turns that run in this process, for whoever watches them."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial

from openplaybook.turns.turn import Turn


class RunningTurns:
    """At most one for each session."""

    def __init__(self) -> None:
        self._running: dict[str, Turn] = {}
        self._listeners: dict[str, set[asyncio.Event]] = {}

    def of(self, session: str) -> Turn | None:
        """The session's; None where none runs in this process."""
        return self._running.get(session)

    @property
    def listeners(self) -> int:
        """How many watch."""
        return sum(map(len, self._listeners.values()))

    @contextmanager
    def showing(self, turn: Turn) -> Generator[None]:
        """Inside the block the turn can be watched."""
        session = turn.request.session
        self._running[session] = turn
        turn.on_news = partial(self._tell, session)
        self._tell(session)
        try:
            yield
        finally:
            del self._running[session]
            turn.on_news = None
            self._tell(session)

    @contextmanager
    def listening(self, session: str) -> Generator[asyncio.Event]:
        """An event that is set whenever there is news of the session's turn here."""
        news = asyncio.Event()
        listeners = self._listeners.setdefault(session, set())
        listeners.add(news)
        try:
            yield news
        finally:
            listeners.discard(news)
            if not listeners:
                self._listeners.pop(session, None)

    def _tell(self, session: str) -> None:
        for news in self._listeners.get(session, ()):
            news.set()
