"""Asking a model: for the engine's own decisions, whose replies are written down, and for tools, whose questions are
counted like those and told in the trace of the call."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.models.base import (
    DecisionFacts,
    DecisionFault,
    Model,
    ModelReply,
    ModelTurn,
    ProviderExchange,
    TextDelta,
    Usage,
)
from openplaybook.models.errors import ModelError, ModelGarbled
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.models.prompt.prompt_texts import output_tokens
from openplaybook.models.wrappers import CountedModel
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.errors import ModelFailed
from openplaybook.turns.journal.events import ModelFaulted, ModelReplied, NoticeGiven, ToolDecision, now_us
from openplaybook.turns.journal.session_state import PendingCall
from openplaybook.turns.journal.turn_trace import prompt_key
from openplaybook.turns.session.kept_prompts import KeptPrompts
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.turn import Turn


def facts_of(request: ModelTurn, reply: ModelReply, first_us: int) -> DecisionFacts:
    """What a decision was asked for and where its reply came from.

    `first_us`: when the first words of a streamed reply came, microseconds since the epoch; 0 where none was streamed.
    """
    origin, usage = reply.origin, reply.usage
    return DecisionFacts(
        temperature=request.settings.temperature,
        max_tokens=output_tokens(request.settings) or 0,
        finish=reply.finish_reason,
        response_id=origin.response_id,
        response_model=origin.model,
        url=origin.url,
        cached_tokens=usage.cached_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        first=first_us,
    )


_SUBSTITUTED = "MODEL_SUBSTITUTED"
_REMEMBERED_CHARS = 100
"""Of a model's name, which a client may make as long as it likes: what a session keeps has a bound."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A reply, and what there is to know of how it came."""

    reply: ModelReply
    started: int
    """When it was asked for, in microseconds since the epoch."""
    facts: DecisionFacts


class ModelCaller:
    """Asks the model that a decision is for."""

    def __init__(self, models: ModelDirectory, metrics: Metrics, seals: ParameterSeals) -> None:
        self._models = models
        self._metrics = metrics
        self._seals = seals

    async def ask(self, turn: Turn, request: ModelTurn, *, aloud: bool) -> ModelAnswer:
        """The reply; `aloud`: its words are told while they come. Raises `ModelFailed`."""
        model, substituted = self._models.resolve(request.settings.model)
        if substituted:
            _tell_substitution(turn, str(request.settings.model), model.name)
        started, exchange = now_us(), ProviderExchange()
        key = prompt_key(turn.lease.number, turn.effort.asked + 1)
        try:
            request = replace(request, exchange=exchange)
            reply, first = await self._reply(turn, model, request, started, aloud=aloud)
        finally:
            if exchange.request:
                keep_prompt(turn, self._seals, key, exchange)
        return ModelAnswer(reply, started, facts_of(request, reply, first))

    async def _reply(
        self, turn: Turn, model: Model, request: ModelTurn, started: int, *, aloud: bool
    ) -> tuple[ModelReply, int]:
        """The reply, and when its first words were heard: 0 where nobody listens."""
        begun, first = time.perf_counter(), 0
        try:
            if turn.observer is None or not aloud:
                reply = await model.decide(request)
            else:
                reply, first = await _listen(turn, model.stream(request))
            if not reply.text and not reply.calls:
                raise ModelGarbled(f"{model.name} returned neither text nor a tool call", attempts=reply.attempts)
        except ModelError as error:
            self._metrics.model_called(model.name, error.code, time.perf_counter() - begun)
            fault = ModelFaulted(
                frame=turn.state.top.id,
                started=started,
                model=model.name,
                code=error.code,
                message=str(error),
                attempts=error.attempts,
            )
            turn.emit(fault)
            raise ModelFailed(error) from error
        self._metrics.model_called(
            model.name,
            "OK",
            time.perf_counter() - begun,
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
        )
        return reply, first


def keep_prompt(turn: Turn, seals: ParameterSeals, key: str, exchange: ProviderExchange) -> None:
    """Keep what a decision sent and what came back, with the values of sealed parameters masked."""
    session = turn.request.session
    try:
        secrets = seals.open(turn.state, session).secrets
    except SealedValueUnreadable:
        # Nobody knows what to mask; the turn goes on as long as no tool needs them.
        return
    turn.write_besides(KeptPrompts(turn.store, session).keep(key, exchange, secrets))


def record_reply(turn: Turn, answer: ModelAnswer, calls: Sequence[PendingCall] = ()) -> None:
    """Write a reply down, with the calls that the turn makes of those it asks for."""
    _record(turn, answer, answer.reply, calls=tuple(calls), unheard=turn.state.top.answers)


def record_withheld(turn: Turn, answer: ModelAnswer) -> None:
    """Write a reply down that nobody is told: nothing of it goes into prompts, traces or the model's own state."""
    withheld = ModelReply(text="", calls=(), model=answer.reply.model)
    _record(turn, answer, withheld, withheld=answer.reply.text)


