"""Reads the schemas of a service (XML Schema 1.0): sequences, choices, attributes, extensions and restrictions.

Nothing is fetched: a schema that another document holds is refused. What is read of a simple type is what can be tried
before a request is sent.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from openplaybook.connectors.rest.soap.schema_model import (
    ANY_TYPE,
    AttributeDeclaration,
    ComplexType,
    ElementDeclaration,
    Group,
    GroupKind,
    Particle,
    ServiceSchema,
    SimpleKind,
    SimpleType,
    Wildcard,
    complex_type,
)
from openplaybook.connectors.rest.soap.xml_elements import UnreadableXml, XmlElement

XSD = "{http://www.w3.org/2001/XMLSchema}"
_MOST_TEXT = 500
"""Characters of a documentation."""
_MOST_VALUES = 500
_MOST_BASES = 50
_GROUPS = {f"{XSD}{each.value}": each for each in GroupKind}
_INTEGERS = ("integer", "long", "int", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger")
_MORE_INTEGERS = ("negativeInteger", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte")
BUILT_IN: Mapping[str, SimpleType] = {
    **{f"{XSD}{name}": SimpleType(SimpleKind.INTEGER) for name in (*_INTEGERS, *_MORE_INTEGERS)},
    **{
        f"{XSD}{each.value}": SimpleType(each)
        for each in SimpleKind
        if each not in (SimpleKind.TEXT, SimpleKind.INTEGER, SimpleKind.DOUBLE)
    },
    f"{XSD}float": SimpleType(SimpleKind.DOUBLE),
    f"{XSD}double": SimpleType(SimpleKind.DOUBLE),
    **{f"{XSD}{name}": SimpleType(is_list=True) for name in ("NMTOKENS", "IDREFS", "ENTITIES")},
}
"""Types of XML Schema; all others are texts."""


def read_schemas(schemas: Iterable[XmlElement]) -> ServiceSchema:
    """Types and elements of all `schema` elements. Raises `UnreadableXml`."""
    return _SchemaReader(list(schemas)).read()


@dataclass(slots=True)
class _Found:
    """A named thing, and the schema that it stands in."""

    node: XmlElement
    schema: XmlElement


@dataclass(slots=True)
class _SchemaReader:
    schemas: list[XmlElement]
    types: dict[str, SimpleType | ComplexType] = field(default_factory=dict[str, SimpleType | ComplexType])
    _raw: dict[str, dict[str, _Found]] = field(default_factory=dict[str, dict[str, _Found]])
    _bases: list[str] = field(default_factory=list[str])
    """Types that are being read because others are made of them."""

    def read(self) -> ServiceSchema:
        for schema in self.schemas:
            namespace = schema.attributes.get("targetNamespace", "")
            for node in schema.children:
                self._refuse_elsewhere(node)
                kind = "type" if node.local in ("complexType", "simpleType") else node.local
                name = node.attributes.get("name", "")
                self._raw.setdefault(kind, {})[_expanded(namespace, name)] = _Found(node, schema)
        for name in self._raw.get("type", {}):
            self._type(name)
        elements = {
            name: self._element(each.node, each.schema, is_global=True)
            for name, each in self._raw.get("element", {}).items()
        }
        return ServiceSchema(self.types, elements)

    @staticmethod
    def _refuse_elsewhere(node: XmlElement) -> None:
        if node.local in ("import", "include", "redefine") and "schemaLocation" in node.attributes:
            raise UnreadableXml(f"has a schema in another document ({node.attributes['schemaLocation'][:80]})")

    def _type(self, name: str) -> SimpleType | ComplexType:
        """A type by its expanded name; what nobody describes may be anything."""
        known = self.types.get(name)
        if known is not None:
            return known
        if name.startswith(XSD):
            return ANY_TYPE if name == f"{XSD}anyType" else BUILT_IN.get(name, SimpleType())
        found = self._raw.get("type", {}).get(name)
        if found is None:
            return ANY_TYPE
        if name in self._bases or len(self._bases) > _MOST_BASES:
            raise UnreadableXml(f"has the type {name}, which is made of itself")
        self._bases.append(name)
        made = self._made(found.node, found.schema)
        self._bases.pop()
        self.types[name] = made
        return made

    def _made(self, node: XmlElement, schema: XmlElement) -> SimpleType | ComplexType:
        return self._simple(node) if node.name == f"{XSD}simpleType" else self._complex(node, schema)

    def _complex(self, node: XmlElement, schema: XmlElement) -> ComplexType:
        inner = node.first(f"{XSD}simpleContent") or node.first(f"{XSD}complexContent")
        if inner is None:
            content = self._content(node, schema)
            return complex_type(content, None, self._attributes(node, schema), documentation_of(node))
        derived = inner.first(f"{XSD}extension") or inner.first(f"{XSD}restriction")
        if derived is None:
            raise UnreadableXml(f"has a type with an empty {inner.local}")
        base = self._type(derived.expanded(derived.attributes.get("base", "")))
        own = self._attributes(derived, schema)
        names = {each.name for each in own}
        if isinstance(base, SimpleType):
            return complex_type(None, _narrowed(base, derived), own, documentation_of(node))
        attributes = (*(each for each in base.attributes if each.name not in names), *own)
        content = self._content(derived, schema)
        if derived.local == "extension":
            parts = tuple(each for each in (base.content, content) if each is not None)
            content = Group(GroupKind.SEQUENCE, parts) if len(parts) > 1 else parts[0] if parts else None
        value = None if base.value is None else _narrowed(base.value, derived)
        return complex_type(content, value, attributes, documentation_of(node))

    def _content(self, node: XmlElement, schema: XmlElement) -> Group | None:
        for each in node.children:
            if each.name in _GROUPS or each.name == f"{XSD}group":
                return self._group(each, schema)
        return None

    def _group(self, node: XmlElement, schema: XmlElement) -> Group:
        least, most = _occurs(node)
        if node.name == f"{XSD}group":
            name = node.expanded(node.attributes.get("ref", ""))
            found = self._raw.get("group", {}).get(name)
            content = None
            if found is not None and name not in self._bases:
                self._bases.append(name)
                content = self._content(found.node, found.schema)
                self._bases.pop()
            if content is None:
                raise UnreadableXml(f"names the group {name[:80]}, which cannot be read")
            return replace(content, least=least, most=most)
        parts = [self._particle(each, schema) for each in node.children]
        return Group(_GROUPS[node.name], tuple(each for each in parts if each is not None), least, most)

    def _particle(self, node: XmlElement, schema: XmlElement) -> Particle | None:
        if node.name == f"{XSD}element":
            return self._element(node, schema, is_global=False)
        if node.name in _GROUPS or node.name == f"{XSD}group":
            return self._group(node, schema)
        return Wildcard() if node.name == f"{XSD}any" else None

    def _element(self, node: XmlElement, schema: XmlElement, *, is_global: bool) -> ElementDeclaration:
        least, most = (1, 1) if is_global else _occurs(node)
        if "ref" in node.attributes:
            name = node.expanded(node.attributes["ref"])
            found = self._raw.get("element", {}).get(name)
            if found is None:
                return ElementDeclaration(name, ANY_TYPE, least, most)
            return replace(self._element(found.node, found.schema, is_global=True), least=least, most=most)
        own = node.first(f"{XSD}complexType") or node.first(f"{XSD}simpleType")
        kind: str | SimpleType | ComplexType = ANY_TYPE
        if "type" in node.attributes:
            name = node.expanded(node.attributes["type"])
            kind = self._type(name) if name.startswith(XSD) else name
        elif own is not None:
            kind = self._made(own, schema)
        is_qualified = is_global or _is_qualified(node, schema, "elementFormDefault")
        return ElementDeclaration(
            _expanded(schema.attributes.get("targetNamespace", "") if is_qualified else "", node.attributes["name"])
            if "name" in node.attributes
            else _nameless(node),
            kind,
            least,
            most,
            node.attributes.get("nillable") in ("true", "1"),
            documentation_of(node),
        )

    def _attributes(self, node: XmlElement, schema: XmlElement) -> tuple[AttributeDeclaration, ...]:
        made: list[AttributeDeclaration] = []
        for each in node.children:
            if each.name == f"{XSD}attributeGroup":
                name = each.expanded(each.attributes.get("ref", ""))
                found = self._raw.get("attributeGroup", {}).get(name)
                if found is not None and name not in self._bases:
                    self._bases.append(name)
                    made += self._attributes(found.node, found.schema)
                    self._bases.pop()
            elif each.name == f"{XSD}attribute" and each.attributes.get("use") != "prohibited":
                made.append(self._attribute(each, schema))
        return tuple(made)

    def _attribute(self, node: XmlElement, schema: XmlElement) -> AttributeDeclaration:
        is_required = node.attributes.get("use") == "required"
        if "ref" in node.attributes:
            name = node.expanded(node.attributes["ref"])
            found = self._raw.get("attribute", {}).get(name)
            kind = self._attribute_type(found.node) if found is not None else SimpleType()
            return AttributeDeclaration(name, kind, is_required, documentation_of(node))
        is_qualified = _is_qualified(node, schema, "attributeFormDefault")
        namespace = schema.attributes.get("targetNamespace", "") if is_qualified else ""
        name = _expanded(namespace, node.attributes.get("name", "") or _nameless(node))
        return AttributeDeclaration(name, self._attribute_type(node), is_required, documentation_of(node))

    def _attribute_type(self, node: XmlElement) -> SimpleType:
        own = node.first(f"{XSD}simpleType")
        named = self._type(node.expanded(node.attributes["type"])) if "type" in node.attributes else SimpleType()
        made = self._simple(own) if own is not None else named
        return made if isinstance(made, SimpleType) else SimpleType()

    def _simple(self, node: XmlElement) -> SimpleType:
        if node.first(f"{XSD}list") is not None:
            return SimpleType(is_list=True)
        restriction = node.first(f"{XSD}restriction")
        if restriction is None:
            # A union: a text that the system tries.
            return SimpleType()
        own = restriction.first(f"{XSD}simpleType")
        base = (
            self._simple(own)
            if own is not None
            else self._type(restriction.expanded(restriction.attributes.get("base", "")))
        )
        return _narrowed(base if isinstance(base, SimpleType) else SimpleType(), restriction)


def documentation_of(node: XmlElement) -> str:
    """What an annotation says, on one line."""
    annotation = node.first(f"{XSD}annotation")
    found = annotation.first(f"{XSD}documentation") if annotation is not None else None
    return " ".join(found.text.split())[:_MOST_TEXT] if found is not None else ""


def _narrowed(base: SimpleType, node: XmlElement) -> SimpleType:
    """A simple type with the facets of a restriction."""
    facets: dict[str, str] = {}
    values: list[str] = []
    for each in node.children:
        if each.name == f"{XSD}enumeration":
            values.append(each.attributes.get("value", ""))
        elif each.name.startswith(XSD):
            facets[each.local] = each.attributes.get("value", "")
    length = _number(facets.get("length"))
    return replace(
        base,
        values=tuple(values[:_MOST_VALUES]) or base.values,
        documented=_documented(node) or base.documented,
        least_length=length if length is not None else _or(_number(facets.get("minLength")), base.least_length),
        most_length=length if length is not None else _or(_number(facets.get("maxLength")), base.most_length),
        digits=_or(_number(facets.get("totalDigits")), base.digits),
        places=_or(_number(facets.get("fractionDigits")), base.places),
        least=facets.get("minInclusive", base.least),
        most=facets.get("maxInclusive", base.most),
    )


def _documented(node: XmlElement) -> tuple[str, ...]:
    """Values that stand in an annotation's `appinfo`, as elements called `enumeration`."""
    annotation = node.first(f"{XSD}annotation")
    infos = annotation.all(f"{XSD}appinfo") if annotation is not None else []
    found = [
        each.attributes.get("value", "") for info in infos for each in info.children if each.local == "enumeration"
    ]
    return tuple(each for each in found if each)[:_MOST_VALUES]


def _or(number: int | None, default: int | None) -> int | None:
    return default if number is None else number


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None


def _occurs(node: XmlElement) -> tuple[int, int | None]:
    least = _number(node.attributes.get("minOccurs"))
    most = node.attributes.get("maxOccurs", "1")
    return 1 if least is None else least, None if most == "unbounded" else _or(_number(most), 1)


def _is_qualified(node: XmlElement, schema: XmlElement, default: str) -> bool:
    return (node.attributes.get("form") or schema.attributes.get(default)) == "qualified"


def _expanded(namespace: str, name: str) -> str:
    return f"{{{namespace}}}{name}" if namespace else name


def _nameless(node: XmlElement) -> str:
    raise UnreadableXml(f"has an {node.local} without a name")
