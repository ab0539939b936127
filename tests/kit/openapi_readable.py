"""A document as openapi-core has to be given it to judge by what the specification says."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.openapi_two import followed

_NOT_HEADERS = frozenset({"accept", "content-type", "authorization"})
_PLAIN = frozenset({"boolean", "integer", "number"})


def parameters_of(parameters: object, root: JsonObject) -> list[JsonObject]:
    """Parameters without the headers that "SHALL be ignored" (OAS 3.0.3 §4.7.12.1)."""
    found = [followed(root, each) for each in as_list(parameters)]
    return [each for each in found if each.get("in") != "header" or str(each.get("name")).lower() not in _NOT_HEADERS]


def chosen(parameter: JsonObject, root: JsonObject, choice: int) -> JsonObject:
    """The parameter with one of its schema's alternatives, counted from 1, in place of all of them; 0: as it is."""
    schema = followed(root, parameter.get("schema"))
    while len(parts := as_list(schema.get("allOf"))) == 1:
        schema = followed(root, parts[0])
    alternatives = as_list(schema.get("oneOf")) or as_list(schema.get("anyOf"))
    if not choice or not alternatives:
        return parameter
    return {**parameter, "schema": alternatives[(choice - 1) % len(alternatives)]}


def with_plain_parts(body: JsonObject, root: JsonObject) -> JsonObject:
    """A multipart as openapi-core can read it.

    It casts no parts: those that are numbers and truth values are said to be JSON, whose texts are the same as those of
    the text/plain that they are by default (OAS 3.0.3 §4.7.15.1). And it knows no default for a choice with null.
    """
    content = dict(as_object(body.get("content")))
    for kind, media in content.items():
        schema = followed(root, as_object(media).get("schema"))
        if kind.startswith("multipart/") and "properties" in schema:
            properties = {name: _without_null(followed(root, each)) for name, each in schema["properties"].items()}
            plain = {
                name: {"contentType": "application/json"}
                for name, each in properties.items()
                if each.get("type") in _PLAIN or followed(root, each.get("items")).get("type") in _PLAIN
            }
            encoding = {**plain, **as_object(media.get("encoding"))}
            content[kind] = {**media, "schema": {**schema, "properties": properties}, "encoding": encoding}
    return {**body, "content": content}


def _without_null(schema: JsonObject) -> JsonObject:
    """The one alternative that a schema has besides null, where that is what it is."""
    alternatives = [as_object(each) for each in as_list(schema.get("anyOf")) or as_list(schema.get("oneOf"))]
    others = [each for each in alternatives if each.get("type") != "null"]
    return others[0] if len(others) == 1 else schema


def readable(root: JsonObject) -> JsonObject:
    """The document without what openapi-core reads otherwise than the specification.

    Before 3.1 what stands beside a `$ref` is ignored (OAS 3.0.3 §4.7.23). A required property that is read-only is
    required of answers only (OAS 3.0.3 §4.7.24.3); openapi-core knows that of 3.0 alone. In 3.1 the bytes of a file are
    no string to it.

    One thing is judged otherwise than the specification has it: where the parts of an allOf are closed to the
    properties of each other, which no value fits, the document's objects are open.
    """
    is_newer = str(root.get("openapi")).startswith("3.1")
    return as_object(_readable(root, is_newer, _has_closed_parts(root, root)))


def _readable(value: JsonValue, is_newer: bool, is_open: bool) -> JsonValue:
    if isinstance(value, list):
        return [_readable(item, is_newer, is_open) for item in as_list(value)]
    members = as_object(value)
    if not members:
        return value
    if not is_newer and isinstance(members.get("$ref"), str):
        return {"$ref": members["$ref"]}
    if is_newer and members.get("type") == "string" and members.get("format") == "binary":
        return {}
    kept = {key: _readable(item, is_newer, is_open) for key, item in members.items()}
    if is_open and kept.get("additionalProperties") is False:
        del kept["additionalProperties"]
    if is_newer and isinstance(members.get("required"), list):
        properties = as_object(members.get("properties"))
        kept["required"] = [name for name in members["required"] if not as_object(properties.get(name)).get("readOnly")]
    return kept


def _has_closed_parts(value: JsonValue, root: JsonObject) -> bool:
    members = as_object(value)
    parts = as_list(members.get("allOf"))
    is_closed = len(parts) > 1 and any(followed(root, part).get("additionalProperties") is False for part in parts)
    return is_closed or any(_has_closed_parts(item, root) for item in (*members.values(), *as_list(value)))
