"""What a tool may know of the turn that calls it."""

from openplaybook.tools.base import ToolContext
from openplaybook.tools.files import SessionFiles
from openplaybook.turns.sealing import ParameterSeals
from openplaybook.turns.state import PendingCall
from openplaybook.turns.turn import Turn


def tool_context(turn: Turn, call: PendingCall, seals: ParameterSeals, timeout_s: float) -> ToolContext:
    """The context of one call, with nothing sealed. Raises `CredentialError`."""
    parameters = seals.open(turn.state, turn.request.session)
    return ToolContext(
        session_id=turn.request.session.rsplit("/", 1)[-1],
        parameters=parameters.values,
        secrets=parameters.secrets,
        secret_parameters=turn.state.sealed,
        payload=turn.state.payload,
        end_user_metadata=turn.state.metadata,
        timeout_s=timeout_s,
        idempotency_key=f"{turn.lease.turn_id}:{call.id}",
        files=SessionFiles(turn.store, turn.request.session),
    )
