"""What an OData service tells of itself in its `$metadata`: CSDL of version 4, EDMX of versions 2 and 3.

The document is a stranger's: expat reads it piece by piece, without a document type, without entities, within bounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from openplaybook.connectors.errors import SystemFault
from openplaybook.connectors.rest.manifest.field_notation import from_words
from openplaybook.connectors.rest.manifest.model import RestField

_PIECE = 64 * 1024
_MOST_DEPTH = 40
_MOST_ELEMENTS = 3_000_000
_MOST_TEXT = 500
"""Characters of a description."""
_CORE = "Org.OData.Core.V1."
_WORDS_OF_4 = {
    "Edm.String": "string",
    "Edm.Boolean": "boolean",
    "Edm.Byte": "integer",
    "Edm.SByte": "integer",
    "Edm.Int16": "integer",
    "Edm.Int32": "integer",
    "Edm.Int64": "bigint",
    "Edm.Decimal": "decimal",
    "Edm.Double": "double",
    "Edm.Single": "double",
    "Edm.Guid": "uuid",
    "Edm.Date": "date",
    "Edm.DateTimeOffset": "timestamp",
    "Edm.TimeOfDay": "time",
    "Edm.Duration": "string",
    "Edm.Binary": "binary",
}
_WORDS_OF_2 = _WORDS_OF_4 | {
    "Edm.Int64": "int64",
    "Edm.Decimal": "decimal_text",
    "Edm.Double": "decimal_text",
    "Edm.Single": "decimal_text",
    "Edm.DateTime": "datetime_v2",
    "Edm.DateTimeOffset": "timestamp_v2",
    "Edm.Time": "string",
}


@dataclass(slots=True)
class _Property:
    name: str
    type: str
    flags: set[str] = field(default_factory=set[str])
    description: str = ""


@dataclass(slots=True)
class _Type:
    base: str
    keys: list[str] = field(default_factory=list[str])
    properties: list[_Property] = field(default_factory=list[_Property])


def set_fields(document: bytes, name: str) -> list[RestField]:
    """The fields of an entity set; none for one that the document does not name. Raises `SystemFault` for a document
    that cannot be read, or is larger than whoever asks for a type has a use for."""
    reader = _Reader()
    reader.read(document)
    type_name = reader.sets.get(name)
    if type_name is None:
        return []
    lineage = list(reader.lineage(type_name))
    keys: list[str] = next((each.keys for each in reversed(lineage) if each.keys), list[str]())
    words = _WORDS_OF_4 if reader.version.startswith("4") else _WORDS_OF_2
    found: dict[str, RestField] = {}
    for each in lineage:
        for item in each.properties:
            made = _field(item, words, is_key=item.name in keys)
            if made is not None:
                found[item.name] = made
    return list(found.values())


def _field(item: _Property, words: dict[str, str], *, is_key: bool) -> RestField | None:
    """None for one that has no value in a reply, or whose name no condition could hold."""
    inner = item.type.removeprefix("Collection(").removesuffix(")")
    if item.type == "Edm.Stream" or any(char in item.name for char in " {}\t\n"):
        return None
    # What is no type of OData's own is an enumeration or a complex type.
    word = words.get(inner, "any")
    suffix = "[]" if inner != item.type else ""
    flags = sorted(item.flags) + (["key"] if is_key else [])
    if word == "any" and "nofilter" not in flags:
        flags.append("nofilter")
    made = from_words(item.name, " ".join([word + suffix, *flags]), item.name)
    return replace(made, field=replace(made.field, description=item.description))


class _Reader:
    """Gathers entity types and sets while expat goes through the document."""

    def __init__(self) -> None:
        self.version = ""
        self.sets: dict[str, str] = {}
        self._types: dict[str, _Type] = {}
        self._aliases: dict[str, str] = {}
        self._namespace = ""
        self._open: list[str] = []
        self._type: _Type | None = None
        self._property: _Property | None = None
        self._target = ""
        self._told: dict[str, _Property] = {}
        """`Type/property` → what annotations elsewhere say of it."""
        self._elements = 0
        self._handlers = {
            "Edmx": self._edmx,
            "Schema": self._schema,
            "EntityType": self._entity_type,
            "PropertyRef": self._key,
            "Property": self._member,
            "EntitySet": self._set,
            "Annotations": self._annotations,
            "Annotation": self._annotation,
        }

    def read(self, document: bytes) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._started
        parser.EndElementHandler = self._ended
        parser.StartDoctypeDeclHandler = _refused
        parser.EntityDeclHandler = _refused
        parser.ExternalEntityRefHandler = _refused
        try:
            for start in range(0, len(document), _PIECE):
                parser.Parse(document[start : start + _PIECE], False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise SystemFault(f"the system's $metadata is no XML that can be read: {error}") from error
        for target, told in self._told.items():
            owner, _, name = target.partition("/")
            found = self._types.get(self._full(owner))
            for each in found.properties if found is not None else ():
                if each.name == name:
                    each.flags |= told.flags
                    each.description = each.description or told.description

    def lineage(self, name: str) -> Iterator[_Type]:
        """The types that a type is derived from, the first of them first, and itself."""
        found: list[_Type] = []
        while len(found) < _MOST_DEPTH:
            each = self._types.get(self._full(name))
            if each is None:
                break
            found.append(each)
            name = each.base
        return reversed(found)

    def _full(self, name: str) -> str:
        prefix, _, last = name.rpartition(".")
        return f"{self._aliases[prefix]}.{last}" if prefix in self._aliases else name

    def _started(self, tag: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if len(self._open) >= _MOST_DEPTH or self._elements > _MOST_ELEMENTS:
            raise SystemFault("the system's $metadata has more elements, or deeper ones, than are read")
        name = tag.rpartition(":")[2]
        self._open.append(name)
        given = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        handler = self._handlers.get(name)
        if handler is not None:
            handler(given)

    def _ended(self, tag: str) -> None:
        name = self._open.pop()
        if name == "EntityType":
            self._type = None
        elif name == "Property":
            self._property = None
        elif name == "Annotations":
            self._target = ""

    def _edmx(self, given: dict[str, str]) -> None:
        self.version = given.get("Version", "")

    def _schema(self, given: dict[str, str]) -> None:
        self._namespace = given.get("Namespace", "")
        if given.get("Alias"):
            self._aliases[given["Alias"]] = self._namespace

    def _entity_type(self, given: dict[str, str]) -> None:
        self._type = self._types.setdefault(f"{self._namespace}.{given.get('Name')}", _Type(given.get("BaseType", "")))

    def _key(self, given: dict[str, str]) -> None:
        if self._type is not None and "Key" in self._open:
            self._type.keys.append(given.get("Name", ""))

    def _member(self, given: dict[str, str]) -> None:
        if self._type is None:
            return
        self._property = _Property(given.get("Name", ""), given.get("Type", ""), set(_sap_flags(given)))
        self._property.description = given.get("label", "")[:_MOST_TEXT]
        self._type.properties.append(self._property)

    def _set(self, given: dict[str, str]) -> None:
        self.sets[given.get("Name", "")] = given.get("EntityType", "")

    def _annotations(self, given: dict[str, str]) -> None:
        self._target = given.get("Target", "")

    def _annotation(self, given: dict[str, str]) -> None:
        term = given.get("Term", "").removeprefix(_CORE)
        target = self._property
        if target is None and "/" in self._target:
            target = self._told.setdefault(self._target, _Property("", ""))
        if target is None:
            return
        flag = {"Computed": "ro", "Immutable": "create"}.get(term)
        if flag is not None and given.get("Bool", "true") == "true":
            target.flags.add(flag)
        elif term == "Description":
            target.description = given.get("String", "")[:_MOST_TEXT]


def _sap_flags(given: dict[str, str]) -> Iterator[str]:
    """What SAP's annotations of version 2 say of a property."""
    is_creatable, is_updatable = given.get("creatable") != "false", given.get("updatable") != "false"
    if not is_creatable and not is_updatable:
        yield "ro"
    elif not is_updatable:
        yield "create"
    elif not is_creatable:
        yield "update"
    if given.get("required") == "true" and is_creatable:
        yield "required"
    if given.get("filterable") == "false":
        yield "nofilter"


def _refused(*_: object) -> int:
    raise SystemFault("the system's $metadata has a document type or entities, which are not read")
