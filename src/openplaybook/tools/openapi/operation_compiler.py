"""From an operation in the document to one that can be called. A broken one does not touch the others."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.tools.base import Action, Problem, ToolContext
from openplaybook.tools.openapi.description.json_references import UnresolvableReference
from openplaybook.tools.openapi.description.operation_index import OperationEntry
from openplaybook.tools.openapi.description.servers import NoServer, UnknownServer, base_url
from openplaybook.tools.openapi.description.swagger import is_swagger, upgraded
from openplaybook.tools.openapi.operation import SAFE, Operation
from openplaybook.tools.openapi.requests.bodies import body_of
from openplaybook.tools.openapi.requests.parameter_places import parameter_name, path_expressions
from openplaybook.tools.openapi.requests.request_parameters import InvalidParameter, build, ignored_because, merged
from openplaybook.tools.openapi.schemas.document_schemas import DocumentSchemas
from openplaybook.tools.openapi.schemas.injection import MISSING, Sources
from openplaybook.tools.openapi.tool_settings import ToolSettings
from openplaybook.tools.schema.dialect import SchemaTooDeep

_MAX_DESCRIPTION = 1_000
_MAX_PARAMETERS = 500
"""Of one operation. Real ones have up to a hundred."""


class BrokenOperation(Exception):
    """An operation cannot be called."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Owner:
    """The tool whose operations are compiled."""

    name: str
    """Resource name."""
    display_name: str


def compile_operation(
    entry: OperationEntry, schemas: DocumentSchemas, settings: ToolSettings, covered: Collection[tuple[str, str]] = ()
) -> Operation:
    """The operation; raises `BrokenOperation`.

    `covered` are places and names of what its authentication sends: nothing that the model would have to give.
    """
    where = f"{entry.pointer}.parameters"
    try:
        if is_swagger(schemas.root):
            entry = upgraded(schemas.root, entry, schemas.upgraded)
        parameters = build(_sources(entry, schemas, covered), schemas.inputs, schemas.parameters)
        where = f"{entry.pointer}.requestBody"
        body = body_of(schemas.root, entry.operation, schemas.inputs)
        where = "$.servers"
        server, open_server = _server(entry, schemas, settings)
    except (InvalidParameter, UnresolvableReference, SchemaTooDeep, NoServer) as error:
        raise BrokenOperation(Problem(where, str(error), is_error=False)) from error
    return Operation(entry, server, parameters, body, schemas, settings.idempotency_key_header, open_server)


def action_of(operation: Operation, owner: Owner) -> Action:
    """What the model is told of an operation; raises `BrokenOperation`."""
    entry = operation.entry
    try:
        input_schema = operation.schemas.budget.fitted(operation.input_schema())
    except (UnresolvableReference, SchemaTooDeep) as error:
        raise BrokenOperation(Problem(entry.pointer, str(error), is_error=False)) from error
    return Action(
        name=entry.name,
        action=entry.operation_id,
        tool=owner.name,
        tool_display_name=owner.display_name,
        description=_description(entry),
        input_schema=input_schema,
        for_session=partial(_for_session, operation, input_schema),
        complete_schema=partial(_complete_schema, operation),
        declared_output=lambda: operation.answers,
        is_read_only=operation.entry.method in SAFE,
        safe_to_repeat=operation.safe_to_repeat,
        method=entry.method,
        path=entry.path,
    )


def _complete_schema(operation: Operation) -> JsonObject:
    """What arguments are judged by, and any value of parameters that play no part, such as credentials."""
    schema, entry = operation.full_schema(), operation.entry
    declared = merged(operation.schemas.root, entry.path_item, entry.operation)
    anything: JsonObject = {str(parameter.get("name")): {} for parameter in declared}
    return {**schema, "properties": {**anything, **as_object(schema.get("properties"))}}


def _for_session(
    operation: Operation, whole: JsonObject, parameters: Mapping[str, JsonValue], payload: Mapping[str, JsonValue]
) -> JsonObject:
    """The input schema without what a session with these parameters and payload fills in."""
    session = Sources(ToolContext("", parameters=parameters, payload=payload))
    filled = frozenset(source for source in operation.sources if session.value(source) is not MISSING)
    return operation.schemas.budget.fitted(operation.input_schema(filled)) if filled else whole


def _server(entry: OperationEntry, schemas: DocumentSchemas, settings: ToolSettings) -> tuple[str, str]:
    """The base URL, or what has to be set to have one; raises `NoServer`. The description's own is worked out once."""
    try:
        if "servers" in entry.operation or "servers" in entry.path_item:
            return base_url(settings, entry.operation, entry.path_item, schemas.root), ""
        if settings.server_url not in schemas.servers:
            schemas.servers[settings.server_url] = base_url(settings, schemas.root)
        return schemas.servers[settings.server_url], ""
    except UnknownServer as error:
        # No fault: the settings can say it, and a client that makes the call itself may know it.
        return "", str(error)


def _sources(entry: OperationEntry, schemas: DocumentSchemas, covered: Collection[tuple[str, str]]) -> list[JsonObject]:
    """The parameter objects that play a part; raises `InvalidParameter` when they are too many."""
    declared = merged(schemas.root, entry.path_item, entry.operation)
    sources = _with_path_parameters(entry, [each for each in declared if not ignored_because(each, covered)])
    if len(sources) > _MAX_PARAMETERS:
        raise InvalidParameter(f"there are more than {_MAX_PARAMETERS} parameters")
    return sources


def _with_path_parameters(entry: OperationEntry, sources: Sequence[JsonObject]) -> list[JsonObject]:
    """The parameters with those added that the path names and nobody declared, without those it does not name."""
    declared = {str(source.get("name")) for source in sources if source.get("in") == "path"}
    named = dict.fromkeys(parameter_name(expression, declared) for expression in path_expressions(entry.path))
    usable = [source for source in sources if source.get("in") != "path" or str(source.get("name")) in named]
    added: list[JsonObject] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in named
        if name not in declared
    ]
    return [*usable, *added]


def _description(entry: OperationEntry) -> str:
    """Summary and description, as far as the model's attention reaches."""
    texts = [entry.operation.get("summary"), entry.operation.get("description")]
    parts = [text.strip() for text in texts if isinstance(text, str) and text.strip()]
    joined = parts[0] if len(set(parts)) == 1 else "\n".join(parts)
    return joined[:_MAX_DESCRIPTION] or f"{entry.method} {entry.path}"
