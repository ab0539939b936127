"""`OfflineModel`: the planner behind the `Model` port."""

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import date
from functools import partial

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import ModelReply, ModelTurn, RequestedCall, TextDelta
from openplaybook.models.offline.dialogue.spoken_turns import turns_since_call
from openplaybook.models.offline.knowledge.playbook_index import IndexCache, PlaybookIndex, build_index, has_much
from openplaybook.models.offline.plain_turns import PlainTurns, given_arguments
from openplaybook.models.offline.planner import plan
from openplaybook.models.offline.planner_state import PlannerDecision, PlannerState
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.tool_meanings import ToolMeanings
from openplaybook.workers.lanes import LARGE_AGENTS, LONG_TEXTS

_MOST_CANDIDATES = 3
_SHORT = 500
"""Characters of the user's latest words that are understood at once, in some milliseconds."""
_LAST_SENTENCE = re.compile(r"[^.!?\n]{1,80}[.!?]*$")
"""By which a question is known again."""
_LAST_TWO = re.compile(r"[^.!?\n]{1,160}[.!?]+\s+[^.!?\n]{1,80}[.!?]*$")
_SHORT_SAID = 16
"""Characters of a sentence with which other questions end too: "Is that right?" is known by what stands before it."""
_PIECE = re.compile(r"\S+\s*")


class OfflineModel:
    """Deterministic, without key, network or state of its own; what it remembers stands in the planner state."""

    def __init__(self, today: Callable[[], date] = date.today, meanings: ToolMeanings | None = None) -> None:
        """`today` says which day words like "tomorrow" count from; `meanings` tell functions apart by more than words,
        where an encoder is installed."""
        self._today = today
        self._meanings = meanings
        self._indexes = IndexCache()
        self._turns = PlainTurns()

    @property
    def name(self) -> str:
        """Always `offline`."""
        return "offline"

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The next step of the playbook; never raises `ModelError`."""
        plain = self._turns.plain(turn)
        situation = Situation(plain, await self._index(plain), self._today())
        if self._meanings is not None and _is_open(situation):
            tools, language = situation.index.learned_tools, situation.words.reading.language
            latest, earlier = situation.utterance.text, [turn.text for turn in turns_since_call(situation.entries)[:-1]]
            meanings = await self._meanings.of([latest, *earlier], tools, language)
            situation = replace(situation, meanings=meanings.get(latest), earlier_meanings=meanings)
        if len(situation.text) <= _SHORT:
            return self._reply(situation, turn)
        return await LONG_TEXTS.run(partial(self._reply, situation, turn))

    def _reply(self, situation: Situation, turn: ModelTurn) -> ModelReply:
        decision = plan(situation)
        calls = tuple(
            RequestedCall(f"call_{number}", name, given_arguments(turn, name, arguments))
            for number, (name, arguments) in enumerate(decision.calls, start=1)
        )
        return ModelReply(
            text=decision.text,
            calls=calls,
            model=self.name,
            finish_reason="tool_calls" if calls else "stop",
            planner_state=_asking(decision).to_json(),
            evidence=_evidence(situation, decision),
        )

    async def _index(self, turn: ModelTurn) -> PlaybookIndex:
        """What is known of the turn's playbook; where there is much to learn, learned beside the event loop."""
        known = self._indexes.known(turn)
        if known is not None:
            return known
        build = partial(build_index, turn)
        return self._indexes.keep(turn, await LARGE_AGENTS.run(build) if has_much(turn) else build())

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The decision word by word, then whole."""
        reply = await self.decide(turn)
        for piece in _PIECE.findall(reply.text):
            yield TextDelta(piece)
        yield reply

    async def aclose(self) -> None:
        """Let go of the encoder's processes."""
        if self._meanings is not None:
            await self._meanings.aclose()


def _asking(decision: PlannerDecision) -> PlannerState:
    """What is remembered, and with it how the words ended that ask what waits for an answer."""
    text = decision.text.strip()
    pending, ending = decision.state.pending, _LAST_SENTENCE.search(text)
    if pending is None or ending is None:
        return decision.state
    said = ending.group().strip()
    before = _LAST_TWO.search(text) if len(said) <= _SHORT_SAID else None
    return decision.state.waiting_for(replace(pending, said=before.group().strip() if before else said))


def _is_open(situation: Situation) -> bool:
    """Whether the words may ask for one of several functions that no example tells apart."""
    index = situation.index
    is_request = bool(situation.text) and not situation.results and situation.state.pending is None
    return is_request and not index.is_taught and len(index.learned_tools) > 1


def _evidence(situation: Situation, decision: PlannerDecision) -> JsonObject:
    """Which rule decided, what it went by, and which functions were looked at."""
    evidence: JsonObject = {"rule": decision.rule, **decision.evidence}
    if situation.results or not situation.text:
        return evidence
    candidates = [candidate.evidence() for candidate in situation.candidates[:_MOST_CANDIDATES]]
    return {**evidence, "candidates": candidates, "threshold": round(situation.threshold, 3)}
