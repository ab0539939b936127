"""Connectors: a `connectorSpec` of Dialogflow CX, a `connectorTool` or `connectorToolset` of CX Agent Studio."""

from collections.abc import Callable, Sequence

from openplaybook.connectors.base import EntityOperation
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.call_spellings import AS_GIVEN
from openplaybook.resources.tool_kinds import (
    ConversionNotes,
    ConvertedTool,
    KindField,
    SecretField,
    StoredKind,
    ToolMessage,
    ToolsetTools,
)
from openplaybook.tools.action_names import legal_name, legal_names
from openplaybook.tools.base import Action, InvalidTool, Problem
from openplaybook.tools.connector.action_schemas import undescribed_input
from openplaybook.tools.connector.connector_spec import (
    CREDENTIALS,
    ConfiguredAction,
    ConnectorSpec,
    EndUserAuthentication,
    app_tool_spec,
    app_toolset_spec,
    dialogflow_spec,
)
from openplaybook.tools.connector.connector_tool import ConnectorTool
from openplaybook.tools.connector.session_credential import referenced
from openplaybook.tools.connector.spec_findings import spec_findings
from openplaybook.tools.tool_kind import ToolKind, ToolParts

_READERS: dict[str, Callable[[JsonObject], ConnectorSpec]] = {
    "connectorSpec": dialogflow_spec,
    "connectorTool": app_tool_spec,
    "connectorToolset": app_toolset_spec,
}
_SENTENCES = {
    EntityOperation.LIST: "Lists entities of {entity}, by a filter where one is given.",
    EntityOperation.GET: "Gets one entity of {entity} by its key.",
    EntityOperation.CREATE: "Creates an entity of {entity}.",
    EntityOperation.UPDATE: "Changes entities of {entity}: one by its key, or those that meet a filter.",
    EntityOperation.DELETE: "Deletes entities of {entity}: one by its key, or those that meet a filter.",
}


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> ConnectorTool:
    """The tool for any of the three specifications (JSON form). Raises `InvalidTool`."""
    field = _field_of(resource)
    read = _READERS[field](spec)
    if read.problems:
        raise InvalidTool(read.problems)
    if field == "connectorTool":
        names = [str(resource.get("displayName", ""))]
        legal = [legal_name(names[0])]
    else:
        names = _distinct(read.actions)
        legal = legal_names(names, [str(position) for position in range(len(names))])
    actions = [
        _action(resource, configured, name, called)
        for configured, name, called in zip(read.actions, names, legal, strict=True)
    ]
    authored = [each.action for each in actions if each.action == resource.get("displayName")]
    return ConnectorTool(
        actions, read, parts.connections, parts.credentials, authored if resource.get("description") else ()
    )


def _distinct(actions: Sequence[ConfiguredAction]) -> list[str]:
    """Names of the actions; one that is configured again has its number behind it."""
    names: list[str] = []
    for action in actions:
        count = sum(each.name == action.name for each in actions[: len(names)])
        names.append(action.name if not count else f"{action.name}_{count + 1}")
    return names


def _field_of(resource: JsonObject) -> str:
    """The member that holds the specification; Dialogflow's where a caller gives it without."""
    return next((field for field in _READERS if field in resource), "connectorSpec")


def _action(resource: JsonObject, configured: ConfiguredAction, name: str, called: str) -> Action:
    """As far as it is known without the system: the fields that the tool names."""
    sentence = (
        f"{configured.action_id} of the connection."
        if configured.operation is None
        else _SENTENCES[configured.operation].format(entity=configured.entity_type)
    )
    is_named_like_tool = name == resource.get("displayName")
    return Action(
        name=called,
        action=name,
        tool=str(resource.get("name", "")),
        tool_display_name=str(resource.get("displayName", "")),
        description=(is_named_like_tool and str(resource.get("description") or "")) or sentence,
        input_schema=undescribed_input(configured),
        is_read_only=configured.only_reads,
        safe_to_repeat=configured.only_reads,
    )


async def _unknown_names(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> Sequence[Problem]:
    """What the tool names and the connection does not have."""
    if parts.connections is None:
        return ()
    return await spec_findings(_READERS[_field_of(resource)](spec), parts.connections)


def _converted(tool: JsonObject, name: str, place: str, notes: ConversionNotes) -> ConvertedTool:
    spec = as_object(tool["connectorSpec"])
    actions = [as_object(each) for each in as_list(spec.get("actions"))]
    authentication, variables = _converted_authentication(dialogflow_spec(spec).authentication, name, place, notes)
    if len(actions) > 1:
        notes.changed(place, f"is {len(actions)} tools now, one for each action of the connector")
    connection = str(spec.get("name", ""))
    messages = ({"connection": connection, "action": action, **authentication} for action in actions or [{}])
    return ConvertedTool("connectorTool", tuple(messages), variables=variables)


def _converted_authentication(
    given: EndUserAuthentication | None, name: str, place: str, notes: ConversionNotes
) -> tuple[JsonObject, tuple[str, ...]]:
    """The member `authConfig` and the variables that it reads. An app has no literals there: each becomes a variable
    that is to be given, lest the tool act with the connection's own credential."""
    if given is None:
        return {}, ()
    variables: dict[str, str] = {}
    for member in CREDENTIALS[given.kind]:
        read = referenced(given.members.get(member))
        variables[member] = read.replace(".", "_") or f"{name}_{member}"
        if not read:
            what = f"{member} of the end user's authentication"
            notes.missing_secret(place, what, f"give it in the session variable {variables[member]}")
    members = {member: f"$context.variables.{variable}" for member, variable in variables.items()}
    return {"authConfig": {given.kind: members}}, tuple(variables.values())


def _secrets(*holder: str) -> tuple[SecretField, ...]:
    """Of an end user's authentication."""
    return (
        SecretField((*holder, "oauth2AuthCodeConfig"), "oauthToken"),
        SecretField((*holder, "oauth2JwtBearerConfig"), "clientKey"),
        SecretField((*holder, "userPasswordConfig"), "password"),
    )


KIND = ToolKind(
    StoredKind(
        name="connector",
        noun="connector tool",
        fields=(
            KindField(
                "connectorSpec",
                ToolMessage.TOOL,
                "connector",
                secrets=_secrets("connectorSpec", "endUserAuthConfig"),
                credentials=("endUserAuthConfig",),
                free=frozenset({"actions", "endUserAuthConfig"}),
                form=AS_GIVEN,
            ),
            KindField(
                "connectorTool",
                ToolMessage.APP_TOOL,
                "connector",
                secrets=_secrets("connectorTool", "authConfig"),
                credentials=("authConfig",),
                free=frozenset({"action", "name", "description", "authConfig"}),
                form=AS_GIVEN,
            ),
            KindField(
                "connectorToolset",
                ToolMessage.APP_TOOLSET,
                "connector toolset",
                secrets=_secrets("connectorToolset", "authConfig"),
                credentials=("authConfig",),
                free=frozenset({"connectorActions", "authConfig"}),
                form=AS_GIVEN,
                toolset=ToolsetTools("connectorTool"),
            ),
        ),
        conversion=_converted,
    ),
    {"connectorSpec": build, "connectorTool": build, "connectorToolset": build},
    lookup=_unknown_names,
)
