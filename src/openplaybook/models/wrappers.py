"""Models around a model: one asks it again where that may help, one counts its decisions."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from openplaybook.models.base import Model, ModelReply, ModelTurn, TextDelta, Usage
from openplaybook.models.errors import ModelError, ModelRateLimited, ModelTimeout, ModelUnavailable
from openplaybook.telemetry.metrics import Metrics

TRANSIENT = (ModelRateLimited, ModelTimeout, ModelUnavailable)
"""Failures that may pass: 408, 409, 429, 5xx, refused connections, broken transports."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how fast; times in seconds."""

    attempts: int = 3
    """Requests in all."""
    first_pause_s: float = 0.5
    factor: float = 2.0
    longest_pause_s: float = 8.0

    def pause_s(self, attempt: int) -> float:
        """The pause after request number `attempt`, counted from 1, where the provider names none.

        A quarter of it is left to chance, so that many sessions do not come back at the same moment.
        """
        pause = min(self.first_pause_s * self.factor ** (attempt - 1), self.longest_pause_s)
        return pause * (0.75 + 0.25 * random.random())


class RetryingModel:
    """A model that asks `model`, whose decisions are one request each, again where that may help.

    `Retry-After` is honoured. Nothing is tried again once words were yielded, nor when the pause would outlast
    the decision's deadline. Requests are counted in `ModelReply.attempts` and `ModelError.attempts`.
    """

    def __init__(
        self,
        model: Model,
        policy: RetryPolicy = RetryPolicy(),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._model = model
        self._policy = policy
        self._sleep = sleep

    @property
    def name(self) -> str:
        """The wrapped model's."""
        return self._model.name

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The wrapped model's decision. Raises the last `ModelError`."""
        deadline = time.monotonic() + turn.timeout_s
        attempt = 1
        while True:
            try:
                return _counted(await self._model.decide(turn), attempt)
            except ModelError as error:
                turn = await self._again(error, attempt, turn, deadline)
            attempt += 1

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The wrapped model's decision piece by piece. Raises the last `ModelError`."""
        deadline = time.monotonic() + turn.timeout_s
        attempt = 1
        while True:
            has_spoken = False
            pieces = self._model.stream(turn)
            try:
                async for item in pieces:
                    has_spoken = True
                    yield item if isinstance(item, TextDelta) else _counted(item, attempt)
                return
            except ModelError as error:
                if has_spoken:
                    error.attempts = attempt
                    raise
                turn = await self._again(error, attempt, turn, deadline)
            finally:
                # A caller who stops listening closes this generator; the connection must not wait for the collector.
                if isinstance(pieces, AsyncGenerator):
                    await pieces.aclose()
            attempt += 1

    async def aclose(self) -> None:
        """Close the wrapped model."""
        await self._model.aclose()

    async def _again(self, error: ModelError, attempt: int, turn: ModelTurn, deadline: float) -> ModelTurn:
        """The turn to try next, after the pause; raises `error` when there is no next try."""
        error.attempts = attempt
        if attempt >= self._policy.attempts or not isinstance(error, TRANSIENT):
            raise error
        asked_pause_s = None if isinstance(error, ModelTimeout) else error.retry_after_s
        pause = self._policy.pause_s(attempt) if asked_pause_s is None else asked_pause_s
        if time.monotonic() + pause >= deadline:
            raise error
        await self._sleep(pause)
        return replace(turn, timeout_s=deadline - time.monotonic())


def _counted(reply: ModelReply, attempts: int) -> ModelReply:
    return reply if attempts == 1 else replace(reply, attempts=attempts)


class CountedModel:
    """Asks `model`, and tells `metrics` of each decision; for who asks models outside of turns."""

    def __init__(self, model: Model, metrics: Metrics) -> None:
        self._model = model
        self._metrics = metrics

    @property
    def name(self) -> str:
        """The wrapped model's."""
        return self._model.name

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The wrapped model's decision. Raises `ModelError`."""
        with self._timed() as usage:
            reply = await self._model.decide(turn)
            usage.append(reply.usage)
            return reply

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The wrapped model's decision, piece by piece. Raises `ModelError`."""
        with self._timed() as usage:
            async for item in self._model.stream(turn):
                if isinstance(item, ModelReply):
                    usage.append(item.usage)
                yield item

    async def aclose(self) -> None:
        """Close the wrapped model."""
        await self._model.aclose()

    @contextmanager
    def _timed(self) -> Generator[list[Usage]]:
        begun, usage = time.perf_counter(), list[Usage]()
        try:
            yield usage
        except ModelError as error:
            self._metrics.model_called(self.name, error.code, time.perf_counter() - begun)
            raise
        for used in usage[:1]:
            self._metrics.model_called(
                self.name,
                "OK",
                time.perf_counter() - begun,
                input_tokens=used.input_tokens,
                output_tokens=used.output_tokens,
            )
