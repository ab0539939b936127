"""Definitions of a playbook's input and output parameters, as JSON Schema.

The type of a parameter stands in `typeSchema` (v3beta1), in `parameterType.openapiJsonSchema` (older exports), or
in `type` (an enum that the API still accepts); the first that is there wins.
"""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads
from openplaybook.resources.compiled_forms import ParameterDefinition
from openplaybook.resources.findings import Finding, Severity, Sink, discard

_MAX_DEPTH = 32
_TYPES = {
    "STRING": "string",
    "NUMBER": "number",
    "BOOLEAN": "boolean",
    "ARRAY": "array",
    "LIST": "array",
    "OBJECT": "object",
    "NULL": "null",
}


def compile_parameters(definitions: JsonValue, path: str, report: Sink = discard) -> tuple[ParameterDefinition, ...]:
    """The parameters defined at `path`, in order.

    Names are case-insensitive (Dialogflow CX, playbook parameters): of two that differ in nothing else the first
    stays.
    """
    parameters: list[ParameterDefinition] = []
    taken: set[str] = set()
    for index, value in enumerate(as_list(definitions)):
        definition, place = as_object(value), f"{path}[{index}]"
        name = _text(definition.get("name")).strip()
        if not name:
            report(Finding(place, "has no name and is left out", Severity.ERROR))
        elif name.casefold() in taken:
            report(Finding(f"{place}.name", f"{name!r} is defined twice; the first definition stays", Severity.ERROR))
        else:
            taken.add(name.casefold())
            schema = _schema(definition, place, report)
            parameters.append(ParameterDefinition(name, _text(definition.get("description")), schema))
    return tuple(parameters)


def _schema(definition: JsonObject, path: str, report: Sink) -> JsonObject:
    if "typeSchema" in definition:
        return _from_type_schema(definition["typeSchema"], f"{path}.typeSchema", 1, report)
    older = as_object(definition.get("parameterType"))
    if "openapiJsonSchema" in older:
        return _from_json_schema(older["openapiJsonSchema"], f"{path}.parameterType.openapiJsonSchema", report)
    return _from_type_name(definition.get("type"), f"{path}.type", report)


def _from_type_schema(value: JsonValue, path: str, depth: int, report: Sink) -> JsonObject:
    type_schema = as_object(value)
    reference = as_object(type_schema.get("schemaReference"))
    if reference:
        note = f"any value is taken: schema {reference.get('schema', '')!r} of a tool is not looked up"
        report(Finding(f"{path}.schemaReference", note, Severity.REMARK))
        return {}
    inline = as_object(type_schema.get("inlineSchema"))
    schema = _from_type_name(inline.get("type"), f"{path}.inlineSchema.type", report)
    if schema.get("type") == "array" and "items" in inline and depth <= _MAX_DEPTH:
        schema["items"] = _from_type_schema(inline["items"], f"{path}.inlineSchema.items", depth + 1, report)
    return schema


def _from_type_name(value: JsonValue, path: str, report: Sink) -> JsonObject:
    """JSON Schema of a type's name; any value for none (`…_UNSPECIFIED` counts as none)."""
    if value is None or (isinstance(value, str) and value.endswith("_UNSPECIFIED")):
        return {}
    name = _TYPES.get(value.upper()) if isinstance(value, str) else None
    if name is None:
        report(Finding(path, f"{value!r} is not a type; any value is taken (known: {', '.join(_TYPES)})"))
        return {}
    return {"type": name}


def _from_json_schema(value: JsonValue, path: str, report: Sink) -> JsonObject:
    """A JSON Schema that is stored as an object or as its text."""
    schema = value
    if isinstance(value, str):
        try:
            schema = loads(value)
        except ValueError as error:
            report(Finding(path, f"is not JSON ({error}); any value is taken"))
            return {}
    if not isinstance(schema, dict):
        report(Finding(path, "is not a schema object; any value is taken"))
    return dict(as_object(schema))


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
