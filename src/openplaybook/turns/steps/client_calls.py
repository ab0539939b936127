"""Calls that the client makes: handed to it, waited for, and their results taken one by one."""

from collections.abc import Sequence

from openplaybook.credentials.errors import CredentialError
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.digits import has_digits
from openplaybook.tools.base import Action, Call, ExecutionPlace, Failure
from openplaybook.tools.client_results import with_result_numbers
from openplaybook.turns.agent.snapshot import AgentSnapshot
from openplaybook.turns.base import NoInput, ToolResultInput
from openplaybook.turns.errors import ResultMismatch, ResultNotExpected, ResultRefused
from openplaybook.turns.journal.events import NoticeGiven, WaitLimited, now_us
from openplaybook.turns.journal.session_state import CallKind, PendingCall, SessionState
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.steps.call_outcomes import settle
from openplaybook.turns.steps.step_contexts import tool_context
from openplaybook.turns.turn import Turn


class ClientCalls:
    """Turns calls of the server into calls of the client, where the session or the agent asks for that."""

    def __init__(self, seals: ParameterSeals) -> None:
        self._seals = seals

    async def take_over(self, turn: Turn, call: PendingCall, action: Action | None) -> tuple[str, str] | None:
        """Make a tool call the client's, if it is to be; why it is not taken, as (code, message), where that is so.

        The arguments are checked first, as the server would: no client is asked for a call that cannot be made.
        """
        if call.kind is not CallKind.TOOL or action is None or not _makes_all(turn):
            return None
        client_arguments = turn.snapshot.tools[call.tool].client_arguments
        try:
            arguments = await client_arguments(
                Call(call.id, action, call.arguments), tool_context(turn, call, self._seals, 0)
            )
        except CredentialError as error:
            return error.code, str(error)
        if isinstance(arguments, Failure):
            return arguments.code, arguments.message
        call.kind = CallKind.CLIENT
        call.given = None if arguments == call.arguments else arguments
        return None


def is_clients(turn: Turn, action: Action) -> bool:
    """Whether clients alone can make an action's calls: in turns that use fakes, those that have one are made here."""
    return action.place is ExecutionPlace.CLIENT and not (turn.state.use_fakes and action.has_fake)


def _makes_all(turn: Turn) -> bool:
    """Whether clients make all tool calls: as the turn's requests say, else as the agent does."""
    execution = turn.state.client_execution
    return turn.snapshot.client_execution.always if execution is None else execution


_CANCELLED = ("CANCELLED", "Cancelled: the user went on before there was a result.")
_TIMED_OUT = ("TIMED_OUT", "Timed out: the client gave no result in time.")


async def check_result(
    state: SessionState, call: PendingCall, result: ToolResultInput, snapshot: AgentSnapshot, at: int
) -> None:
    """Refuse a result of an open call that the session does not take at the time `at`.

    Raises `ResultNotExpected`, `ResultRefused`.
    """
    if is_over(state, at):
        raise ResultNotExpected(
            f"Session is not waiting for a tool call result of tool, {_short(call.tool)}, and action, {call.action}, "
            "any more: the time for it is over."
        )
    if snapshot.client_execution.strict and (problems := await _problems(state, call, result, snapshot)):
        raise ResultRefused(
            f"The result of tool, {_short(call.tool)}, and action, {call.action}, does not fit its output schema: "
            f"{'; '.join(problems)}"
        )


async def take_result(turn: Turn, call: PendingCall, result: ToolResultInput) -> None:
    """Settle an open call with its result."""
    if result.error is not None:
        settle(turn, call, error=("CLIENT_ERROR", result.error))
        return
    for problem in await _problems(turn.state, call, result, turn.snapshot):
        turn.emit(NoticeGiven(frame=turn.state.top.id, code="RESULT_SCHEMA", message=problem))
    settle(turn, call, output=_output(turn.state, call, result, turn.snapshot))


