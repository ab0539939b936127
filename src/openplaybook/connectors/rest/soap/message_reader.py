"""The JSON of a message: members as the schema calls them, arrays where elements may be repeated.

What a reply has besides, since the service is newer than its description, is read as it comes.
"""

from collections.abc import Mapping

from openplaybook.connectors.rest.soap.schema_model import ANY_TYPE, ComplexType, ServiceSchema, SimpleType
from openplaybook.connectors.rest.soap.simple_values import read_simple
from openplaybook.connectors.rest.soap.xml_elements import SCHEMA_INSTANCE, XmlElement, local_name
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list

_NIL = f"{{{SCHEMA_INSTANCE}}}nil"
_KIND = f"{{{SCHEMA_INSTANCE}}}type"
_INSTANCE = f"{{{SCHEMA_INSTANCE}}}"


class MessageReader:
    """Reads messages of one service."""

    def __init__(self, schema: ServiceSchema) -> None:
        self._schema = schema

    def read(self, element: XmlElement) -> JsonValue:
        """The value of an element that the schema describes by its name, or of any other."""
        declaration = self._schema.elements.get(element.name)
        kind = self._schema.type_of(declaration) if declaration is not None else ANY_TYPE
        return self._value(kind, element)

    def _value(self, kind: SimpleType | ComplexType, element: XmlElement) -> JsonValue:
        if element.attributes.get(_NIL, "").strip() in ("true", "1"):
            return None
        if _KIND in element.attributes:
            kind = self._schema.types.get(element.expanded(element.attributes[_KIND]), kind)
        if isinstance(kind, SimpleType):
            return read_simple(kind, element.text) if not element.children else self._any(element)
        if not kind.members:
            found = self._any(element)
            return {} if found == "" and kind is not ANY_TYPE else found
        made = self._attributes(kind, element.attributes)
        if kind.value is not None and not element.children:
            made[kind.value_member] = read_simple(kind.value, element.text)
        for each in element.children:
            self._add(kind, made, each)
        return made

    def _attributes(self, kind: ComplexType, attributes: Mapping[str, str]) -> JsonObject:
        names = {attribute.name: (name, attribute.type) for name, attribute in kind.named_attributes.items()}
        made: JsonObject = {}
        for name, text in attributes.items():
            if name.startswith(_INSTANCE):
                continue
            member, simple = names.get(name, (f"@{local_name(name)}", SimpleType()))
            made[member] = read_simple(simple, text)
        return made

    def _add(self, kind: ComplexType, made: JsonObject, element: XmlElement) -> None:
        member = kind.elements.get(element.local)
        if member is None or member.declaration.name != element.name:
            # Also a name that is known, in a namespace that is not.
            _put(made, element.local, self.read(element))
            return
        value = self._value(self._schema.type_of(member.declaration), element)
        if member.is_repeated:
            as_list(made.setdefault(element.local, [])).append(value)
        else:
            _put(made, element.local, value)

    def _any(self, element: XmlElement) -> JsonValue:
        """What nothing is known of: a text, or an object."""
        members: JsonObject = {
            f"@{local_name(name)}": text for name, text in element.attributes.items() if not name.startswith(_INSTANCE)
        }
        for each in element.children:
            _put(members, each.local, self.read(each))
        if not members:
            return element.text
        return members | ({"value": element.text} if element.text.strip() and not element.children else {})


def _put(made: JsonObject, name: str, value: JsonValue) -> None:
    """A member; of a name that comes again, a list."""
    if name not in made:
        made[name] = value
    elif isinstance(made[name], list):
        as_list(made[name]).append(value)
    else:
        made[name] = [made[name], value]
