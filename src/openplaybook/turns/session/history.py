"""Turns of the past, read back from the journal: what was asked, what was answered, and what happened in between."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.storage.base import KeptTurn, Step, Store, TurnState
from openplaybook.telemetry.redaction import MASK
from openplaybook.turns.agent.past_agents import PastAgent, PastAgents
from openplaybook.turns.base import TextInput, TraceStep, TurnResult
from openplaybook.turns.journal.events import Event, HandlerFired, ParametersDeclared, Settlement, TurnBegun
from openplaybook.turns.journal.rows import begin_of, event_of
from openplaybook.turns.journal.turn_results import load_result, said_in, stored_index
from openplaybook.turns.journal.turn_trace import trace_of, without_parameters
from openplaybook.turns.session.stored_sessions import frames_of

_AT_ONCE = 20
"""Turns that are read together: the journal of one may be large."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """One turn of a conversation."""

    number: int
    began_us: int
    ended_us: int
    request: TurnBegun
    """Its first event, in which secret parameters are masked."""
    result: TurnResult
    state: TurnState
    before: JsonObject = field(default_factory=dict[str, JsonValue])
    """Session parameters before it, secret ones left out; empty in `History.turns`, which does not tell of them."""

    tool_kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    """Kind by resource name of a tool, as the agent was then."""

    @property
    def is_answered(self) -> bool:
        """False: it runs, or was cut short. The client was told of an error, and `result` is what had happened."""
        return self.state is TurnState.DONE


class History:
    """Reads conversations. Parameters that are secret, or were, are shown in none of their turns."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._agents = PastAgents(store)

    async def turns(self, agent: str, session: str, *, after: int = 0) -> AsyncIterator[PastTurn]:
        """The turns of a session whose number is greater than `after`, oldest first."""
        secret = (await self._agents.present(agent)).secret_parameters
        frames: dict[int, str] = {}
        index = 0
        async for kept_turn in kept_turns(self._store, session):
            # A turn that was cut short has no result that says so.
            index = index + 1 if kept_turn.response is None else stored_index(kept_turn.response)
            happened = [event_of(step) for step in kept_turn.steps]
            begin = begin_of(happened)
            secret = secret.union(begin.sealed)
            if kept_turn.number > after:
                then = await self._agents.by_digest(begin.snapshot)
                yield _past_turn(kept_turn, index, happened, then, frames, secret | then.secret_parameters)
                # Others go on between two turns, which may be large.
                await asyncio.sleep(0)
            frames = frames_of(happened, frames)

    async def turn(self, agent: str, session: str, number: int) -> PastTurn | None:
        """One turn in whatever state it is, as far as it is on record; None where there is none."""
        before = await self.before(agent, session, number)
        kept_turn = await self._store.turn(session, number)
        if kept_turn is None:
            return None
        happened = [event_of(step) for step in kept_turn.steps]
        begin = begin_of(happened)
        then = await self._agents.by_digest(begin.snapshot)
        secret = before.secret | begin.sealed | then.secret_parameters
        index = before.turns + 1 if kept_turn.response is None else stored_index(kept_turn.response)
        past = _past_turn(kept_turn, index, happened, then, before.frames, secret)
        shown = {name: value for name, value in before.parameters.items() if name not in secret}
        return replace(past, before={} if begin.sets_aside else shown)

    async def before(self, agent: str, session: str, number: int) -> "Before":
        """What led to a turn of that number."""
        before = Before(secret=(await self._agents.present(agent)).secret_parameters)
        async for kept_turn in kept_turns(self._store, session):
            if kept_turn.number >= number:
                break
            happened = [event_of(step) for step in kept_turn.steps]
            parameters = before.parameters
            if kept_turn.response is not None:
                parameters = load_result(kept_turn.response, ()).parameters
            before = Before(
                frames=frames_of(happened, before.frames),
                parameters=parameters,
                secret=before.secret | begin_of(happened).sealed,
                turns=before.turns + 1,
            )
            await asyncio.sleep(0)
        return before

    async def names(self, digest: str) -> PastAgent:
        """The agent of a snapshot, as far as showing its turns takes."""
        return await self._agents.by_digest(digest)


@dataclass(frozen=True, slots=True)
class Before:
    """What led to a turn."""

    frames: Mapping[int, str] = field(default_factory=dict[int, str])
    """The playbook of every open frame, by frame id."""
    parameters: JsonObject = field(default_factory=dict[str, JsonValue])
    """As the last answer before it left them."""
    secret: frozenset[str] = frozenset()
    """Names of parameters that are secret, or were."""
    turns: int = 0
    """How many turns are kept of those before it."""


