"""Setting session parameters while a turn runs: what handlers and tools ask for, as it is recorded."""

from collections.abc import Mapping
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.tools.base import Failure, Outcome, Success
from openplaybook.turns.declared import declared_only, tell_undeclared
from openplaybook.turns.sealing import NOTHING_SET, ParameterSeals, SealedParameters
from openplaybook.turns.turn import Turn

MAX_PARAMETER_BYTES = 1_000_000
"""JSON of the session's parameters, which are stored with every turn."""

TOO_LARGE = "PARAMETERS_TOO_LARGE"
"""Code of a call that was made and would have set more than a session keeps."""


def are_too_large(kept: Mapping[str, JsonValue], added: Mapping[str, JsonValue]) -> bool:
    """Whether a session would keep too much with what is added."""
    return len(dumps({**kept, **added})) > MAX_PARAMETER_BYTES


def seal_set(turn: Turn, seals: ParameterSeals, parameters: JsonObject) -> SealedParameters:
    """Parameters to set, secret ones sealed; null takes one away and needs no seal."""
    secret = {*turn.snapshot.secret_parameters, *turn.state.sealed}
    given = {name for name in secret if parameters.get(name) is not None}
    return seals.seal(parameters, given, turn.request.session)


def set_by_tool(turn: Turn, seals: ParameterSeals, outcome: Outcome) -> tuple[Outcome, SealedParameters]:
    """What a call came to, and the session parameters that it sets.

    A call that sets too much fails, although it was made: the model is told, and nothing is set.
    """
    if not isinstance(outcome, Success) or not outcome.parameters:
        return outcome, NOTHING_SET
    parameters = declared_only(outcome.parameters, turn.snapshot)
    tell_undeclared(turn, [name for name in outcome.parameters if name not in parameters])
    if are_too_large(turn.state.parameters, parameters):
        message = (
            f"The call was made, but no session parameter is set: they would be larger than {MAX_PARAMETER_BYTES} bytes"
        )
        return Failure(TOO_LARGE, message, as_object(outcome.output) or None), NOTHING_SET
    return replace(outcome, parameters={}), seal_set(turn, seals, parameters)