def give_up(turn: Turn, at: int) -> None:
    """Settle what the session waits for, since the user went on at the time `at`."""
    error = _TIMED_OUT if is_over(turn.state, at) else _CANCELLED
    for call in turn.state.open_client_calls():
        settle(turn, call, error=error)


def pause(turn: Turn) -> None:
    """Set the time until which the session waits, when the turn ends with open calls and the agent limits the wait."""
    limit = turn.snapshot.client_execution.timeout_us
    if isinstance(turn.request.input, NoInput):
        return  # A client that answers nothing gets no more time.
    if limit is not None and turn.state.open_client_calls():
        turn.emit(WaitLimited(until=now_us() + limit))


def is_over(state: SessionState, at: int) -> bool:
    """Whether the session waits no longer at a time, in microseconds since the epoch."""
    return state.waits_until is not None and at >= state.waits_until


def matched(
    waiting: Sequence[PendingCall], results: Sequence[ToolResultInput]
) -> list[tuple[PendingCall, ToolResultInput]]:
    """Each of a request's results with the open call that it belongs to. Raises as `find_call`."""
    left, pairs = list(waiting), list[tuple[PendingCall, ToolResultInput]]()
    for result in results:
        if result.call_id and any(call.id == result.call_id for call, _ in pairs):
            raise ResultMismatch(f"The result of call, {result.call_id}, is given twice.")
        _refuse_unexpected(waiting, result)
        call = find_call(left, result)
        left.remove(call)
        pairs.append((call, result))
    return pairs


def find_call(waiting: Sequence[PendingCall], result: ToolResultInput) -> PendingCall:
    """The open call that a result belongs to: by our id when it is repeated, else the oldest of that tool and action.

    Raises `ResultNotExpected` when that call is not open, `ResultMismatch` when something else is.
    """
    _refuse_unexpected(waiting, result)
    named = [call for call in waiting if result.call_id in ("", call.id)]
    for call in named:
        if _fits(call.tool, result.tool, result) and _fits(call.action, result.action, result):
            return call
    raise ResultMismatch(waiting_message(named[0]))


def _refuse_unexpected(waiting: Sequence[PendingCall], result: ToolResultInput) -> None:
    is_known_by_id_alone = bool(result.call_id) and not result.action
    if not waiting and not is_known_by_id_alone:
        raise ResultNotExpected(
            f"Session is not waiting for a tool call result of tool, {_short(result.tool)}, "
            f"and action, {result.action}."
        )
    if result.call_id and all(call.id != result.call_id for call in waiting):
        raise ResultNotExpected(
            f"Session is not waiting for the result of call, {result.call_id}; "
            f"open calls: {', '.join(call.id for call in waiting) or 'none'}."
        )


def waiting_message(call: PendingCall) -> str:
    """Google's words for a session that waits for a client."""
    return f"Session is waiting for tool call result of tool, {_short(call.tool)}, and action, {call.action}."


async def _problems(
    state: SessionState, call: PendingCall, result: ToolResultInput, snapshot: AgentSnapshot
) -> Sequence[str]:
    """What is wrong with a result against the output schema of its action, where that is still known."""
    action = snapshot.action_of(state.top.playbook, call.name)
    tool = snapshot.tools.get(call.tool)
    if result.error is not None or action is None or tool is None:
        return ()
    return await tool.check_result(action, _output(state, call, result, snapshot))


def _output(state: SessionState, call: PendingCall, result: ToolResultInput, snapshot: AgentSnapshot) -> JsonObject:
    """What a client answered, texts of digits read as the numbers that the action is declared to give."""
    output: JsonObject = result.output or {}
    if not has_digits(output):
        return output
    action = snapshot.action_of(state.top.playbook, call.name)
    return output if action is None else with_result_numbers(action.output_schema, output)


def _fits(wanted: str, named: str, result: ToolResultInput) -> bool:
    # What has an id need not say again what it is of.
    return named == wanted or (not named and bool(result.call_id))


def _short(tool: str) -> str:
    return tool.rsplit("/", 1)[-1]
