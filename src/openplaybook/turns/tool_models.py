"""Models as tools ask them: counted like the engine's own decisions, and told in the trace of the call."""

from collections.abc import AsyncIterator

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Model, ModelReply, ModelTurn, TextDelta
from openplaybook.models.counted import Counted
from openplaybook.models.errors import ModelError
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.reply_facts import facts_of
from openplaybook.turns.turn import now_us

OFFLINE = "offline"
"""The model that plans from examples and writes nothing."""


class ToolModel:
    """Asks a model for a tool, and remembers what each question came to."""

    def __init__(self, model: Model, metrics: Metrics) -> None:
        self._model = Counted(model, metrics)
        self.asked: list[JsonObject] = []
        """A decision each: `{started, at, model, usage, attempts, call}`, with `error` where there was no reply."""

    @property
    def name(self) -> str:
        """The wrapped model's."""
        return self._model.name

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The wrapped model's decision. Raises `ModelError`."""
        started = now_us()
        try:
            reply = await self._model.decide(turn)
        except ModelError as error:
            self._failed(started, error)
            raise
        self._replied(turn, started, reply)
        return reply

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The wrapped model's decision, piece by piece. Raises `ModelError`."""
        started = now_us()
        try:
            async for item in self._model.stream(turn):
                if isinstance(item, ModelReply):
                    self._replied(turn, started, item)
                yield item
        except ModelError as error:
            self._failed(started, error)
            raise

    async def aclose(self) -> None:
        """Nothing: the model is the server's."""

    def _replied(self, turn: ModelTurn, started: int, reply: ModelReply) -> None:
        self.asked.append(
            {
                "started": started,
                "at": now_us(),
                "model": reply.model,
                "usage": {"input": reply.usage.input_tokens, "output": reply.usage.output_tokens},
                "attempts": reply.attempts,
                "call": facts_of(turn, reply, 0),
            }
        )

    def _failed(self, started: int, error: ModelError) -> None:
        self.asked.append(
            {
                "started": started,
                "at": now_us(),
                "model": self.name,
                "usage": {"input": 0, "output": 0},
                "attempts": error.attempts,
                "call": {},
                "error": {"code": error.code, "message": str(error)},
            }
        )


def tool_model(model: Model, metrics: Metrics) -> ToolModel | None:
    """The model for a tool; None where it writes nothing."""
    return None if model.name == OFFLINE else ToolModel(model, metrics)
