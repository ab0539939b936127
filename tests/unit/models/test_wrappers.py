"""Models around a model: retries, counts."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from openplaybook.models.base import ModelReply, ModelTurn, TextDelta, Usage
from openplaybook.models.errors import ModelError, ModelGarbled, ModelRateLimited, ModelTimeout, ModelUnavailable
from openplaybook.models.wrappers import CountedModel, RetryingModel, RetryPolicy
from openplaybook.telemetry.metrics import Metrics
from tests.unit.models.model_turns import a_turn

HI = ModelReply("Hi.", (), "fake")


class Flaky:
    """Fails with each of `failures` in turn, then answers; streams `words` before it does either."""

    name = "fake"

    def __init__(self, *failures: ModelError, words: str = "") -> None:
        self.failures = list(failures)
        self.words = words
        self.timeouts: list[float] = []
        self.is_closed = False

    async def decide(self, turn: ModelTurn) -> ModelReply:
        self.timeouts.append(turn.timeout_s)
        if self.failures:
            raise self.failures.pop(0)
        return HI

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        if self.words:
            yield TextDelta(self.words)
        yield await self.decide(turn)

    async def aclose(self) -> None:
        self.is_closed = True


class Pauses:
    """Sleeps no time and remembers for how long it was asked to."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


async def test_a_passing_failure_is_tried_again_and_counted() -> None:
    pauses = Pauses()
    model = RetryingModel(Flaky(ModelUnavailable("a"), ModelTimeout("b")), sleep=pauses)
    assert await model.decide(a_turn("x")) == replace(HI, attempts=3)
    first, second = pauses.seconds
    assert 0.375 <= first <= 0.5
    assert 0.75 <= second <= 1.0


async def test_the_provider_says_how_long_to_wait() -> None:
    pauses = Pauses()
    failures = (ModelRateLimited("a", retry_after_s=7), ModelUnavailable("b", retry_after_s=3))
    assert (await RetryingModel(Flaky(*failures), sleep=pauses).decide(a_turn("x"))).attempts == 3
    assert pauses.seconds == [7, 3]


async def test_the_last_failure_is_told_with_its_attempts() -> None:
    last = ModelUnavailable("c")
    model = RetryingModel(Flaky(ModelUnavailable("a"), ModelUnavailable("b"), last), sleep=Pauses())
    with pytest.raises(ModelUnavailable) as caught:
        await model.decide(a_turn("x"))
    assert caught.value is last
    assert last.attempts == 3


async def test_a_lasting_failure_is_not_tried_again() -> None:
    model = Flaky(ModelGarbled("a"))
    with pytest.raises(ModelGarbled) as caught:
        await RetryingModel(model, sleep=Pauses()).decide(a_turn("x"))
    assert (caught.value.attempts, len(model.timeouts)) == (1, 1)


async def test_a_pause_beyond_the_deadline_is_not_begun() -> None:
    pauses = Pauses()
    with pytest.raises(ModelRateLimited):
        await RetryingModel(Flaky(ModelRateLimited("a", retry_after_s=61)), sleep=pauses).decide(a_turn("x"))
    assert pauses.seconds == []


async def test_the_next_try_has_only_the_time_left() -> None:
    model = Flaky(ModelUnavailable("a", retry_after_s=0))
    await RetryingModel(model, sleep=Pauses()).decide(a_turn("x"))
    assert model.timeouts[0] == 60.0
    assert 59.0 < model.timeouts[1] < 60.0


async def test_a_stream_is_tried_again_before_its_first_words() -> None:
    model = RetryingModel(Flaky(ModelUnavailable("a")), sleep=Pauses())
    assert [item async for item in model.stream(a_turn("x"))] == [replace(HI, attempts=2)]


async def test_a_stream_is_not_tried_again_behind_its_first_words() -> None:
    pauses = Pauses()
    stream = RetryingModel(Flaky(ModelUnavailable("a"), words="It"), sleep=pauses).stream(a_turn("x"))
    assert await anext(stream) == TextDelta("It")
    with pytest.raises(ModelUnavailable):
        await anext(stream)
    assert pauses.seconds == []


def test_pauses_grow_up_to_the_longest() -> None:
    policy = RetryPolicy(first_pause_s=4, longest_pause_s=10)
    assert 7.5 <= policy.pause_s(3) <= 10


async def test_it_stands_for_the_model_it_wraps() -> None:
    inner = Flaky()
    model = RetryingModel(inner)
    assert model.name == "fake"
    await model.aclose()
    assert inner.is_closed


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
    model = CountedModel(One(), metrics)
    assert (model.name, await model.decide(a_turn())) == ("m", REPLY)
    assert figures(metrics) == COUNTED


async def test_a_streamed_decision_counts_once() -> None:
    metrics = Metrics()
    assert [item async for item in CountedModel(One(), metrics).stream(a_turn())] == [TextDelta("Hi."), REPLY]
    assert figures(metrics) == COUNTED


async def test_a_failure_counts_by_its_code() -> None:
    metrics = Metrics()
    with pytest.raises(ModelTimeout):
        await CountedModel(One(fails=True), metrics).decide(a_turn())
    assert figures(metrics)[0] == 'openplaybook_model_calls_total{model="m",outcome="MODEL_TIMEOUT"} 1.0'


async def test_closing_closes_the_model() -> None:
    one = One()
    await CountedModel(one, Metrics()).aclose()
    assert one.is_closed
