"""Dropbox's interface language (Stone) as an OpenAPI document: routes, structs, unions and aliases of one namespace.

Types of other namespaces are taken as they come. A member that holds one of several types is written as an object whose
`.tag` names the type, or, where there is nothing else to say, as the name alone.
"""

import re
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_ROUTE = re.compile(r"route\s+(\S+?)(?::(\d+))?\s+\((\S+),\s*(\S+),\s*\S+\)")
_DECLARED = re.compile(r"(struct|union|union_closed|alias)\s+(\w+)(?:\s+extends\s+([\w.]+))?(?:\s*=\s*(.+))?")
_SIMPLE: dict[str, JsonObject] = {
    "String": {"type": "string"},
    "Boolean": {"type": "boolean"},
    "Timestamp": {"type": "string", "format": "date-time"},
    "Bytes": {"type": "string"},
    "Float32": {"type": "number"},
    "Float64": {"type": "number"},
}
_INTEGERS = ("Int32", "Int64", "UInt32", "UInt64")


@dataclass(slots=True)
class _Declaration:
    kind: str
    parent: str
    members: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    subtypes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    target: str = ""


def stone_document(text: str) -> JsonObject:
    """The document of a `.stone` file."""
    lines = [line.partition("#")[0].rstrip() for line in _TEXT.sub("", text).split("\n")]
    namespace = next(line.split()[1] for line in lines if line.startswith("namespace "))
    declared: dict[str, _Declaration] = {}
    paths: JsonObject = {}
    current: _Declaration | None = None
    in_subtypes = False
    for line in filter(str.strip, lines):
        indent = len(line) - len(line.lstrip())
        words = line.strip()
        if indent == 0:
            found, route = _DECLARED.fullmatch(words), _ROUTE.match(words)
            current = _Declaration(found[1], found[3] or "", target=found[4] or "") if found else None
            if found and current:
                declared[found[2]] = current
            if route:
                name = f"{route[1]}_v{route[2]}" if route[2] else route[1]
                paths[f"/{namespace}/{name}"] = {"post": _operation(route[3], route[4])}
        elif current is not None and indent == 4:
            in_subtypes = words in ("union", "union*", "union_closed")
            if not in_subtypes and not words.startswith(("example ", "@", "attrs")):
                name, _, kind = words.partition(" ")
                current.members.append((name.rstrip("*"), kind.strip()))
        elif current is not None and in_subtypes:
            name, _, kind = words.partition(" ")
            current.subtypes.append((name, kind.strip()))
    schemas: JsonObject = {}
    for name, each in declared.items():
        schemas |= _schemas(name, each, declared)
    servers: list[JsonValue] = [{"url": "https://api.dropboxapi.com/2"}]
    return {"openapi": "3.0.0", "servers": servers, "paths": paths, "components": {"schemas": schemas}}


def _operation(argument: str, result: str) -> JsonObject:
    made: JsonObject = {"responses": {"200": {}}}
    if argument != "Void":
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": _of_type(argument)}}}
    if result != "Void":
        made["responses"] = {"200": {"content": {"application/json": {"schema": _of_type(result)}}}}
    return made


def _schemas(name: str, declared: _Declaration, others: dict[str, _Declaration]) -> JsonObject:
    """The schema of a declaration, and of a struct with subtypes that of what they all have."""
    if declared.kind == "alias":
        return {name: _of_type(declared.target)}
    if declared.kind != "struct":
        return {name: _union(declared, others)}
    properties: JsonObject = {key: _of_type(kind) for key, kind in declared.members}
    required: list[JsonValue] = [key for key, kind in declared.members if "?" not in kind and "=" not in kind]
    made: JsonObject = {"type": "object", "properties": properties, "required": required}
    if declared.parent and "." not in declared.parent:
        has_subtypes = declared.parent in others and others[declared.parent].subtypes
        made = {"allOf": [_reference(f"{declared.parent}.own" if has_subtypes else declared.parent), made]}
    if not declared.subtypes:
        return {name: made}
    properties[".tag"] = {"type": "string"}
    return {f"{name}.own": made, name: {"anyOf": [_of_type(kind) for _, kind in declared.subtypes]}}


def _union(declared: _Declaration, others: dict[str, _Declaration]) -> JsonObject:
    members = list(declared.members)
    parent = others.get(declared.parent)
    while parent is not None:
        members += parent.members
        parent = others.get(parent.parent)
    names: list[JsonValue] = [key for key, kind in members if not kind or kind == "Void"]
    tagged: JsonObject = {".tag": {"type": "string", "enum": [key for key, _ in members]}}
    inner: list[JsonValue] = []
    for key, kind in members:
        target = others.get(kind)
        if target is not None and target.kind == "struct" and not target.subtypes:
            # A struct lies open beside the tag, so that its members are members of the union.
            own: JsonObject = {".tag": {"type": "string", "enum": [key]}}
            inner.append({"allOf": [_reference(kind), {"type": "object", "properties": own}]})
        elif kind and kind != "Void":
            tagged[key] = _of_type(kind)
    inner.insert(0, {"type": "object", "properties": tagged, "required": [".tag"]})
    return {"anyOf": [*([{"type": "string", "enum": names}] if names else []), *inner]}


def _of_type(text: str) -> JsonObject:
    """`List(String(max_length=3), max_items=2)?` as a schema."""
    text = text.partition(" = ")[0].strip().rstrip("?").strip()
    name, _, inner = text.partition("(")
    inner = inner.rpartition(")")[0]
    if name == "List":
        return {"type": "array", "items": _of_type(_first(inner))}
    if name == "Map":
        return {"type": "object", "additionalProperties": _of_type(inner.rpartition(",")[2])}
    if name in _INTEGERS:
        most = re.search(r"max_value\s*=\s*(\d+)", inner)
        return {"type": "integer", **({"maximum": int(most[1])} if most else {})}
    if name in _SIMPLE:
        longest = re.search(r"max_length\s*=\s*(\d+)", inner)
        return _SIMPLE[name] | ({"maxLength": int(longest[1])} if longest else {})
    return {} if "." in name or not name else _reference(name)


def _first(arguments: str) -> str:
    """What stands before the first comma that is in no parentheses."""
    depth = 0
    for index, char in enumerate(arguments):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            return arguments[:index]
    return arguments


def _reference(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}
