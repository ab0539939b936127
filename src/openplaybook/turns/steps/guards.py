"""Guardrails in a turn: what the user says is judged before the first decision, what the model says before anybody is
told.

As CX Agent Studio describes `Guardrail.action`: what was banned is not answered; the guardrail answers in its place,
or another agent does. The first guardrail that fires decides.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from openplaybook.resources.guardrails import (
    REFUSAL,
    GenerativeAnswer,
    Guardrail,
    GuardrailVerdict,
    GuardStage,
    RespondImmediately,
    TransferAgent,
)
from openplaybook.turns.base import TextInput
from openplaybook.turns.journal.events import GuardrailFired, NoticeGiven
from openplaybook.turns.steps.call_outcomes import answer_caller, speak
from openplaybook.turns.steps.handlers import move_to, moves_made
from openplaybook.turns.steps.model_calls import ModelCaller, record_reply, record_withheld
from openplaybook.turns.steps.session_parameters import filled_text
from openplaybook.turns.steps.step_contexts import model_turn, view_of
from openplaybook.turns.turn import Turn, TurnLimits

CODE = "GUARDRAIL"


async def fired_on_input(turn: Turn) -> Guardrail | None:
    """The guardrail that fires on the user's words, once a turn; None where none does."""
    turn_input = turn.request.input
    judged = any(isinstance(event, GuardrailFired) for event in turn.events)
    if not isinstance(turn_input, TextInput) or turn.effort.decisions or judged:
        return None
    return await _fired(turn, lambda guardrail: guardrail.judge_input(turn_input.text))


async def fired_on_response(turn: Turn, text: str) -> Guardrail | None:
    """The guardrail that fires on the model's words; None where none does."""
    return await _fired(turn, lambda guardrail: guardrail.judge_response(text)) if text else None


def may_speak_freely(turn: Turn) -> bool:
    """Whether the deciding playbook's words may be told while they come."""
    return not turn.state.top.answers and not view_of(turn).playbook.guardrails


class Guards:
    """Does what guardrails that fired ask for."""

    def __init__(self, model_caller: ModelCaller, limits: TurnLimits) -> None:
        self._model_caller = model_caller
        self._limits = limits

    async def stop(self, turn: Turn, guardrail: Guardrail, stage: GuardStage) -> None:
        """Answer in the place of what was banned. Raises `ModelFailed`, `TurnTimedOut`."""
        match guardrail.action:
            case RespondImmediately(responses):
                _note(turn, guardrail, stage)
                _say(turn, responses)
            case TransferAgent(agent):
                # Asked for first: afterwards no model is shown these words, but for the one that has to answer them.
                text = turn.transcript.last_user_text(turn.state.top.id)
                _note(turn, guardrail, stage)
                self._transfer(turn, guardrail, agent, text)
            case GenerativeAnswer(prompt):
                await self._generate(turn, guardrail, prompt, stage)

    def _transfer(self, turn: Turn, guardrail: Guardrail, agent: str, text: str) -> None:
        if agent in turn.snapshot.playbooks and moves_made(turn) < self._limits.depth:
            move_to(turn, agent, {}, text=text)
            return
        reason = "too many agents took over in one turn" if agent in turn.snapshot.playbooks else "it does not exist"
        message = f"Guardrail {guardrail.display_name} cannot hand over to {agent.rsplit('/', 1)[-1]}: {reason}."
        turn.emit(NoticeGiven(frame=turn.state.top.id, code="GUARDRAIL_TRANSFER", message=message))
        _say(turn, ())

    async def _generate(self, turn: Turn, guardrail: Guardrail, prompt: str, stage: GuardStage) -> None:
        asked_for = model_turn(turn, min(turn.remaining_s(), self._limits.model_s))
        request = replace(
            asked_for,
            goal=filled_text(turn, prompt),
            declarations=(),
            instructions=(),
            examples=(),
            planner_state={},
        )
        answer = await self._model_caller.ask(turn, request, aloud=False)
        _note(turn, guardrail, stage)
        text = answer.reply.text
        banned = await fired_on_response(turn, text)
        if banned is not None or not text:
            record_withheld(turn, answer)
            if banned is not None:
                _note(turn, banned, GuardStage.RESPONSE)
            _say(turn, ())
            return
        answer = replace(answer, reply=replace(answer.reply, planner_state=None))
        record_reply(turn, answer)
        if turn.state.top.answers:
            answer_caller(turn, text)


async def _fired(turn: Turn, judge: Callable[[Guardrail], Awaitable[GuardrailVerdict]]) -> Guardrail | None:
    """The first guardrail that lets words not pass; one that takes too long to judge them lets nothing pass."""
    for each in view_of(turn).playbook.guardrails:
        verdict = await judge(each)
        # However many there are, others get their turn between two.
        await asyncio.sleep(0)
        if verdict is GuardrailVerdict.NOT_JUDGED:
            message = f"Guardrail {each.display_name} took too long to check this text, so it counts as banned."
            turn.emit(NoticeGiven(frame=turn.state.top.id, code="GUARDRAIL_NOT_JUDGED", message=message))
        if verdict is not GuardrailVerdict.FREE:
            return each
    return None


def _note(turn: Turn, guardrail: Guardrail, stage: GuardStage) -> None:
    fired = GuardrailFired(
        frame=turn.state.top.id, stage=stage, guardrail=guardrail.name, display_name=guardrail.display_name
    )
    turn.emit(fired)


def _say(turn: Turn, responses: Sequence[str]) -> None:
    text = responses[0] if responses else REFUSAL
    speak(turn, text, CODE)
