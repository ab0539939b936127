"""From an operation in the document to one that can be called. A broken one does not touch the others."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.tools.base import Action, Problem
from openplaybook.tools.openapi.bodies import UnsupportedBody, body_of, is_json
from openplaybook.tools.openapi.index import Entry
from openplaybook.tools.openapi.injection import is_known_source
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.parameters import (
    InvalidParameter,
    Parameter,
    build,
    ignored_because,
    merged,
)
from openplaybook.tools.openapi.references import UnresolvableReference, resolve
from openplaybook.tools.openapi.schemas import DocumentSchemas
from openplaybook.tools.openapi.servers import NoServer, base_url
from openplaybook.tools.schema.dialect import INJECTION, SchemaTooDeep

_MAX_DESCRIPTION = 1_000
_PATH_PARAMETER = re.compile(r"\{([^{}]*)\}")


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


def compile_operation(entry: Entry, schemas: DocumentSchemas) -> tuple[Operation, list[Problem]]:
    """The operation, and remarks that leave it callable; raises `BrokenOperation`."""
    where = f"{entry.pointer}.parameters"
    remarks: list[Problem] = []
    try:
        sources: list[JsonObject] = []
        for source in merged(schemas.root, entry.path_item, entry.operation):
            reason = ignored_because(source)
            if reason:
                remarks.append(Problem(where, f"{source.get('name')}: {reason}", is_error=False))
            else:
                sources.append(source)
        parameters = build(_with_path_parameters(entry, sources), schemas.inputs)
        where = f"{entry.pointer}.requestBody"
        body = body_of(schemas.root, entry.operation, schemas.inputs)
        where = "$.servers"
        server = base_url(entry.operation, entry.path_item, schemas.root)
    except (InvalidParameter, UnsupportedBody, UnresolvableReference, SchemaTooDeep, NoServer) as error:
        raise BrokenOperation(Problem(where, str(error), is_error=False)) from error
    remarks.extend(_unknown_sources(entry, parameters))
    types = _response_types(schemas.root, entry.operation)
    return Operation(entry, server, parameters, body, types, schemas), remarks


def action_of(operation: Operation, owner: Owner) -> Action:
    """What the model is told of an operation; raises `BrokenOperation`."""
    entry = operation.entry
    try:
        input_schema = operation.input_schema()
        output_schema = _output_schema(operation.schemas, entry.operation)
    except (UnresolvableReference, SchemaTooDeep) as error:
        raise BrokenOperation(Problem(entry.pointer, str(error), is_error=False)) from error
    return Action(
        name=entry.name,
        action=entry.operation_id,
        tool=owner.name,
        tool_display_name=owner.display_name,
        description=_description(entry),
        input_schema=input_schema,
        output_schema=output_schema,
        safe_to_repeat=operation.safe_to_repeat,
    )


def _with_path_parameters(entry: Entry, sources: Sequence[JsonObject]) -> list[JsonObject]:
    """The parameters with those added that the path names and nobody declared, without those it does not name."""
    named = dict.fromkeys(_PATH_PARAMETER.findall(entry.path))
    declared = {source.get("name") for source in sources if source.get("in") == "path"}
    kept = [source for source in sources if source.get("in") != "path" or source.get("name") in named]
    added: list[JsonObject] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in named
        if name not in declared
    ]
    return [*kept, *added]


def _unknown_sources(entry: Entry, parameters: Sequence[Parameter]) -> list[Problem]:
    """Remarks on references that this server does not understand; the model's value is used in their place."""
    return [
        Problem(
            f"{entry.pointer}.parameters",
            f"{parameter.name}: {INJECTION} {source!r} is not understood; allowed are NAME, $session.params.NAME and "
            "$request.payload.NAME",
            is_error=False,
        )
        for parameter in parameters
        if isinstance(source := parameter.schema.get(INJECTION), str) and not is_known_source(source)
    ]


def _description(entry: Entry) -> str:
    """Summary and description, as far as the model's attention reaches."""
    texts = [entry.operation.get("summary"), entry.operation.get("description")]
    told = [text.strip() for text in texts if isinstance(text, str) and text.strip()]
    joined = told[0] if len(set(told)) == 1 else "\n".join(told)
    return joined[:_MAX_DESCRIPTION] or f"{entry.method} {entry.path}"


def _responses(root: JsonObject, operation: JsonObject) -> dict[str, JsonObject]:
    """The declared answers that mean success, by status; broken ones are passed over, since answers are not judged."""
    found: dict[str, JsonObject] = {}
    for status, response in as_object(operation.get("responses")).items():
        if status.startswith("2") or status == "default":
            try:
                found[status] = resolve(root, response)
            except UnresolvableReference:
                continue
    return found


def _response_types(root: JsonObject, operation: JsonObject) -> frozenset[str]:
    contents = (as_object(response.get("content")) for response in _responses(root, operation).values())
    types = (media_type.partition(";")[0].strip().lower() for content in contents for media_type in content)
    return frozenset(media_type for media_type in types if not is_json(media_type))


def _output_schema(schemas: DocumentSchemas, operation: JsonObject) -> JsonObject | None:
    """The JSON answers by status, `{"200": schema}`; None when none is declared."""
    properties: JsonObject = {}
    references: list[str] = []
    for status, response in _responses(schemas.root, operation).items():
        schema: JsonValue = next(
            (
                as_object(media).get("schema")
                for kind, media in as_object(response.get("content")).items()
                if is_json(kind)
            ),
            None,
        )
        if schema is not None and status != "default":
            properties[status], names = schemas.outputs.convert(schema)
            references.extend(names)
    if not properties:
        return None
    names = schemas.outputs.closure(tuple(dict.fromkeys(references)))
    definitions = {name: schemas.outputs.definition(name) for name in names}
    return {"type": "object", "properties": properties, **({"$defs": definitions} if definitions else {})}
