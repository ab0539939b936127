"""Running the handlers of a playbook.

When they are looked at, and what follows, is as Dialogflow documents it for conditional actions and for their twins in
code blocks (reference/code-block-system-library): at the beginning of a playbook and before a decision, whatever is
said to the user takes the place of the model's decision and the turn is over; before an action, words come first and
the action is made all the same.
"""

from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.conditions.errors import CannotEvaluate
from openplaybook.resources.fulfillments import SPOKEN
from openplaybook.resources.playbook_handlers import Handler, HandlerStage
from openplaybook.turns.base import EventInput
from openplaybook.turns.journal.events import (
    ConversationEnded,
    EngineSpoke,
    HandlerFired,
    NoticeGiven,
    PlaybookReplaced,
)
from openplaybook.turns.journal.journal_messages import text_of
from openplaybook.turns.journal.session_state import CallKind, PendingCall
from openplaybook.turns.session.seals import NOTHING_SET, ParameterSeals, SealedParameters
from openplaybook.turns.steps.call_outcomes import answer_caller
from openplaybook.turns.steps.fulfillments import Fulfilled, environment_of, fulfilled, guard_holds
from openplaybook.turns.steps.session_parameters import MAX_PARAMETER_BYTES, are_too_large, seal_set
from openplaybook.turns.steps.step_contexts import view_of
from openplaybook.turns.turn import Turn, TurnLimits

_ACTIONS = (CallKind.TOOL, CallKind.CLIENT, CallKind.PLAYBOOK, CallKind.TRANSITION)


class Handlers:
    """Runs handlers and records what they did; a turn that is told again from its journal does not run them again."""

    def __init__(self, limits: TurnLimits, seals: ParameterSeals) -> None:
        self._limits = limits
        self._seals = seals

    def before_decision(self, turn: Turn) -> bool:
        """Run those that come before the model decides; whether the model is not to be asked now."""
        frame = turn.state.top.id
        _notice_code(turn)
        for stage in _stages(turn):
            self._run(turn, stage)
            if turn.state.answered or turn.state.top.id != frame:
                return True
            if stage is HandlerStage.EVENT:
                # A model answers words; an event that no handler speaks to is passed over in silence.
                turn.emit(EngineSpoke(frame=frame, text="", code="EVENT"))
                return True
        return False

    def before_calls(self, turn: Turn, calls: list[PendingCall]) -> bool:
        """Run those that come before each call of a reply; whether the calls are not to be made."""
        frame = turn.state.top.id
        for call in calls:
            if call.kind in _ACTIONS:
                self._run(turn, HandlerStage.EXECUTION, call)
                if turn.state.ended or turn.state.top.id != frame:
                    _notice(
                        turn,
                        "CALLS_DROPPED",
                        "A handler took the conversation elsewhere, so the tool calls of the reply are not made.",
                    )
                    return True
        return False

    def _run(self, turn: Turn, stage: HandlerStage, call: PendingCall | None = None) -> None:
        frame = turn.state.top.id
        for handler in view_of(turn).playbook.handlers:
            is_due = handler.stage is stage and handler.event == (_event(turn) if stage is HandlerStage.EVENT else "")
            if is_due and _fires(turn, handler, call):
                self._fire(turn, handler, call)
                if turn.state.ended or turn.state.top.id != frame:
                    return

    def _fire(self, turn: Turn, handler: Handler, call: PendingCall | None) -> None:
        environment = environment_of(turn, view_of(turn), call)
        done = fulfilled(handler.fulfillment, environment, {*turn.snapshot.secret_parameters, *turn.state.sealed})
        ends = handler.ends or ("OK" if any("endInteraction" in message for message in done.messages) else "")
        messages = [message for message in done.messages if "endInteraction" not in message]
        sealed = self._sealed(turn, done)
        rests = handler.stage is not HandlerStage.EXECUTION and any(
            kind in each for each in messages for kind in SPOKEN
        )
        texts = [text for message in messages if (text := text_of(message))]
        # What nobody hears is the result of the call, as the model's words would be.
        answers = rests and turn.state.top.answers
        fired = HandlerFired(
            frame=turn.state.top.id,
            stage=handler.stage.value,
            event=handler.event,
            handler=handler.index,
            condition=handler.guard.text,
            call=call.id if call is not None else "",
            messages=() if turn.state.top.answers else tuple(messages),
            parameters=sealed.values,
            sealed=frozenset(sealed.sealed),
            rests=rests and not answers,
        )
        turn.emit(fired)
        for problem in (*done.problems, *(f"{what} is not run" for what in handler.fulfillment.not_run)):
            _notice(turn, "HANDLER", f"Handler {handler.index} of {_display_name(turn)}: {problem}.")
        if answers:
            answer_caller(turn, "\n".join(texts))
        elif ends:
            top = turn.state.top
            turn.emit(ConversationEnded(frame=top.id, playbook=top.playbook, outputs={}, state=ends, summary=""))
        elif handler.target_playbook:
            self._go_to(turn, handler)

    def _sealed(self, turn: Turn, done: Fulfilled) -> SealedParameters:
        """The parameters to set, secret ones sealed; none where the session would keep too much."""
        if are_too_large(turn.state.parameters, done.parameters):
            done.problems.append(f"no parameter is set: they would be larger than {MAX_PARAMETER_BYTES} bytes")
            return NOTHING_SET
        return seal_set(turn, self._seals, done.parameters)

    def _go_to(self, turn: Turn, handler: Handler) -> None:
        name = _resource_name(turn, handler.target_playbook)
        if not name:
            missing = f"there is no playbook {handler.target_playbook}"
            _notice(turn, "HANDLER", f"Handler {handler.index} of {_display_name(turn)}: {missing}.")
        elif moves_made(turn) >= self._limits.depth:
            _notice(turn, "TOO_MANY_TRANSITIONS", f"At most {self._limits.depth} transitions fit into one turn.")
        else:
            move_to(turn, name, {})


