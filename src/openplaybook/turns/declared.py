"""Session parameters that an agent declares: their values in the beginning, and those that nobody declared."""

from collections.abc import Mapping, Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.turns import events
from openplaybook.turns.sealing import ParameterSeals
from openplaybook.turns.snapshot import AgentSnapshot
from openplaybook.turns.turn import Turn

_NOT_DECLARED = "PARAMETER_NOT_DECLARED"
_MOST_NAMED = 10


def declared_only(parameters: Mapping[str, JsonValue], snapshot: AgentSnapshot) -> JsonObject:
    """Those of the parameters that may be set in a session of the agent."""
    declared = snapshot.variables
    return {name: value for name, value in parameters.items() if declared is None or name in declared}


def declare(turn: Turn, seals: ParameterSeals) -> None:
    """Give the declared parameters of a session that begins their values, where its request gives none."""
    declared = turn.snapshot.variables or {}
    values = {name: each for name, each in declared.items() if each is not None and name not in turn.state.parameters}
    if values:
        sealed = seals.seal(values, turn.snapshot.secret_parameters, turn.request.session)
        turn.emit(events.DECLARED, parameters=sealed.values, sealed=list(sealed.sealed))


def notice_undeclared(turn: Turn) -> None:
    """Tell which parameters of the request were left out."""
    kept = turn.events[0].data["parameters"]
    tell_undeclared(turn, [name for name in turn.request.parameters if name not in kept])


def tell_undeclared(turn: Turn, names: Sequence[str]) -> None:
    """Tell which parameters are not set, as the agent does not declare them."""
    if names:
        told = ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
        message = f"Not set, as the agent declares no such variable: {told}."
        turn.emit(events.NOTICE, frame=turn.state.top.id, code=_NOT_DECLARED, message=message)
