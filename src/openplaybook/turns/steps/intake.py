"""The beginning of a turn, checked against what the session waits for; and turns that cannot go on: those whose fault
shows while they run, and those whose process died.

What a turn did stays in its session, so that the next one's model sees it; a turn that did nothing leaves no trace.
"""

from collections.abc import Sequence
from dataclasses import replace

from openplaybook.resources.names import APPS
from openplaybook.storage.base import TurnState
from openplaybook.tools.session_files import SessionFiles
from openplaybook.turns.agent.snapshot import AgentSnapshot
from openplaybook.turns.base import NoInput, TextInput, TurnRequest
from openplaybook.turns.errors import (
    AgentNotReady,
    NoSuchPlaybook,
    RequestKeyReused,
    SessionEnded,
    SessionTooLarge,
    SessionWaiting,
)
from openplaybook.turns.journal.events import (
    EngineSpoke,
    Event,
    HistoryRestored,
    PlaybookEntered,
    TurnBegun,
    TurnStopped,
    UserHeard,
)
from openplaybook.turns.journal.journal_messages import history_digest, paired, results_of
from openplaybook.turns.journal.session_state import SessionState
from openplaybook.turns.session.seals import ParameterSeals, SealedParameters
from openplaybook.turns.steps.call_outcomes import leave_answering, settle_abandoned
from openplaybook.turns.steps.client_calls import check_result, give_up, is_over, matched, take_result, waiting_message
from openplaybook.turns.steps.session_parameters import MAX_PARAMETER_BYTES, are_too_large, declare, notice_undeclared
from openplaybook.turns.steps.step_contexts import settings_json
from openplaybook.turns.turn import Turn


def check_repeat(request: TurnRequest, begin: TurnBegun) -> None:
    """Refuse a request that repeats the key, but not the input, of the one that `begin` is of: `RequestKeyReused`."""
    if request.input != begin.input:
        raise RequestKeyReused("An earlier request of this session had the same key but another input.")


def begin_event(
    request: TurnRequest, snapshot: str, parameters: SealedParameters, default_language: str = ""
) -> TurnBegun:
    """The first event of a turn: the request itself, so that the turn can be recovered from it.

    `parameters` are the request's, with what is secret sealed; `default_language` is for a request that names none.
    """
    return TurnBegun(
        snapshot=snapshot,
        input=request.input,
        language_code=request.language_code or default_language,
        parameters=parameters.values,
        sealed=frozenset(parameters.sealed),
        payload=dict(request.payload),
        metadata=dict(request.end_user_metadata),
        playbook=request.current_playbook or "",
        settings=settings_json(request.settings),
        client_execution=request.client_execution,
        removed=tuple(sorted(request.removed)),
        search_config=request.search_config,
        entry_playbook=request.entry_playbook or "",
        version=request.version or "",
        use_fakes=request.use_tool_fakes,
        history=history_digest(request.history),
    )


async def check(state: SessionState, request: TurnRequest, snapshot: AgentSnapshot, at: int) -> None:
    """Refuse a request that this session cannot take at the time `at`; the session stays as it is.

    Raises `AgentNotReady`, `NoSuchPlaybook`, `ResultNotExpected`, `ResultMismatch`, `ResultRefused`, `SessionEnded`,
    `SessionWaiting`, `SessionTooLarge`.
    """
    is_set_aside = bool(request.current_playbook or request.history)
    if state.ended and snapshot.ends_for_good and not is_set_aside:
        raise SessionEnded(f"Session {request.session.rsplit('/', 1)[-1]} has ended and accepts no more input.")
    begins_anew = is_set_aside or state.ended
    parameters = {} if begins_anew else state.parameters
    if request.parameters and are_too_large(parameters, request.parameters):
        raise SessionTooLarge(f"The session's parameters would be larger than {MAX_PARAMETER_BYTES} bytes as JSON.")
    waiting = [] if begins_anew else state.open_client_calls()
    if results := results_of(request.input):
        if state.interrupted != request.input:
            for call, result in matched(waiting, results):
                await check_result(state, call, result, snapshot, at)
    elif waiting and snapshot.refuses_paused_input and not (isinstance(request.input, NoInput) or is_over(state, at)):
        raise SessionWaiting(waiting_message(waiting[0]))
    _check_beginning(request, snapshot, enters=begins_anew or not state.frames)