def moves_made(turn: Turn) -> int:
    """How often a playbook gave way to another in this turn."""
    return sum(isinstance(event, PlaybookReplaced) for event in turn.events)


def move_to(turn: Turn, playbook: str, inputs: JsonObject, *, text: str | None = None) -> None:
    """Exit the deciding playbook and enter another in its place, which answers `text`: the user's latest words, where
    nothing else is given."""
    left = turn.state.top
    taken = PlaybookReplaced(
        frame=turn.state.frames_made + 1,
        from_=left.id,
        playbook=playbook,
        call=left.call,
        inputs=inputs,
        text=turn.transcript.last_user_text(left.id) if text is None else text,
    )
    turn.emit(taken)


def _stages(turn: Turn) -> Iterator[HandlerStage]:
    """The stages that come before a decision now."""
    if turn.state.top.playbook not in turn.state.started:
        yield HandlerStage.START
    stages = (event.stage for event in turn.events if isinstance(event, HandlerFired))
    yield HandlerStage.EVENT if _event(turn) and HandlerStage.EVENT.value not in stages else HandlerStage.SELECTION


def _event(turn: Turn) -> str:
    """Name of the event that the turn is about; empty where it is about none."""
    turn_input = turn.request.input
    return turn_input.event if isinstance(turn_input, EventInput) else ""


def _resource_name(turn: Turn, playbook: str) -> str:
    """Resource name of a playbook that is given by that or by its display name; empty where there is none."""
    known = turn.snapshot.playbooks
    named = (name for name, view in known.items() if view.playbook.display_name == playbook)
    return playbook if playbook in known else next(named, "")


def _fires(turn: Turn, handler: Handler, call: PendingCall | None) -> bool:
    try:
        return guard_holds(handler.guard, environment_of(turn, view_of(turn), call))
    except CannotEvaluate as error:
        message = f"Handler {handler.index} of {_display_name(turn)} never fires: its condition"
        _notice(turn, "HANDLER_CONDITION", f"{message} {handler.guard.text!r} cannot be evaluated: {error.message}.")
        return False


def _notice_code(turn: Turn) -> None:
    if view_of(turn).playbook.has_code:
        _notice(turn, "CODE_BLOCK_NOT_RUN", f"Playbook {_display_name(turn)} has a code block, which is not run.")


def _notice(turn: Turn, code: str, message: str) -> None:
    """Tell something once a turn."""
    notices = (event for event in turn.events if isinstance(event, NoticeGiven))
    if not any(each.code == code and each.message == message for each in notices):
        turn.emit(NoticeGiven(frame=turn.state.top.id, code=code, message=message))


def _display_name(turn: Turn) -> str:
    return turn.snapshot.display_name(turn.state.top.playbook)
