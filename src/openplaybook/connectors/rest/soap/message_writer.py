"""A message of JSON: elements in the schema's order, whatever the order of the members; what does not fit is told with
its path.

An object may stand for an array of one. Where a type holds nothing but ids of several types, as
`{"ID": [{"type": "Employee_ID", "value": "21001"}]}`, `{"Employee_ID": "21001"}` says the same. null is `xsi:nil` where
that is allowed, and left out elsewhere.
"""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from openplaybook.connectors.errors import InvalidValue, UnknownName
from openplaybook.connectors.rest.soap.schema_model import (
    ComplexType,
    ElementDeclaration,
    Group,
    GroupKind,
    Particle,
    ServiceSchema,
    SimpleType,
)
from openplaybook.connectors.rest.soap.simple_values import written_simple
from openplaybook.connectors.rest.soap.xml_elements import SCHEMA_INSTANCE, local_name, namespace_of
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_MOST_DEPTH = 90
_MOST_ROUNDS = 100_000
_IN_TEXT = {"\r": "&#13;"}
_ID, _TYPE = "ID", "type"


class MessageWriter:
    """Writes one message of a service."""

    def __init__(self, schema: ServiceSchema) -> None:
        self._schema = schema
        self._prefixes: dict[str, str] = {SCHEMA_INSTANCE: "xsi"}
        self._parts: list[str] = []

    def written(self, name: str, value: JsonObject) -> str:
        """The element of an expanded name, with all declarations that it needs. Raises `InvalidValue` and
        `UnknownName`."""
        declaration = self._schema.elements.get(name) or ElementDeclaration(name, ComplexType())
        self._element(declaration, value, "", 0)
        declared = "".join(f" xmlns:{prefix}={quoteattr(uri)}" for uri, prefix in self._prefixes.items())
        # Behind the name of the root, which is the first of all parts.
        return "".join([self._parts[0], declared, *self._parts[1:]])

    def _element(self, declaration: ElementDeclaration, value: JsonValue, path: str, depth: int) -> None:
        if depth > _MOST_DEPTH:
            raise InvalidValue(path, f"has more than {_MOST_DEPTH} objects within each other")
        tag = self._named(declaration.name)
        self._parts.append(f"<{tag}")
        if value is None and declaration.is_nillable:
            self._parts.append(' xsi:nil="true"/>')
            return
        kind = self._schema.type_of(declaration)
        if isinstance(kind, SimpleType):
            self._parts.append(f">{escape(written_simple(kind, value, path), _IN_TEXT)}</{tag}>")
            return
        given = self._members(kind, value, path)
        self._attributes(kind, given, path)
        self._parts.append(">")
        if kind.value is not None:
            text = given.get(kind.value_member)
            is_missing = text is None
            if is_missing and kind.value.kind.value != "text":
                raise InvalidValue(_at(path, kind.value_member), "is required")
            written = "" if is_missing else written_simple(kind.value, text, _at(path, kind.value_member))
            self._parts.append(escape(written, _IN_TEXT))
        elif kind.content is not None:
            self._content(kind, kind.content, given, path, depth)
        self._parts.append(f"</{tag}>")

    def _members(self, kind: ComplexType, value: JsonValue, path: str) -> JsonObject:
        """The members of a value, each known. Raises `InvalidValue` and `UnknownName`."""
        if not isinstance(value, dict):
            if kind.value is not None and not isinstance(value, list) and value is not None:
                return {kind.value_member: value}
            raise InvalidValue(path, f"must be an object with: {', '.join(kind.members[:40]) or 'nothing'}")
        members = as_object(value)
        known = set(kind.members)
        unknown = [name for name in members if name not in known]
        if unknown and (types := id_types(self._schema, kind)):
            members = _with_ids(members, [name for name in unknown if name in types])
            unknown = [name for name in members if name not in known]
        if unknown:
            raise UnknownName("member", _at(path, unknown[0]), kind.members)
        return members

    def _attributes(self, kind: ComplexType, given: JsonObject, path: str) -> None:
        for name, attribute in kind.named_attributes.items():
            value = given.get(name)
            if value is None:
                if attribute.is_required:
                    raise InvalidValue(_at(path, name), "is required")
                continue
            text = written_simple(attribute.type, value, _at(path, name))
            quoted = quoteattr(text, {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})
            self._parts.append(f" {self._named(attribute.name)}={quoted}")

    def _content(self, kind: ComplexType, content: Group, given: JsonObject, path: str, depth: int) -> None:
        left: dict[str, list[JsonValue]] = {}
        for name, member in kind.elements.items():
            value = given.get(name)
            if isinstance(value, list):
                left[name] = as_list(value)[::-1]
            elif value is not None or (name in given and member.declaration.is_nillable):
                left[name] = [value]
        self._group(content, left, path, depth)
        for name, values in left.items():
            if values:
                most = kind.elements[name].declaration.most
                said = f"may stand {most} times at most" if most != 1 else "may stand only once"
                raise InvalidValue(_at(path, name), f"{said} here")

    def _group(self, group: Group, left: dict[str, list[JsonValue]], path: str, depth: int) -> None:
        """Write as much of a group as there is in `left`, whose arrays are reversed, and take it out."""
        rounds = 0
        while (group.most is None or rounds < group.most) and rounds < _MOST_ROUNDS:
            if not _has(group, left) and (rounds >= group.least or _is_emptiable(group)):
                return
            if group.kind is GroupKind.CHOICE:
                self._choice(group, left, path, depth)
            else:
                for each in group.parts:
                    self._particle(each, left, path, depth)
            rounds += 1

    def _choice(self, group: Group, left: dict[str, list[JsonValue]], path: str, depth: int) -> None:
        given = [each for each in group.parts if _has(each, left)]
        names = [each for part in group.parts for each in _names(part)]
        if not given:
            raise InvalidValue(path, f"needs one of {', '.join(names[:40])}")
        if len(given) > 1 and group.most == 1:
            both = ", ".join(name for part in given for name in _names(part) if left.get(name))
            raise InvalidValue(path, f"may have only one of {both}")
        self._particle(given[0], left, path, depth)

    def _particle(self, part: Particle, left: dict[str, list[JsonValue]], path: str, depth: int) -> None:
        if isinstance(part, Group):
            self._group(part, left, path, depth)
        elif isinstance(part, ElementDeclaration):
            values = left.get(part.local, [])
            count = len(values) if part.most is None else min(part.most, len(values))
            if count < part.least:
                said = f"needs {part.least} values at least" if part.least > 1 else "is required"
                raise InvalidValue(_at(path, part.local), said)
            for number in range(count):
                place = f"{part.local}[{number}]" if part.most != 1 else part.local
                self._element(part, values.pop(), _at(path, place), depth + 1)

    def _named(self, name: str) -> str:
        """A name with the prefix of its namespace; there is no default namespace."""
        namespace = namespace_of(name)
        if not namespace:
            return local_name(name)
        prefix = self._prefixes.setdefault(namespace, f"n{len(self._prefixes)}")
        return f"{prefix}:{local_name(name)}"