def _check_beginning(request: TurnRequest, snapshot: AgentSnapshot, *, enters: bool) -> None:
    """Refuse a playbook to begin with that does not exist; `enters`: the request enters a first one."""
    current = request.current_playbook
    if current and current not in snapshot.playbooks:
        raise NoSuchPlaybook(f"currentPlaybook {current} is not a playbook of {request.agent}.")
    if not enters or current:
        return
    if request.entry_playbook and request.entry_playbook not in snapshot.playbooks:
        raise NoSuchPlaybook(f"The entry agent {request.entry_playbook} does not exist.")
    if not request.entry_playbook and snapshot.start_playbook not in snapshot.playbooks:
        raise AgentNotReady(_nothing_to_begin_with(request.agent))


def _nothing_to_begin_with(agent: str) -> str:
    if APPS.fits(agent):
        return f"App {agent} has no root agent: set root_agent to one of its agents."
    return f"Agent {agent} has no start playbook: set startPlaybook to one of its playbooks."


async def keep_files(turn: Turn) -> None:
    """Keep the files that the request brings; its payload names them by their handles."""
    files = SessionFiles(turn.store, turn.request.session)
    for file in turn.request.files:
        await files.put(file.name, file.media_type, file.data)


async def open_turn(turn: Turn, seals: ParameterSeals) -> None:
    """Bring the request's input into the session. To be called once the `begin` event is folded."""
    turn_input = turn.request.input
    if not turn.state.frames:
        declare(turn, seals)
        _enter_first(turn)
    notice_undeclared(turn)
    if turn.state.interrupted is not None and turn.state.interrupted == turn_input:
        return  # The caller repeats what was cut short: what was heard and done stands, the model goes on.
    if isinstance(turn_input, NoInput):
        turn.emit(EngineSpoke(frame=turn.state.top.id, text="", code="NO_INPUT"))
        return
    if results := results_of(turn_input):
        for call, result in matched(turn.state.open_client_calls(), results):
            await take_result(turn, call, result)
        return
    give_up(turn, turn.begin.at)
    # What the user says now is for the playbook that talks with the user.
    leave_answering(turn, "CANCELLED", "Cancelled: the user went on before there was a result.")
    if isinstance(turn_input, TextInput):
        turn.emit(UserHeard(frame=turn.state.top.id, text=turn_input.text))


def _enter_first(turn: Turn) -> None:
    request = turn.request
    name = request.current_playbook or request.entry_playbook or turn.snapshot.start_playbook
    definitions = turn.snapshot.playbooks[name].playbook.input_parameters
    parameters = turn.visible_parameters()
    # Parameters of the session reach the first playbook by name.
    inputs = {each.name: parameters[each.name] for each in definitions if each.name in parameters}
    turn.emit(PlaybookEntered(frame=turn.state.frames_made + 1, playbook=name, call="", inputs=inputs, text=""))
    if request.history:
        turn.emit(HistoryRestored(frame=turn.state.top.id, entries=tuple(paired(request.history))))


ORPHANED = "ORPHANED"
"""Code of a turn whose process died and whose request never came again."""


async def abandon(turn: Turn, code: str, message: str) -> None:
    """End a turn that cannot go on: without a trace in the session, unless it has acted already."""
    if not turn.effort.acted:
        await turn.store.finish_turn(turn.lease, state=TurnState.FAILED, steps=turn.uncommitted())
        return
    settle_abandoned(turn)
    turn.emit(TurnStopped(frame=turn.state.top.id, input=turn.begin.input, code=code, message=message))
    await turn.store.finish_turn(
        turn.lease, state=TurnState.STOPPED, steps=turn.uncommitted(), session_state=turn.state.dump()
    )


async def end_orphan(turn: Turn, recorded: Sequence[Event], seals: ParameterSeals) -> None:
    """End the turn of a request that never came again, for good. `turn` holds nothing of `recorded` yet."""
    turn.replay(recorded)
    if len(recorded) == 1 and results_of(turn.request.input):
        await open_turn(turn, seals)  # A result that arrived is not asked for twice.
    await abandon(turn, ORPHANED, "The server stopped, and the request was not retried.")


def dead_request(request: TurnRequest, begin: TurnBegun) -> TurnRequest:
    """The request of a dead turn, from its first event, as far as ending it needs; `request` found it."""
    return replace(
        request,
        input=begin.input,
        current_playbook=begin.playbook or None,
        parameters={},
        entry_playbook=None,
        history=(),
    )