def _tell_substitution(turn: Turn, wanted: str, answering: str) -> None:
    """Tell once a session that another model stands in for the one that is wanted."""
    once = f"{_SUBSTITUTED} {wanted[:_REMEMBERED_CHARS]}"
    if once in turn.state.told:
        return
    message = (
        f"The server has no alias for model {wanted}, so it uses {answering}. "
        f"--model-aliases {wanted}=KIND:NAME sets one (docs/models.md)."
    )
    turn.emit(NoticeGiven(frame=turn.state.top.id, code=_SUBSTITUTED, message=message, once=once))


def _record(
    turn: Turn,
    answer: ModelAnswer,
    recorded: ModelReply,
    *,
    calls: tuple[PendingCall, ...] = (),
    unheard: bool = False,
    withheld: str | None = None,
) -> None:
    """`recorded` is the reply as far as anybody is told of it."""
    reply = answer.reply
    replied = ModelReplied(
        frame=turn.state.top.id,
        started=answer.started,
        calls=calls,
        model=reply.model,
        usage=reply.usage,
        attempts=reply.attempts,
        finish=reply.finish_reason,
        call=answer.facts,
        text=recorded.text,
        raw=recorded.raw,
        planner=recorded.planner_state,
        evidence=recorded.evidence,
        unheard=unheard,
        withheld=withheld,
    )
    turn.emit(replied)


async def _listen(turn: Turn, stream: AsyncIterator[TextDelta | ModelReply]) -> tuple[ModelReply, int]:
    first = 0
    async for item in stream:
        if isinstance(item, ModelReply):
            return item, first
        first = first or now_us()
        turn.speak(item.text)
    raise ModelGarbled("the stream ended without a reply")


OFFLINE = "offline"
"""The model that plans from examples and writes nothing."""


Keep = Callable[[int, ProviderExchange], None]
"""Keeps what a decision sent and what came back; the number is which decision of its call it is, from 1."""


class ToolModel:
    """Asks a model for a tool, and remembers what each question came to."""

    def __init__(
        self, model: Model, metrics: Metrics, asked: list[ToolDecision] | None = None, keep: Keep | None = None
    ) -> None:
        """`asked` is where its decisions are added, where several models have theirs in one place; `keep` is given
        what each sent, where somebody wants to know."""
        self._model = CountedModel(model, metrics)
        self._keep = keep
        self.asked: list[ToolDecision] = [] if asked is None else asked
        """The decisions that it wanted, in order."""

    @property
    def name(self) -> str:
        """The wrapped model's."""
        return self._model.name

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The wrapped model's decision. Raises `ModelError`."""
        started, turn = now_us(), self._watched(turn)
        try:
            reply = await self._model.decide(turn)
        except ModelError as error:
            self._failed(turn, started, error)
            raise
        self._replied(turn, started, reply)
        return reply

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The wrapped model's decision, piece by piece. Raises `ModelError`."""
        started, turn = now_us(), self._watched(turn)
        try:
            async for item in self._model.stream(turn):
                if isinstance(item, ModelReply):
                    self._replied(turn, started, item)
                yield item
        except ModelError as error:
            self._failed(turn, started, error)
            raise

    async def aclose(self) -> None:
        """Nothing: the model is the server's."""

    def _watched(self, turn: ModelTurn) -> ModelTurn:
        return turn if self._keep is None else replace(turn, exchange=ProviderExchange())

    def _replied(self, turn: ModelTurn, started: int, reply: ModelReply) -> None:
        decision = ToolDecision(
            started=started,
            at=now_us(),
            model=reply.model,
            usage=reply.usage,
            attempts=reply.attempts,
            call=facts_of(turn, reply, 0),
        )
        self._asked(turn, decision)

    def _failed(self, turn: ModelTurn, started: int, error: ModelError) -> None:
        decision = ToolDecision(
            started=started,
            at=now_us(),
            model=self.name,
            usage=Usage(),
            attempts=error.attempts,
            call=DecisionFacts(),
            error=DecisionFault(code=error.code, message=str(error)),
        )
        self._asked(turn, decision)

    def _asked(self, turn: ModelTurn, decision: ToolDecision) -> None:
        self.asked.append(decision)
        if self._keep is not None and turn.exchange is not None and turn.exchange.request:
            self._keep(len(self.asked), turn.exchange)


def tool_model(model: Model, metrics: Metrics) -> ToolModel | None:
    """The model for a tool; None where it writes nothing."""
    return None if model.name == OFFLINE else ToolModel(model, metrics)


class ToolModels:
    """The models that one call of a tool may ask."""

    def __init__(self, models: ModelDirectory, metrics: Metrics, own: str | None, keep: Keep | None = None) -> None:
        """`own`: the name that the playbook has for its model."""
        self._models = models
        self._metrics = metrics
        self._own = own
        self._keep = keep
        self.asked: list[ToolDecision] = []
        """What all of them were asked, in order."""

    def of_playbook(self) -> Model | None:
        """The playbook's; None where it writes nothing."""
        return self._told(self._models.resolve(self._own)[0])

    def named(self, name: str) -> tuple[Model | None, bool]:
        """The one under that name, else the playbook's, and whether it is that; None where it writes nothing."""
        model, is_substitute = self._models.resolve(name)
        return (self.of_playbook(), True) if is_substitute else (self._told(model), False)

    def _told(self, model: Model) -> Model | None:
        return None if model.name == OFFLINE else ToolModel(model, self._metrics, self.asked, self._keep)
