"""Annotations as JSON Schema (2020-12), read from the syntax tree: nothing of the code is run."""

import ast
from collections.abc import Mapping, Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.python_function.literals import enumerated, words
from openplaybook.tools.python_function.members import (
    field_description,
    is_ellipsis,
    is_required,
    last_name,
    members_of,
)

_NAMED: Mapping[str, JsonObject] = {
    "str": {"type": "string"},
    "bytes": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "Decimal": {"type": "number"},
    "bool": {"type": "boolean"},
    "None": {"type": "null"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
    "UUID": {"type": "string", "format": "uuid"},
    **{name: {"type": "object"} for name in ("dict", "Dict", "Mapping", "MutableMapping", "defaultdict")},
    **{name: {"type": "array"} for name in ("list", "List", "Sequence", "Iterable", "Collection", "tuple", "Tuple")},
    **{name: {"type": "array", "uniqueItems": True} for name in ("set", "Set", "frozenset", "FrozenSet")},
}
_TRANSPARENT = frozenset({"Annotated", "Required", "NotRequired", "ReadOnly", "Final", "ClassVar"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum"})
_NULL: JsonObject = {"type": "null"}
_MAX_DEPTH = 16
_MOST = 2_000
"""Annotations that are looked at for one function; classes that hold each other grow with the power of the depth."""


class Annotations:
    """Reads the annotations of one module, with the classes and aliases that it defines."""

    def __init__(self, module: ast.Module) -> None:
        self._left = _MOST
        self._defined: dict[str, ast.ClassDef | ast.expr] = {}
        for statement in module.body:
            match statement:
                case ast.ClassDef(name=name):
                    self._defined[name] = statement
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._defined[name] = value
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self._defined[name] = value
                case _:
                    pass

    def schema(self, annotation: ast.expr | None, depth: int = 0) -> JsonObject:
        """The values that an annotation allows; any (`{}`), where that cannot be told."""
        self._left -= 1
        if depth > _MAX_DEPTH or self._left < 0:
            return {}
        match annotation:
            case ast.Constant(value=None):
                return _NULL
            case ast.Constant(value=str() as text):
                return self.schema(_expression(text), depth + 1)
            case ast.Name() | ast.Attribute():
                return self._named(last_name(annotation), depth)
            case ast.BinOp(op=ast.BitOr()):
                return self._union([annotation.left, annotation.right], depth)
            case ast.Subscript():
                return self._generic(annotation, depth)
            case _:
                return {}

    def _named(self, name: str, depth: int) -> JsonObject:
        defined = self._defined.get(name)
        if isinstance(defined, ast.ClassDef):
            return self._class(defined, depth + 1)
        return self.schema(defined, depth + 1) if defined is not None else _NAMED.get(name, {})

    def _generic(self, annotation: ast.Subscript, depth: int) -> JsonObject:
        name, inner = last_name(annotation.value), annotation.slice
        members = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if name in _TRANSPARENT:
            return {**self.schema(members[0], depth + 1), **_annotated(members[1:])}
        if name == "Optional":
            return self._union([*members, ast.Constant(None)], depth)
        if name == "Union":
            return self._union(members, depth)
        if name == "Literal":
            return enumerated(members)
        if name in ("tuple", "Tuple") and not (len(members) == 2 and is_ellipsis(members[1])):
            items: list[JsonValue] = [self.schema(each, depth + 1) for each in members]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        whole = self._named(name, depth)
        if whole.get("type") == "array":
            return _with(whole, "items", self.schema(members[0], depth + 1))
        if whole == {"type": "object"} and len(members) == 2:
            return _with(whole, "additionalProperties", self.schema(members[1], depth + 1))
        return whole

    def _union(self, members: Sequence[ast.expr], depth: int) -> JsonObject:
        return _either([self.schema(each, depth + 1) for each in members])

    def _class(self, defined: ast.ClassDef, depth: int) -> JsonObject:
        """A class with annotated members as an object, an enumeration as its values."""
        if depth > _MAX_DEPTH:
            return {}
        bases = [last_name(base) for base in defined.bases]
        if not _ENUMS.isdisjoint(bases):
            return enumerated([each.value for each in defined.body if isinstance(each, ast.Assign)])
        properties: JsonObject = {}
        required: list[JsonValue] = []
        for base in bases:
            if isinstance(inherited := self._defined.get(base), ast.ClassDef):
                schema = self._class(inherited, depth + 1)
                properties |= as_object(schema.get("properties"))
                required += as_list(schema.get("required"))
        is_total = not any(
            each.arg == "total" and isinstance(each.value, ast.Constant) and each.value.value is False
            for each in defined.keywords
        )
        for name, member in members_of(defined):
            properties[name] = {**self.schema(member.annotation, depth + 1), **field_description(member.value)}
            if name not in required and is_required(member, is_total=is_total):
                required.append(name)
        description = words(ast.get_docstring(defined) or "")
        schema: JsonObject = {
            "type": "object",
            **({"description": description} if description else {}),
            "properties": properties,
        }
        return {**schema, **({"required": required} if required else {})}


def nullable(schema: JsonObject) -> JsonObject:
    """The same, null allowed too."""
    return _either([schema, _NULL])


def _either(schemas: Sequence[JsonObject]) -> JsonObject:
    """What any of the schemas allows; a type that may be null, where that is all there is to it."""
    flat = [part for each in schemas for part in (as_list(each["anyOf"]) if set(each) == {"anyOf"} else [each])]
    parts: list[JsonObject] = []
    for part in map(as_object, flat):
        if not part:
            return {}
        if part not in parts:
            parts.append(part)
    rest = [part for part in parts if part != _NULL]
    if len(parts) == len(rest) or len(rest) > 1:
        return parts[0] if len(parts) == 1 else {"anyOf": [*parts]}
    only = rest[0] if rest else _NULL
    if not isinstance(only.get("type"), str):
        return only if "null" in as_list(only.get("type")) else {"anyOf": [*parts]}
    if only == _NULL:
        return only
    both: JsonObject = {**only, "type": [only["type"], "null"]}
    return {**both, "enum": [*as_list(both["enum"]), None]} if "enum" in both else both


def _annotated(beside: Sequence[ast.expr]) -> JsonObject:
    """What `Annotated[T, "…"]` and `Annotated[T, Field(description="…")]` tell of a value."""
    for each in beside:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            return {"description": words(each.value)}
        if description := field_description(each):
            return description
    return {}


def _with(schema: JsonObject, key: str, of_members: JsonObject) -> JsonObject:
    return {**schema, key: of_members} if of_members else schema


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
