"""Decisions that are asked for outside of turns are counted like those of turns."""

from collections.abc import AsyncIterator

import pytest

from openplaybook.models.base import ModelReply, ModelTurn, TextDelta, Usage
from openplaybook.models.counted import Counted
from openplaybook.models.errors import ModelTimeout
from openplaybook.telemetry.metrics import Metrics
from tests.unit.models.building import a_turn

REPLY = ModelReply("Hi.", (), "m", Usage(10, 2))


class One:
    """Gives one reply, or fails."""

    name = "m"

    def __init__(self, *, fails: bool = False) -> None:
        self._fails = fails
        self.is_closed = False

    async def decide(self, turn: ModelTurn) -> ModelReply:
        if self._fails:
            raise ModelTimeout("late")
        return REPLY

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        yield TextDelta("Hi.")
        yield await self.decide(turn)

    async def aclose(self) -> None:
        self.is_closed = True


def figures(metrics: Metrics) -> list[str]:
    """Lines of model calls and tokens."""
    shown = metrics.render()[0].decode().splitlines()
    return [
        line for line in shown if line.startswith(("openplaybook_model_calls_total", "openplaybook_model_tokens_total"))
    ]


COUNTED = [
    'openplaybook_model_calls_total{model="m",outcome="OK"} 1.0',
    'openplaybook_model_tokens_total{kind="input"} 10.0',
    'openplaybook_model_tokens_total{kind="output"} 2.0',
]


async def test_a_decision_counts_with_its_tokens() -> None:
    metrics = Metrics()
    model = Counted(One(), metrics)
    assert (model.name, await model.decide(a_turn())) == ("m", REPLY)
    assert figures(metrics) == COUNTED


async def test_a_streamed_decision_counts_once() -> None:
    metrics = Metrics()
    assert [item async for item in Counted(One(), metrics).stream(a_turn())] == [TextDelta("Hi."), REPLY]
    assert figures(metrics) == COUNTED


async def test_a_failure_counts_by_its_code() -> None:
    metrics = Metrics()
    with pytest.raises(ModelTimeout):
        await Counted(One(fails=True), metrics).decide(a_turn())
    assert figures(metrics)[0] == 'openplaybook_model_calls_total{model="m",outcome="MODEL_TIMEOUT"} 1.0'


async def test_closing_closes_the_model() -> None:
    one = One()
    await Counted(one, Metrics()).aclose()
    assert one.is_closed
