"""OpenAPI 2.0 operations restated in 3.0, so that a judge who knows only 3.x can judge their requests.

Written apart from the product's own conversion, and only as far as requests need it.
"""

from urllib.parse import unquote

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_STYLES = {
    "csv": {"query": ("form", False), "header": ("simple", False), "path": ("simple", False)},
    "ssv": {"query": ("spaceDelimited", False)},
    "pipes": {"query": ("pipeDelimited", False)},
    "multi": {"query": ("form", True)},
}
_OF_PARAMETERS = frozenset({"name", "in", "description", "required", "allowEmptyValue", "collectionFormat"})
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


def restated(root: JsonObject, item: JsonObject, operation: JsonObject) -> JsonObject:
    """The operation as 3.0 writes it, parameters of its path item included; schemas stay as they are."""
    parameters: dict[tuple[str, str], JsonObject] = {}
    for each in (*as_list(item.get("parameters")), *as_list(operation.get("parameters"))):
        parameter = followed(root, each)
        parameters[parameter["name"], parameter["in"]] = parameter
    consumes = as_list(operation.get("consumes", root.get("consumes"))) or ["application/json"]
    made: JsonObject = {
        "parameters": [_parameter(each) for each in parameters.values() if each["in"] not in ("body", "formData")],
        "responses": {"default": {"description": ""}},
    }
    fields = [each for each in parameters.values() if each["in"] == "formData"]
    bodies = [each for each in parameters.values() if each["in"] == "body"]
    if fields:
        made["requestBody"] = _form(fields, consumes)
    elif bodies:
        media = {"schema": bodies[0].get("schema", {})}
        content = {str(kind): media for kind in consumes}
        made["requestBody"] = {"required": bodies[0].get("required", False), "content": content}
    return made


def followed(root: JsonObject, value: JsonValue) -> JsonObject:
    """What a reference within the document leads to; anything else is itself."""
    found = as_object(value)
    for _ in range(16):
        reference = found.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        target: JsonValue = root
        for step in map(unquote, reference[2:].split("/")):
            name = step.replace("~1", "/").replace("~0", "~")
            target = target[int(name)] if isinstance(target, list) else as_object(target).get(name, {})
        found = as_object(target)
    return found


def _parameter(parameter: JsonObject) -> JsonObject:
    schema = {key: value for key, value in parameter.items() if key not in _OF_PARAMETERS}
    made: JsonObject = {"name": parameter["name"], "in": parameter["in"], "schema": schema}
    made["required"] = parameter.get("required", False)
    if parameter.get("type") == "array":
        made["style"], made["explode"] = _STYLES[parameter.get("collectionFormat", "csv")][parameter["in"]]
    return made


def _form(fields: list[JsonObject], consumes: list[JsonValue]) -> JsonObject:
    """The body of form fields: a multipart where a file or the operation says so."""
    properties: JsonObject = {}
    encoding: JsonObject = {}
    for each in fields:
        schema = {key: value for key, value in each.items() if key not in _OF_PARAMETERS}
        properties[each["name"]] = {"type": "string", "format": "binary"} if each.get("type") == "file" else schema
        if each.get("type") == "array":
            is_multi = each.get("collectionFormat") == "multi"
            encoding[each["name"]] = {"style": "form", "explode": is_multi}
    required = [each["name"] for each in fields if each.get("required")]
    schema: JsonObject = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    kinds = [kind for kind in _FORMS if kind in consumes] or list(_FORMS)
    media: JsonObject = {"schema": schema, **({"encoding": encoding} if encoding else {})}
    return {"required": bool(required), "content": dict.fromkeys(kinds, media)}