async def kept_turns(store: Store, session: str) -> AsyncIterator[KeptTurn]:
    """Every kept turn of a session as it lies in the store, oldest first."""
    async for turns in kept_batches(store, session):
        for turn in turns:
            yield turn


async def kept_batches(store: Store, session: str) -> AsyncIterator[Sequence[KeptTurn]]:
    """The same, those together that were read together."""
    number = 0
    while turns := await store.kept_turns(session, after=number, limit=_AT_ONCE):
        yield turns
        number = turns[-1].number


def first_of(turn: KeptTurn) -> TurnBegun:
    """The first event of a kept turn. Raises `NewerData`."""
    return begin_of([event_of(turn.steps[0])])


def stored_size(turns: Sequence[KeptTurn]) -> int:
    """Bytes of what is stored of turns."""
    steps = sum(len(step.payload) for turn in turns for step in turn.steps)
    return steps + sum(len(turn.response or b"") for turn in turns)


def _past_turn(
    kept_turn: KeptTurn,
    index: int,
    happened: Sequence[Event],
    agent: PastAgent,
    frames: Mapping[int, str],
    secret: frozenset[str],
) -> PastTurn:
    begin = begin_of(happened)
    trace = tuple(without_parameters(each, secret) for each in trace_of(happened, agent, frames, kept_turn.number))
    if kept_turn.response is None:
        result = _cut_short(kept_turn, happened, agent, frames, trace)
    else:
        result = load_result(kept_turn.response, trace)
    visible = {name: value for name, value in result.parameters.items() if name not in secret}
    parameters = {name: MASK if name in secret else value for name, value in begin.parameters.items()}
    return PastTurn(
        number=kept_turn.number,
        began_us=kept_turn.began_us,
        ended_us=kept_turn.ended_us,
        request=replace(begin, parameters=parameters),
        result=replace(result, parameters=visible, index=index),
        state=kept_turn.state,
        tool_kinds=agent.tool_kinds,
    )


def _cut_short(
    kept_turn: KeptTurn,
    happened: Sequence[Event],
    agent: PastAgent,
    frames: Mapping[int, str],
    trace: tuple[TraceStep, ...],
) -> TurnResult:
    """What a turn had come to when it was cut short."""
    begin, open_frames = begin_of(happened), frames_of(happened, frames)
    playbook = open_frames[max(open_frames)] if open_frames else ""
    return TurnResult(
        response_id=kept_turn.turn_id,
        messages=tuple(message for event in happened for message in said_in(event)),
        parameters={},
        current_playbook=playbook,
        current_playbook_display_name=agent.display_name(playbook),
        query_text=begin.input.text if isinstance(begin.input, TextInput) else "",
        language_code=begin.language_code,
        trace=trace,
        paused=False,
        turn=kept_turn.number,
    )


class SetBy(StrEnum):
    """What set a parameter."""

    REQUEST = "REQUEST"
    """The client's request."""
    DECLARATION = "DECLARATION"
    """The agent, or the app, declares a value for the beginning."""
    TOOL = "TOOL"
    """A tool call."""
    HANDLER = "HANDLER"
    """A handler of a playbook."""


@dataclass(frozen=True, slots=True)
class ParameterOrigin:
    """Who set a parameter last."""

    by: SetBy
    turn: int
    """Number of the turn."""
    tool: str = ""
    """Of a tool call: resource name of the tool, and the action."""
    action: str = ""


def parameter_origins(steps: Iterable[Step]) -> dict[str, ParameterOrigin]:
    """By parameter, as journal rows say in their order; those taken away since have one, too. Raises `NewerData`."""
    origins: dict[str, ParameterOrigin] = {}
    for step in steps:
        event = event_of(step)
        match event:
            case TurnBegun():
                if event.sets_aside:
                    origins.clear()
                origins |= dict.fromkeys(event.parameters, ParameterOrigin(SetBy.REQUEST, step.turn))
            case ParametersDeclared():
                origins |= dict.fromkeys(event.parameters, ParameterOrigin(SetBy.DECLARATION, step.turn))
            case HandlerFired():
                origins |= dict.fromkeys(event.parameters, ParameterOrigin(SetBy.HANDLER, step.turn))
            case Settlement():
                tool = ParameterOrigin(SetBy.TOOL, step.turn, event.tool, event.action)
                origins |= dict.fromkeys(event.parameters, tool)
            case _:
                pass
    return origins
