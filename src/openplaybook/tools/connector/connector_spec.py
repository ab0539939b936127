"""What a connector tool is configured with: a connection, actions, the end user's credential; read from the
`connectorSpec` of Dialogflow CX (v3beta1), and from the `connectorTool` and `connectorToolset` of CX Agent Studio."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.connectors.base import READING, EntityOperation
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.base import Problem

_CONNECTION = re.compile(r"projects/[^/]+/locations/[^/]+/connections/[^/]+")
_FORM = "must have the form projects/P/locations/L/connections/C"
_ONE_OF = "exactly one of connectionActionId and entityOperation is required"
_VARIABLE = re.compile(r"\$context\.variables\.[^\s.]+")
_VARIABLE_FORM = "must have the form $context.variables.NAME"
CREDENTIALS = {
    "oauth2AuthCodeConfig": ("oauthToken",),
    "oauth2JwtBearerConfig": ("issuer", "subject", "clientKey"),
    "userPasswordConfig": ("username", "password"),
}
"""Members of each kind of `EndUserAuthConfig`; the last kind is ours."""
_OPERATIONS = tuple(each.value for each in EntityOperation)


@dataclass(frozen=True, slots=True)
class ConfiguredAction:
    """One action of the tool."""

    path: str
    """JSON path in the tool, for what is wrong with it."""
    operation: EntityOperation | None = None
    """None for an action of the system's own."""
    entity_type: str = ""
    action_id: str = ""
    """Of an action of the system's own."""
    input_fields: tuple[str, ...] = ()
    """Fields that a call may set or ask by; empty for all."""
    output_fields: tuple[str, ...] = ()
    """Fields that a call gives back; empty for all."""

    @property
    def name(self) -> str:
        """As the tool knows it: `list_Customer`, or the id of the system's own action."""
        return self.action_id if self.operation is None else f"{self.operation.value.lower()}_{self.entity_type}"

    @property
    def only_reads(self) -> bool:
        """Whether it reads entities; what an action of the system's own does is the connection's to say."""
        return self.operation in READING


@dataclass(frozen=True, slots=True)
class EndUserAuthentication:
    """How calls prove to be of the end user."""

    kind: str
    """A key of `CREDENTIALS`."""
    members: JsonObject = field(repr=False)
    """Literals, sealed or not, and references to session parameters."""
    path: str = ""


@dataclass(frozen=True, slots=True)
class ConnectorSpec:
    """A connector tool as it is configured."""

    connection: str
    """Resource name."""
    connection_path: str
    """JSON path of the member that names it."""
    actions: tuple[ConfiguredAction, ...]
    authentication: EndUserAuthentication | None
    problems: tuple[Problem, ...]
    """All errors: a specification with one is of no use."""


def dialogflow_spec(spec: JsonObject) -> ConnectorSpec:
    """From a `connectorSpec` (v3beta1 `Tool.ConnectorTool`, JSON form)."""
    return _read(spec, "$.connectorSpec", "name", "endUserAuthConfig", "actions", takes_literals=True)


def app_tool_spec(spec: JsonObject) -> ConnectorSpec:
    """From a `connectorTool` (CES v1beta `ConnectorTool`, JSON form): one action."""
    return _read(spec, "$.connectorTool", "connection", "authConfig", "action", takes_literals=False)


def app_toolset_spec(spec: JsonObject) -> ConnectorSpec:
    """From a `connectorToolset` (CES v1beta `ConnectorToolset`, JSON form)."""
    return _read(spec, "$.connectorToolset", "connection", "authConfig", "connectorActions", takes_literals=False)


def _read(
    spec: JsonObject, path: str, connection: str, authentication: str, actions: str, *, takes_literals: bool
) -> ConnectorSpec:
    problems: list[Problem] = []
    name = str(spec.get(connection) or "")
    if not _CONNECTION.fullmatch(name):
        problems.append(Problem(f"{path}.{connection}", _FORM))
    is_single = actions == "action"
    written = [spec.get(actions)] if is_single else as_list(spec.get(actions))
    if not written:
        problems.append(Problem(f"{path}.{actions}", "at least one action is required"))
    read: list[ConfiguredAction] = []
    for position, each in enumerate(written):
        action, wrong = _action(as_object(each), f"{path}.{actions}" + ("" if is_single else f"[{position}]"))
        read.append(action)
        problems += wrong
    credential = _authentication(as_object(spec.get(authentication)), f"{path}.{authentication}")
    if credential is not None and not takes_literals:
        problems += [
            Problem(f"{credential.path}.{member}", _VARIABLE_FORM)
            for member in CREDENTIALS[credential.kind]
            if not is_variable(credential.members.get(member))
        ]
    return ConnectorSpec(name, f"{path}.{connection}", tuple(read), credential, tuple(problems))


def is_variable(value: JsonValue) -> bool:
    """Whether a value names a variable of the session, as values that must not stand in an app's resource do."""
    return isinstance(value, str) and _VARIABLE.fullmatch(value) is not None


def _authentication(config: JsonObject, path: str) -> EndUserAuthentication | None:
    kind = next((each for each in CREDENTIALS if each in config), None)
    return None if kind is None else EndUserAuthentication(kind, as_object(config[kind]), f"{path}.{kind}")


def _action(action: JsonObject, path: str) -> tuple[ConfiguredAction, Sequence[Problem]]:
    inputs = tuple(str(each) for each in as_list(action.get("inputFields")))
    outputs = tuple(str(each) for each in as_list(action.get("outputFields")))
    operation = as_object(action.get("entityOperation"))
    action_id = str(action.get("connectionActionId") or "")
    if bool(action_id) == bool(operation):
        return ConfiguredAction(path), [Problem(path, _ONE_OF)]
    if action_id:
        return ConfiguredAction(path, action_id=action_id, input_fields=inputs, output_fields=outputs), ()
    problems: list[Problem] = []
    entity_type, verb = str(operation.get("entityId") or ""), operation.get("operation")
    if not entity_type:
        problems.append(Problem(f"{path}.entityOperation.entityId", "is required"))
    if verb not in _OPERATIONS:
        problems.append(Problem(f"{path}.entityOperation.operation", f"must be one of {', '.join(_OPERATIONS)}"))
    known = EntityOperation(verb) if verb in _OPERATIONS else EntityOperation.LIST
    return ConfiguredAction(path, known, entity_type, "", inputs, outputs), problems