def _names(part: Particle) -> list[str]:
    if isinstance(part, ElementDeclaration):
        return [part.local]
    return [each.local for each, _ in part.elements()] if isinstance(part, Group) else []


def _has(part: Particle, left: dict[str, list[JsonValue]]) -> bool:
    """Whether something of a part was given."""
    return any(left.get(name) for name in _names(part))


def _is_emptiable(part: Particle) -> bool:
    """Whether a part may be nothing."""
    if isinstance(part, ElementDeclaration):
        return part.least == 0
    if isinstance(part, Group):
        each = [_is_emptiable(inner) for inner in part.parts]
        return part.least == 0 or not each or (any(each) if part.kind is GroupKind.CHOICE else all(each))
    return True


def id_types(schema: ServiceSchema, kind: ComplexType) -> frozenset[str]:
    """Types of ids of a type that holds nothing else; empty for another."""
    member = kind.elements.get(_ID)
    if member is None or len(kind.elements) > 1:
        return frozenset()
    inner = schema.type_of(member.declaration)
    attribute = inner.named_attributes.get(_TYPE) if isinstance(inner, ComplexType) else None
    if attribute is None or not isinstance(inner, ComplexType) or inner.value is None:
        return frozenset()
    return frozenset(attribute.type.values or attribute.type.documented)


def _with_ids(members: JsonObject, types: Sequence[str]) -> JsonObject:
    """`{"Employee_ID": "21001"}` as ids with their type."""
    own = members.get(_ID, [])
    ids = as_list(own) if isinstance(own, list) else [own]
    more: list[JsonValue] = [{_TYPE: name, "value": members[name]} for name in types]
    return {**{name: each for name, each in members.items() if name not in types}, _ID: [*ids, *more]}


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
