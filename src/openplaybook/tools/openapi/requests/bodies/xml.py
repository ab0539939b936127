"""JSON values as XML, named and nested as the schema's `xml` object says (OAS 3.1.1 §4.8.26)."""

import re
from xml.sax.saxutils import escape, quoteattr

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.requests.bodies.schema_views import SchemaView, view
from openplaybook.tools.openapi.requests.parameter_places import InvalidArguments
from openplaybook.tools.openapi.requests.styles import text
from openplaybook.tools.openapi.schemas.definitions import Definitions

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_ROOT = "root"
_MAX_DEPTH = 64
_NAME = re.compile(r"[^\W\d][\w.\-]*(:[^\W\d][\w.\-]*)?")
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REFERENCE = "#/$defs/"


class XmlWriter:
    """Writes values by the schemas of one document."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions

    def document(self, value: JsonValue, schema: JsonObject, name: str = "") -> str:
        """A whole document; a text is one already. The root is called what the schema says, else `name`, else what
        the schema is called in the description. Raises `InvalidArguments` for what XML cannot hold."""
        if isinstance(value, str):
            return value
        name = name or str(schema.get("$ref", "")).removeprefix(_REFERENCE) or _ROOT
        return _DECLARATION + self._root(name, value, view(schema, self._definitions))

    def _root(self, name: str, value: JsonValue, schema_view: SchemaView) -> str:
        name = str(schema_view.xml.get("name") or name)
        if not isinstance(value, list):
            return self._element(name, value, schema_view, 0)
        inner = view(schema_view.items, self._definitions)
        children = (self._element(_own_name(inner, name), item, inner, 1) for item in as_list(value))
        return _tag(name, schema_view.xml, "", "".join(children))

    def _element(self, name: str, value: JsonValue, schema_view: SchemaView, depth: int) -> str:
        """One element; `seen` describes its value."""
        if depth > _MAX_DEPTH:
            raise InvalidArguments(f"the body is nested more than {_MAX_DEPTH} levels")
        if not isinstance(value, dict):
            return _tag(name, schema_view.xml, "", _escaped("" if value is None else text(value)))
        attributes: list[str] = []
        children: list[str] = []
        for key, item in as_object(value).items():
            child = view(schema_view.properties.get(key, schema_view.others), self._definitions)
            if item is None:
                continue
            if child.xml.get("attribute") is True:
                attributes.append(_attribute(_own_name(child, key), child.xml, text(item)))
            else:
                children.append(self._member(key, item, child, depth + 1))
        return _tag(name, schema_view.xml, "".join(attributes), "".join(children))

    def _member(self, key: str, value: JsonValue, schema_view: SchemaView, depth: int) -> str:
        """A member: one element, or those of an array's items, wrapped in one more or not."""
        if not isinstance(value, list):
            return self._element(_own_name(schema_view, key), value, schema_view, depth)
        is_wrapped = schema_view.xml.get("wrapped") is True
        outer = _own_name(schema_view, key) if is_wrapped else key
        inner = view(schema_view.items, self._definitions)
        items = "".join(self._element(_own_name(inner, outer), item, inner, depth + 1) for item in as_list(value))
        return _tag(outer, schema_view.xml, "", items) if is_wrapped else items


def _own_name(schema_view: SchemaView, otherwise: str) -> str:
    return str(schema_view.xml.get("name") or otherwise)


def _tag(name: str, xml: JsonObject, attributes: str, content: str) -> str:
    """An element, its namespace declared on it."""
    qualified = _qualified(name, xml)
    namespace = xml.get("namespace")
    if isinstance(namespace, str) and namespace:
        prefix = xml.get("prefix")
        attributes = f" xmlns{f':{prefix}' if prefix else ''}={_quoted(namespace)}{attributes}"
    return f"<{qualified}{attributes}>{content}</{qualified}>" if content else f"<{qualified}{attributes}/>"


def _attribute(name: str, xml: JsonObject, value: str) -> str:
    namespace, prefix = xml.get("namespace"), xml.get("prefix")
    declared = f" xmlns:{prefix}={_quoted(str(namespace))}" if namespace and prefix else ""
    return f"{declared} {_qualified(name, xml)}={_quoted(value)}"


def _qualified(name: str, xml: JsonObject) -> str:
    prefix = xml.get("prefix")
    qualified = f"{prefix}:{name}" if isinstance(prefix, str) and prefix else name
    if not _NAME.fullmatch(qualified):
        raise InvalidArguments(f"{qualified!r} cannot be the name of an XML element or attribute")
    return qualified


def _escaped(value: str) -> str:
    # A bare carriage return would be read as a line feed (XML 1.0 §2.11).
    return escape(_checked(value), {"\r": "&#13;"})


def _quoted(value: str) -> str:
    return quoteattr(_checked(value))


def _checked(value: str) -> str:
    if illegal := _FORBIDDEN.search(value):
        raise InvalidArguments(f"XML cannot hold the character U+{ord(illegal.group()):04X}")
    return value
