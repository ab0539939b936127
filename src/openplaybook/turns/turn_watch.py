"""Turns as they are watched by others than who began them: the steps that happened, those that happen, and the end.

A turn of this process tells of its steps itself. One that another process runs is read from its journal, where a step
is as soon as it is on record.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from openplaybook.storage.base import Store, TurnState
from openplaybook.turns.base import ToolStep, TraceStep
from openplaybook.turns.journal.events import Event
from openplaybook.turns.journal.rows import begin_of, event_of
from openplaybook.turns.journal.turn_trace import GrowingTrace, without_parameters
from openplaybook.turns.session.history import History, PastTurn
from openplaybook.turns.turn import Turn

_POLL_S = 0.5
"""Between two looks at what another process does."""


class RunningTurns:
    """The turns that run in this process, at most one for each session."""

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


@dataclass(frozen=True, slots=True)
class WatchedSteps:
    """Steps that a turn took, in order."""

    turn: int
    """Its number."""
    first: int
    """Number of the first step, counted from 0."""
    steps: Sequence[TraceStep]
    under_way: Sequence[ToolStep]
    """All calls that are on their way; each of them becomes a step when it ends."""
    tool_kinds: Mapping[str, str]
    """Kind by resource name of a tool."""


Watched: TypeAlias = WatchedSteps | PastTurn
"""The last one is the turn that has ended."""


class TurnWatch:
    """Watches turns of all sessions."""

    def __init__(self, store: Store, running: RunningTurns) -> None:
        self._store = store
        self._running = running
        self._history = History(store)

    @property
    def watchers(self) -> int:
        """How many watch now."""
        return self._running.listeners

    async def updates(self, agent: str, session: str, number: int = 0, *, after: int = -1) -> AsyncGenerator[Watched]:
        """What happens in a turn, from the step behind number `after` on; at last the turn itself.

        `number` 0 is the turn that runs, or else the next one that begins. Of a turn that does not exist nothing is
        told. Raises `NewerData`.
        """
        with self._running.listening(session) as news:
            number = number or await self._next(session, news)
            told = await self._begun(agent, session, number, after)
            is_over = told is None
            while told is not None and not is_over:
                news.clear()
                happened, is_over = await self._happened(session, number, told.events)
                watched = told.take(happened)
                if watched is not None:
                    yield watched
                if not is_over:
                    await _wait(news)
            past = await self._history.turn(agent, session, number)
            if past is not None:
                yield past

    async def _next(self, session: str, news: asyncio.Event) -> int:
        """Number of the turn that runs, or of the next one."""
        latest = await self._store.turn(session)
        if latest is not None and latest.state is TurnState.RUNNING:
            return latest.number
        known = 0 if latest is None else latest.number
        while True:
            news.clear()
            here = self._running.of(session)
            if here is not None:
                return here.lease.number
            stored = await self._store.session(session)
            if stored is not None and stored.turns > known:
                return stored.turns
            await _wait(news)

    async def _begun(self, agent: str, session: str, number: int, after: int) -> "_Told | None":
        kept_turn = await self._store.turn(session, number)
        if kept_turn is None:
            return None
        begin = begin_of([event_of(kept_turn.steps[0])])
        names = await self._history.names(begin.snapshot)
        before = await self._history.before(agent, session, number)
        return _Told(
            number,
            GrowingTrace(names, before.frames, number),
            before.secret | begin.sealed | names.secret_parameters,
            names.tool_kinds,
            after,
        )

    async def _happened(self, session: str, number: int, known: int) -> tuple[Sequence[Event], bool]:
        """The turn's events behind the first `known` ones, and whether there will be no more."""
        here = self._running.of(session)
        if here is not None and here.lease.number == number:
            return here.events[known:], False
        kept_turn = await self._store.turn(session, number)
        if kept_turn is None:
            return (), True
        return [event_of(step) for step in kept_turn.steps[known:]], kept_turn.state is not TurnState.RUNNING


@dataclass(slots=True)
class _Told:
    """What a watcher was told of a turn."""

    number: int
    trace: GrowingTrace
    secret: frozenset[str]
    tool_kinds: Mapping[str, str]
    after: int
    """Number of a step up to which nothing is told."""
    events: int = 0
    steps: int = 0
    under_way: Sequence[ToolStep] = ()

    def take(self, happened: Sequence[Event]) -> WatchedSteps | None:
        """What these events add; None where they add nothing."""
        steps = [step for event in happened for step in self.trace.add(event)]
        first = self.steps
        self.events += len(happened)
        self.steps += len(steps)
        skipped = min(max(0, self.after + 1 - first), len(steps))
        news = [without_parameters(step, self.secret) for step in steps[skipped:]]
        if not news and self.trace.under_way == self.under_way:
            return None
        self.under_way = self.trace.under_way
        return WatchedSteps(self.number, first + skipped, news, self.under_way, self.tool_kinds)


async def _wait(news: asyncio.Event) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_POLL_S):
            await news.wait()
