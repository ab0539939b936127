"""The specifications that Meta generates its SDKs from, as one OpenAPI document: nodes with their fields and edges.

A node is reached by its id alone, whatever its kind: `/{id}` takes what any of the kinds takes.
"""

from collections.abc import Mapping, Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_SIMPLE: Mapping[str, JsonObject] = {
    "string": {"type": "string"},
    "datetime": {"type": "string"},
    "int": {"type": "integer"},
    "unsigned int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
}
_FORM = "application/x-www-form-urlencoded"


def graph_document(nodes: Mapping[str, JsonObject], enumerations: Sequence[JsonValue], base: str) -> JsonObject:
    """From the specification of each node, by name, and the values of enumerations."""
    known = {str(each["name"]): [*as_list(each["values"])] for each in map(as_object, enumerations)}
    schemas: JsonObject = {name: _fields(as_list(node["fields"]), known) for name, node in nodes.items()}
    everything: JsonObject = {}
    for schema in schemas.values():
        everything |= as_object(schema["properties"])
    paths: JsonObject = {"/{id}": _of_any_node(nodes, known, {"type": "object", "properties": everything})}
    for node in nodes.values():
        for api in map(as_object, as_list(node["apis"])):
            if "endpoint" in api:
                edge = paths.setdefault(f"/{{id}}/{api['endpoint']}", {})
                made, method = _edge(api, known, schemas), str(api["method"]).lower()
                if method in edge and method == "post":
                    _add(_members(edge[method]), _members(made))
                else:
                    edge[method] = made
    return {"openapi": "3.0.0", "servers": [{"url": base}], "paths": paths, "components": {"schemas": schemas}}


def _of_any_node(
    nodes: Mapping[str, JsonObject], known: Mapping[str, list[JsonValue]], reply: JsonObject
) -> JsonObject:
    members: JsonObject = {}
    for node in nodes.values():
        for api in map(as_object, as_list(node["apis"])):
            if api.get("name") == "#update":
                _add(members, as_object(_form(as_list(api["params"]), known)["properties"]))
    body: JsonObject = {"type": "object", "properties": members, "additionalProperties": False}
    return {
        "get": _operation([_query("fields")], reply),
        "post": {**_operation([], reply), "requestBody": {"content": {_FORM: {"schema": body}}}},
        "delete": _operation([], {"type": "object", "properties": {"success": {"type": "boolean"}}}),
    }


def _edge(api: JsonObject, known: Mapping[str, list[JsonValue]], schemas: JsonObject) -> JsonObject:
    parameters = as_list(api["params"])
    kind = str(api["return"])
    item: JsonObject = {"$ref": f"#/components/schemas/{kind}"} if kind in schemas else {"type": "object"}
    if api["method"] == "POST":
        body = {**_form(parameters, known), "additionalProperties": False}
        body["required"] = [each["name"] for each in map(as_object, parameters) if each.get("required")]
        return {**_operation([], item), "requestBody": {"content": {_FORM: {"schema": body}}}}
    cursors: JsonObject = {"type": "object", "properties": {"after": {"type": "string"}}}
    paging: JsonObject = {"type": "object", "properties": {"cursors": cursors, "next": {"type": "string"}}}
    page: JsonObject = {"type": "object", "properties": {"data": {"type": "array", "items": item}, "paging": paging}}
    own = [
        {**_query(str(each["name"])), "schema": _type(str(each["type"]), known), "required": bool(each.get("required"))}
        for each in map(as_object, parameters)
    ]
    names = [str(each["name"]) for each in own]
    return _operation([*own, *(_query(each) for each in ("fields", "limit", "after") if each not in names)], page)


def _members(operation: JsonObject) -> JsonObject:
    return as_object(operation["requestBody"]["content"][_FORM]["schema"]["properties"])


def _add(members: JsonObject, others: JsonObject) -> None:
    """What nodes of several kinds take under one name is whatever one of them takes."""
    for name, schema in others.items():
        held = as_object(members.get(name, schema))
        values = [*held.get("enum", ()), *schema.get("enum", ())]
        is_alike = held.get("type") == schema.get("type") and ("enum" in held) == ("enum" in schema)
        members[name] = {**schema, **({"enum": values} if values else {})} if is_alike else {}


def _form(parameters: Sequence[JsonValue], known: Mapping[str, list[JsonValue]]) -> JsonObject:
    """Members of a form: objects and lists stand in it as JSON, so as texts."""
    fields = _fields(parameters, known)
    for name, schema in as_object(fields["properties"]).items():
        if schema.get("type") in ("object", "array"):
            fields["properties"][name] = {"type": "string"}
    return fields


def _operation(parameters: Sequence[JsonObject], reply: JsonObject) -> JsonObject:
    content: JsonObject = {"application/json": {"schema": reply}}
    return {"parameters": list(parameters), "responses": {"200": {"description": "", "content": content}}}


def _query(name: str) -> JsonObject:
    return {"name": name, "in": "query", "schema": {"type": "string"}}


def _fields(fields: Sequence[JsonValue], known: Mapping[str, list[JsonValue]]) -> JsonObject:
    properties = {str(each["name"]): _type(str(each["type"]), known) for each in map(as_object, fields)}
    return {"type": "object", "properties": properties}


def _type(name: str, known: Mapping[str, list[JsonValue]]) -> JsonObject:
    if name in _SIMPLE:
        return dict(_SIMPLE[name])
    if name.startswith("list<"):
        return {"type": "array", "items": _type(name[5:-1], known)}
    if name in known:
        return {"type": "string", "enum": known[name]}
    # Enumerations that the collection lacks are texts, everything else is an object.
    return {"type": "string"} if "_enum_param" in name or (name.islower() and "_" in name) else {"type": "object"}
