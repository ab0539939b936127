"""What an operation is declared to answer."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve
from openplaybook.tools.openapi.requests.bodies import is_json
from openplaybook.tools.openapi.schemas.document_schemas import DocumentSchemas


def text_types(root: JsonObject, operation: JsonObject) -> frozenset[str]:
    """Media types other than JSON that the answers declare."""
    contents = (as_object(response.get("content")) for response in _responses(root, operation).values())
    types = (media_type.partition(";")[0].strip().lower() for content in contents for media_type in content)
    return frozenset(media_type for media_type in types if not is_json(media_type))


def output_schema(schemas: DocumentSchemas, operation: JsonObject) -> JsonObject | None:
    """The JSON answers by status, `{"200": schema}`; None when none is declared.

    Raises `UnresolvableReference` and `SchemaTooDeep`.
    """
    own, references = own_output_schema(schemas, operation)
    if own is None:
        return None
    names = schemas.outputs.closure(references)
    definitions = {name: schemas.outputs.definition(name) for name in names}
    return {**own, **({"$defs": definitions} if definitions else {})}


def own_output_schema(schemas: DocumentSchemas, operation: JsonObject) -> tuple[JsonObject | None, tuple[str, ...]]:
    """The same without the definitions that it refers to as `#/$defs/NAME`, and their names.

    Raises `UnresolvableReference` and `SchemaTooDeep`.
    """
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
    own: JsonObject | None = {"type": "object", "properties": properties} if properties else None
    return own, tuple(dict.fromkeys(references))


def _responses(root: JsonObject, operation: JsonObject) -> dict[str, JsonObject]:
    """The declared answers that mean success, by status; broken ones are passed over, since answers are not judged."""
    responses: dict[str, JsonObject] = {}
    for status, response in as_object(operation.get("responses")).items():
        if status.startswith("2") or status == "default":
            try:
                responses[status] = resolve(root, response)
            except UnresolvableReference:
                continue
    return responses
