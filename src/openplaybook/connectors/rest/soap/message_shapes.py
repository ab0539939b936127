"""The JSON Schema of a message, as deep as fits: types of a service are thousands, who writes a request needs few."""

from openplaybook.connectors.errors import UnknownName
from openplaybook.connectors.rest.soap.message_writer import id_types
from openplaybook.connectors.rest.soap.schema_model import (
    ComplexType,
    ElementDeclaration,
    Group,
    GroupKind,
    ServiceSchema,
    SimpleType,
)
from openplaybook.connectors.rest.soap.simple_values import simple_schema
from openplaybook.jsonvalues import JsonObject, dumps

MOST_BYTES = 12_000
"""Of a schema."""
_DEEPEST = 8
_MOST_MEMBERS = 4_000


class _TooLarge(Exception):
    """There are more members than fit at this depth."""


class MessageShapes:
    """Describes messages of one service."""

    def __init__(self, schema: ServiceSchema) -> None:
        self._schema = schema
        self._count = 0

    def described(self, name: str, path: str, *, is_request: bool) -> JsonObject:
        """The schema of an element, or of what a path of members such as `Worker_Data.Personal_Data` leads to in it.
        Raises `UnknownName`."""
        declaration = self._schema.elements.get(name) or ElementDeclaration(name, ComplexType())
        kind: SimpleType | ComplexType = self._schema.type_of(declaration)
        for step in (each for each in path.split(".") if each):
            member = kind.elements.get(step) if isinstance(kind, ComplexType) else None
            if member is None:
                raise UnknownName("member", step, kind.elements if isinstance(kind, ComplexType) else ())
            kind = self._schema.type_of(member.declaration)
        for depth in range(_DEEPEST, 0, -1):
            self._count = 0
            try:
                made = self._type(kind, depth, path, is_request)
            except _TooLarge:
                continue
            if len(dumps(made)) <= MOST_BYTES:
                return made
        return self._type(kind, 1, path, is_request)

    def _type(self, kind: SimpleType | ComplexType, depth: int, path: str, is_request: bool) -> JsonObject:
        if isinstance(kind, SimpleType):
            return simple_schema(kind)
        if not kind.members:
            return {}
        types = id_types(self._schema, kind)
        if types and is_request:
            ids: JsonObject = {each: {"type": "string"} for each in sorted(types)}
            return {"type": "object", "description": "A reference: one of these ids.", "properties": ids}
        if depth == 0:
            return {"type": "object", "description": f"Described by the path {path}."}
        made: JsonObject = {"type": "object", "properties": self._members(kind, depth, path, is_request)}
        required = [name for name, each in kind.named_attributes.items() if each.is_required]
        if kind.value is not None:
            required.append(kind.value_member)
        required += _required(kind.content) if kind.content is not None else []
        if required:
            made["required"] = list(dict.fromkeys(required))
        choices = _choices(kind.content) if kind.content is not None else []
        if choices:
            made["description"] = "; ".join(f"only one of {', '.join(each)}" for each in choices)
        return made

    def _members(self, kind: ComplexType, depth: int, path: str, is_request: bool) -> JsonObject:
        self._count += len(kind.members)
        if self._count > _MOST_MEMBERS and depth > 1:
            raise _TooLarge
        made: JsonObject = {}
        for name, attribute in kind.named_attributes.items():
            made[name] = simple_schema(attribute.type)
        if kind.value is not None:
            made[kind.value_member] = simple_schema(kind.value)
        for name, member in kind.elements.items():
            inner = self._schema.type_of(member.declaration)
            schema = self._type(inner, depth - 1, f"{path}.{name}" if path else name, is_request)
            said = member.declaration.documentation
            if said and "description" not in schema:
                schema = schema | {"description": said[:200]}
            made[name] = {"type": "array", "items": schema} if member.is_repeated else schema
        return made


def _required(group: Group) -> list[str]:
    """Members that a group always has."""
    if group.kind is GroupKind.CHOICE or group.least == 0:
        return []
    made: list[str] = []
    for each in group.parts:
        if isinstance(each, Group):
            made += _required(each)
        elif isinstance(each, ElementDeclaration) and each.least > 0:
            made.append(each.local)
    return made


def _choices(group: Group) -> list[list[str]]:
    """Members of which only one may be there."""
    made: list[list[str]] = []
    if group.kind is GroupKind.CHOICE and group.most == 1:
        made.append([each.local for each, _ in group.elements()])
    for each in group.parts:
        if isinstance(each, Group) and group.kind is not GroupKind.CHOICE:
            made += _choices(each)
    return made
