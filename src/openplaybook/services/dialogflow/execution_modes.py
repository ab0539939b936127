"""Who makes the tool calls of a turn, as its request says: by field, by header, or by session parameter."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.turns.agent.snapshot import ALWAYS_CLIENT, AS_KINDS_SAY
from openplaybook.wire.api import Api
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import RpcContext

FIELD = "query_params.playbook_state_override.playbook_execution_mode"
"""The documented field, which the types of Google's clients lack."""

HEADER = "x-playbook-execution-mode"
"""HTTP header, or key of gRPC metadata."""

PARAMETER = "playbook-execution-mode"
"""Session parameter: an instruction to the server, so that neither session, model nor tool ever has it."""

_MODES = {ALWAYS_CLIENT: True, AS_KINDS_SAY: False}
_UNSPECIFIED = "PLAYBOOK_EXECUTION_MODE_UNSPECIFIED"


def take_execution_mode(api: Api, query_params: ApiMessage, parameters: JsonObject, context: RpcContext) -> bool | None:
    """Whether clients make every tool call; None when the request does not say. The field goes before the header,
    the header before the session parameter.

    Takes the session parameter out of `parameters`. Raises `RpcError` for a value that is none.
    """
    override = api.codec.to_json(query_params.playbook_state_override)
    given: tuple[tuple[str, JsonValue], ...] = (
        (FIELD, override.get("playbookExecutionMode")),
        (f"The header {HEADER}", context.metadata.get(HEADER)),
        (f"query_params.parameters.{PARAMETER}", parameters.pop(PARAMETER, None)),
    )
    asked = [_mode(where, value) for where, value in given if value not in (None, _UNSPECIFIED)]
    return asked[0] if asked else None


def _mode(where: str, value: JsonValue) -> bool:
    if not isinstance(value, str) or value not in _MODES:
        raise RpcError(Code.INVALID_ARGUMENT, f"{where} is {value!r:.100}; allowed are {' and '.join(_MODES)}.")
    return _MODES[value]
