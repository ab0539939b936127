"""A model whose decisions are counted."""

import time
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager

from openplaybook.models.base import Model, ModelReply, ModelTurn, TextDelta, Usage
from openplaybook.models.errors import ModelError
from openplaybook.telemetry.metrics import Metrics


class Counted:
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
