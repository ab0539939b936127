"""Elements that a schema allows, made by walking XML Schema as it stands: independent of what reads it elsewhere."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

ETREE = cast(Any, import_module("lxml.etree"))
"""lxml has no types of its own."""

XSD = "{http://www.w3.org/2001/XMLSchema}"
_TEXTS = {
    "boolean": "true",
    "decimal": "7",
    "integer": "7",
    "int": "7",
    "date": "2026-11-30",
    "dateTime": "2026-11-30T09:00:00.123Z",
    "time": "09:00:00",
    "base64Binary": "AQID",
}


@dataclass
class XsdSamples:
    """Makes elements of one schema, which stands in one `xsd:schema` with qualified names."""

    schema: Any
    turn: int = 0
    """Which of a choice is taken, in turn."""
    deepest: int = 7
    """Where optional elements end."""
    is_full: bool = True
    """Whether what is optional is there."""
    _types: dict[str, Any] = field(default_factory=dict[str, Any])
    _count: int = 0

    def __post_init__(self) -> None:
        self.namespace = self.schema.get("targetNamespace")
        for each in self.schema:
            if each.tag in (f"{XSD}complexType", f"{XSD}simpleType"):
                self._types[each.get("name")] = each
        self._elements = {each.get("name"): each for each in self.schema.findall(f"{XSD}element")}
        self._attributes = {each.get("name"): each for each in self.schema.findall(f"{XSD}attribute")}

    def element(self, name: str) -> Any:
        """A global element."""
        self._count = 0
        return self._made(self._elements[name], 0)

    def _made(self, node: Any, depth: int) -> Any:
        self._count += 1
        made = ETREE.Element(f"{{{self.namespace}}}{node.get('name')}", nsmap={"w": self.namespace})
        inner = node.find(f"{XSD}complexType")
        inner = node.find(f"{XSD}simpleType") if inner is None else inner
        if node.get("type"):
            self._fill_named(made, node.get("type"), depth)
        elif inner is not None:
            self._fill(made, inner, depth)
        return made

    def _fill_named(self, made: Any, name: str, depth: int) -> None:
        prefix, _, local = name.rpartition(":")
        if self.schema.nsmap[prefix] == XSD.strip("{}"):
            made.text = _TEXTS.get(local, f"text {self._count % 7} <&>")
        else:
            self._fill(made, self._types[local], depth)

    def _fill(self, made: Any, node: Any, depth: int) -> None:
        if node.tag == f"{XSD}simpleType":
            made.text = self._simple(node)
            return
        inner = node.find(f"{XSD}simpleContent")
        inner = node.find(f"{XSD}complexContent") if inner is None else inner
        if inner is not None:
            extension = inner.find(f"{XSD}extension")
            self._fill_named(made, extension.get("base"), depth)
            node = extension
        for each in node:
            if each.tag in (f"{XSD}sequence", f"{XSD}choice"):
                self._group(made, each, depth)
            elif each.tag == f"{XSD}attribute":
                self._attribute(made, each)

    def _group(self, made: Any, node: Any, depth: int) -> None:
        parts = [each for each in node if each.tag in (f"{XSD}element", f"{XSD}sequence", f"{XSD}choice")]
        if node.tag == f"{XSD}choice":
            parts = [parts[self.turn % len(parts)]]
        for each in parts:
            if each.tag != f"{XSD}element":
                self._group(made, each, depth)
                continue
            least, most = int(each.get("minOccurs", 1)), each.get("maxOccurs", "1")
            wanted = least if depth >= self.deepest or not self.is_full or self._count > 3_000 else max(least, 1)
            if most == "unbounded" and self.is_full and depth < 3 and wanted:
                wanted = max(wanted, 2)
            for _ in range(wanted):
                made.append(self._made(each, depth + 1))

    def _attribute(self, made: Any, node: Any) -> None:
        if not self.is_full and node.get("use") != "required":
            return
        name = node.get("name") or node.get("ref").rpartition(":")[2]
        declared = node if node.get("name") else self._attributes[name]
        own = declared.find(f"{XSD}simpleType")
        text = self._simple(own) if own is not None else self._text_of(declared.get("type", "xsd:string"))
        made.set(f"{{{self.namespace}}}{name}", text)

    def _text_of(self, name: str) -> str:
        prefix, _, local = name.rpartition(":")
        if prefix == "xsd":
            return _TEXTS.get(local, "a text")
        return self._simple(self._types[local])

    def _simple(self, node: Any) -> str:
        restriction = node.find(f"{XSD}restriction")
        values = [each.get("value") for each in restriction.findall(f"{XSD}enumeration")]
        if values:
            return values[self.turn % len(values)]
        places = restriction.find(f"{XSD}fractionDigits")
        if places is not None and int(places.get("value")) > 0:
            return "0.10"[: 2 + int(places.get("value"))]
        most = restriction.find(f"{XSD}maxLength")
        text = self._text_of(restriction.get("base"))
        return text if most is None else text[: int(most.get("value"))]
