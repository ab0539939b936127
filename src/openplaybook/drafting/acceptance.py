"""Whether a schema of a document takes a value, its formats included."""

from collections.abc import Callable
from typing import TypeAlias

from openplaybook.drafting import text_formats
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, target
from openplaybook.tools.schema import checked_formats
from openplaybook.tools.schema.dialect import Direction, SchemaTooDeep, to_2020_12
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.validator import Validator

Accepts: TypeAlias = Callable[[JsonValue], bool]

_FORMATS = {**checked_formats.FORMATS, **text_formats.FORMATS}
"""A format that a schema gets for texts is judged as it was found: strictly, unlike the arguments of a call."""


def acceptance(root: JsonObject, schema: JsonValue, direction: Direction) -> Accepts:
    """Tells whether `schema`, whose references lead into `root`, takes a value.

    A schema that cannot be used takes everything: there is nothing to widen in it.
    """
    definitions: JsonObject = {}
    waiting: list[str] = []

    def refer(reference: str) -> JsonObject:
        name = reference.replace("/", ".").replace("~", "-").replace("%", "_")
        if name not in definitions:
            definitions[name] = {}
            waiting.append(reference)
        return {"$ref": f"#/$defs/{name}"}

    try:
        converted = to_2020_12(schema, refer, direction)
        while waiting:
            reference = waiting.pop()
            name = refer(reference)["$ref"].rpartition("/")[2]
            definitions[name] = to_2020_12(target(root, reference), refer, direction)
        validator = Validator({**converted, **({"$defs": definitions} if definitions else {})}, formats=_FORMATS)
        validator.compile()
    except (InvalidSchema, SchemaTooDeep, UnresolvableReference):
        return lambda value: True
    return lambda value: not validator.problems(value)
