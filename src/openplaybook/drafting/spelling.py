"""How a schema spells its types and null: 3.0 by `nullable`, 3.1 by the type `null`."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.schema.dialect import is_true


def types_of(schema: JsonObject) -> list[str]:
    """The types a schema names or shows; empty when it takes any."""
    declared = schema.get("type")
    if declared is not None:
        return [declared] if isinstance(declared, str) else [str(each) for each in as_list(declared)]
    if "properties" in schema or "additionalProperties" in schema:
        return ["object"]
    return ["array"] if "items" in schema else []


def takes_null(schema: JsonObject) -> bool:
    """Whether null fits a schema by its type."""
    types = types_of(schema)
    return is_true(schema.get("nullable")) or "null" in types or not types


def allow_null(schema: JsonObject, *, has_null_type: bool) -> None:
    """Let a schema take null, in its place: by a type where the document's version has one."""
    if has_null_type:
        schema["type"] = [*types_of(schema), "null"]
    else:
        schema["nullable"] = True
    if None not in as_list(schema.get("enum", [None])):
        schema["enum"] = [*as_list(schema["enum"]), None]


def replace_type(schema: JsonObject, old: str, new: str) -> None:
    """Name one type in place of another."""
    declared = schema["type"]
    schema["type"] = new if declared == old else [new if each == old else each for each in as_list(declared)]


def with_null_types(schema: JsonObject) -> JsonObject:
    """A schema of 3.0 in the words of 3.1: `nullable` becomes the type `null`."""
    result = {key: _converted(key, value) for key, value in schema.items() if key != "nullable"}
    if not schema.get("nullable"):
        return result
    kind = result.get("type")
    return {**result, "type": [kind, "null"] if kind else "null"}


def _converted(key: str, value: JsonValue) -> JsonValue:
    if key == "properties":
        return {name: with_null_types(as_object(child)) for name, child in as_object(value).items()}
    if key in ("items", "additionalProperties"):
        return with_null_types(as_object(value))
    return [with_null_types(as_object(child)) for child in as_list(value)] if key == "anyOf" else value
