"""Handing a call to the client that the server would make otherwise."""

from openplaybook.credentials.errors import CredentialError
from openplaybook.tools.base import Action, Call, Failure, Place
from openplaybook.turns.sealing import ParameterSeals
from openplaybook.turns.state import CallKind, PendingCall
from openplaybook.turns.tool_contexts import tool_context
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
        given = turn.snapshot.tools[call.tool].client_arguments
        try:
            arguments = await given(Call(call.id, action, call.arguments), tool_context(turn, call, self._seals, 0))
        except CredentialError as error:
            return error.code, str(error)
        if isinstance(arguments, Failure):
            return arguments.code, arguments.message
        call.kind = CallKind.CLIENT
        call.given = None if arguments == call.arguments else arguments
        return None


def is_clients(turn: Turn, action: Action) -> bool:
    """Whether clients alone can make an action's calls: in turns that use fakes, those that have one are made here."""
    return action.place is Place.CLIENT and not (turn.state.use_fakes and action.has_fake)


def _makes_all(turn: Turn) -> bool:
    """Whether clients make all tool calls: as the turn's requests say, else as the agent does."""
    asked = turn.state.client_execution
    return turn.snapshot.client_execution.always if asked is None else asked
