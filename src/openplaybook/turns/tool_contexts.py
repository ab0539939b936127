"""What a tool may know of the turn that calls it."""

from collections.abc import Sequence

from openplaybook.models.base import FunctionCall, FunctionResult
from openplaybook.tools.base import Earlier, ToolContext
from openplaybook.tools.files import SessionFiles
from openplaybook.turns.prompting import view_of
from openplaybook.turns.sealing import ParameterSeals
from openplaybook.turns.state import PendingCall
from openplaybook.turns.turn import Turn


def tool_context(turn: Turn, call: PendingCall, seals: ParameterSeals, timeout_s: float) -> ToolContext:
    """The context of one call, with nothing sealed. Raises `CredentialError`."""
    parameters = seals.open(turn.state, turn.request.session)
    return ToolContext(
        session_id=turn.request.session.rsplit("/", 1)[-1],
        session=turn.request.session,
        parameters=parameters.values,
        secrets=parameters.secrets,
        secret_parameters=turn.state.sealed,
        payload=turn.state.payload,
        end_user_metadata=turn.state.metadata,
        timeout_s=timeout_s,
        idempotency_key=f"{turn.lease.turn_id}:{call.id}",
        earlier=lambda: earlier_calls(turn),
        files=SessionFiles(turn.store, turn.request.session),
        call_id=call.id,
        turn_id=turn.lease.turn_id,
        playbook=turn.snapshot.display_name(turn.state.top.playbook),
        user_text=turn.transcript.last_user_text(turn.state.top.id),
        use_fakes=turn.state.use_fakes,
    )


def earlier_calls(turn: Turn) -> Sequence[Earlier]:
    """The tool calls that the deciding playbook knows to be settled, oldest first."""
    actions = view_of(turn).actions
    asked: dict[str, FunctionCall] = {}
    found: list[Earlier] = []
    for entry in turn.transcript.conversation(turn.state.top.id):
        if isinstance(entry, FunctionCall):
            asked[entry.id] = entry
        elif isinstance(entry, FunctionResult) and entry.id in asked:
            call = asked[entry.id]
            action = actions.get(call.name)
            if action is not None:
                found.append(
                    Earlier(action.tool_display_name, action.action, call.arguments, entry.output, entry.is_error)
                )
    return found
