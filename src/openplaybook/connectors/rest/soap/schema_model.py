"""The parts of XML Schema 1.0 that services' messages are made of, and how each is called in JSON.

An element is a member by its local name, an array where it may be repeated; an attribute is a member by its local name,
with `@` before it where an element has the same; the text of an element with attributes is the member `value`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from openplaybook.connectors.rest.soap.xml_elements import local_name

VALUE = "value"


class SimpleKind(Enum):
    """What the text of a value is."""

    TEXT = "text"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    DECIMAL = "decimal"
    DOUBLE = "double"
    DATE = "date"
    TIMESTAMP = "dateTime"
    TIME = "time"
    BASE64 = "base64Binary"
    HEX = "hexBinary"


@dataclass(frozen=True, slots=True)
class SimpleType:
    """A value that is written as text. What of its rules is not here (patterns), the system tries."""

    kind: SimpleKind = SimpleKind.TEXT
    is_list: bool = False
    """Whether it is many, with spaces between."""
    values: tuple[str, ...] = ()
    """The only ones; empty for any."""
    documented: tuple[str, ...] = ()
    """Values that the description names without forbidding others, such as the types of ids that a system knows."""
    least_length: int | None = None
    most_length: int | None = None
    digits: int | None = None
    places: int | None = None
    least: str = ""
    most: str = ""
    """Bounds of a number, themselves allowed; empty for none."""


@dataclass(frozen=True, slots=True)
class AttributeDeclaration:
    """An attribute."""

    name: str
    """Expanded."""
    type: SimpleType
    is_required: bool = False
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class ElementDeclaration:
    """An element where it may stand."""

    name: str
    """Expanded."""
    type: "str | SimpleType | ComplexType"
    """The expanded name of a type, or the type itself."""
    least: int = 1
    most: int | None = 1
    """None for any number."""
    is_nillable: bool = False
    documentation: str = ""

    @property
    def local(self) -> str:
        """The name without its namespace, which is that of the member."""
        return local_name(self.name)


class GroupKind(Enum):
    """How the parts of a group stand together."""

    SEQUENCE = "sequence"
    CHOICE = "choice"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Wildcard:
    """Any element; they can be read, and not written."""


@dataclass(frozen=True, slots=True)
class Group:
    """Elements that stand in an order, or of which one is chosen."""

    kind: GroupKind
    parts: tuple["Particle", ...]
    least: int = 1
    most: int | None = 1

    def elements(self, *, is_repeated: bool = False) -> Iterator[tuple[ElementDeclaration, bool]]:
        """All elements in it, and whether there may be several of each."""
        repeated = is_repeated or self.most != 1
        for each in self.parts:
            if isinstance(each, Group):
                yield from each.elements(is_repeated=repeated)
            elif isinstance(each, ElementDeclaration):
                yield each, repeated or each.most != 1


Particle: TypeAlias = ElementDeclaration | Group | Wildcard


@dataclass(frozen=True, slots=True)
class ElementMember:
    """How elements of a name are found in JSON."""

    declaration: ElementDeclaration
    is_repeated: bool


@dataclass(frozen=True, slots=True)
class ComplexType:
    """An element with attributes or elements in it."""

    content: Group | None = None
    value: SimpleType | None = None
    """Of its text, where it has no elements."""
    attributes: tuple[AttributeDeclaration, ...] = ()
    documentation: str = ""
    elements: Mapping[str, ElementMember] = field(default_factory=dict[str, ElementMember])
    """By the member's name."""
    named_attributes: Mapping[str, AttributeDeclaration] = field(default_factory=dict[str, AttributeDeclaration])
    """By the member's name."""

    @property
    def value_member(self) -> str:
        """The name of the member that holds the text."""
        return "#value" if VALUE in self.named_attributes else VALUE

    @property
    def members(self) -> list[str]:
        """Names of all members."""
        own = [self.value_member] if self.value is not None else []
        return [*self.named_attributes, *self.elements, *own]


def complex_type(
    content: Group | None, value: SimpleType | None, attributes: tuple[AttributeDeclaration, ...], documentation: str
) -> ComplexType:
    """A type with the names of its members."""
    elements: dict[str, ElementMember] = {}
    for declaration, is_repeated in content.elements() if content is not None else ():
        known = elements.get(declaration.local)
        elements[declaration.local] = ElementMember(declaration, is_repeated or known is not None)
    named = {(f"@{name}" if (name := local_name(each.name)) in elements else name): each for each in attributes}
    return ComplexType(content, value, attributes, documentation, elements, named)


ANY_TYPE = ComplexType(Group(GroupKind.SEQUENCE, (Wildcard(),), 0, None))
"""What may be anything."""


@dataclass(frozen=True, slots=True)
class ServiceSchema:
    """All types and elements of a service."""

    types: Mapping[str, SimpleType | ComplexType]
    elements: Mapping[str, ElementDeclaration]

    def type_of(self, declaration: ElementDeclaration) -> SimpleType | ComplexType:
        """The type of an element; one that is not described may be anything."""
        kind = declaration.type
        return self.types.get(kind, ANY_TYPE) if isinstance(kind, str) else kind


@dataclass(frozen=True, slots=True)
class SoapOperation:
    """An operation of a service."""

    name: str
    input: str
    """Expanded name of the element in a request's body; empty for none."""
    output: str
    """The same of a reply."""
    action: str = ""
    """The header `SOAPAction`."""
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class SoapService:
    """What a WSDL says."""

    operations: Mapping[str, SoapOperation]
    schema: ServiceSchema
