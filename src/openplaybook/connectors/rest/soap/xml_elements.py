"""XML of strangers as a tree: expat reads it piece by piece, without a document type, without entities, within bounds.

What is no element or text (comments, instructions) is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
_PIECE = 64 * 1024
_MOST_DEPTH = 100
_MOST_TAG = 256 * 1024
"""Bytes that are read in one go: a longer tag would keep all other threads waiting."""
_SEPARATOR = " "


class UnreadableXml(ValueError):
    """A document is no XML, or more of it than is read; the message says what is wrong and where."""


@dataclass(frozen=True, slots=True)
class NamespaceScope:
    """Prefixes that an element declares, and those around it: shared, since copies would grow with their product."""

    declared: Mapping[str, str]
    """Prefix → namespace; the empty one is that of names without a prefix."""
    around: "NamespaceScope | None" = None

    def namespace(self, prefix: str) -> str:
        """The namespace of a prefix; empty without one."""
        scope: NamespaceScope | None = self
        while scope is not None:
            if prefix in scope.declared:
                return scope.declared[prefix]
            scope = scope.around
        return ""


_NO_SCOPE = NamespaceScope({})


@dataclass(slots=True)
class XmlElement:
    """An element."""

    name: str
    """Expanded: `{namespace}local`, or `local` without a namespace."""
    attributes: Mapping[str, str]
    """By expanded names."""
    scope: NamespaceScope
    """What prefixes mean here; shared by those that declare none."""
    text: str = ""
    """All of its own text, in order."""
    children: list["XmlElement"] = field(default_factory=list["XmlElement"])

    @property
    def local(self) -> str:
        """The name without its namespace."""
        return local_name(self.name)

    def all(self, name: str) -> list["XmlElement"]:
        """Children of an expanded name."""
        return [each for each in self.children if each.name == name]

    def first(self, name: str) -> "XmlElement | None":
        """The first child of an expanded name; None without one."""
        return next((each for each in self.children if each.name == name), None)

    def expanded(self, name: str) -> str:
        """`prefix:local`, as it stands in an attribute or a text, as an expanded name."""
        prefix, colon, local = name.strip().rpartition(":")
        namespace = self.scope.namespace(prefix if colon else "")
        return f"{{{namespace}}}{local}" if namespace else local


def local_name(name: str) -> str:
    """The part of an expanded name behind the namespace."""
    return name.rpartition("}")[2]


def namespace_of(name: str) -> str:
    """The namespace of an expanded name; empty without one."""
    return name[1:].partition("}")[0] if name.startswith("{") else ""


def parsed_xml(data: bytes, *, most_elements: int, left_out: frozenset[str] = frozenset()) -> XmlElement:
    """The root of a document; elements of the names in `left_out` are skipped with all that is in them. Raises
    `UnreadableXml`."""
    builder = _TreeBuilder(most_elements, left_out)
    parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = builder.document_type
    parser.StartNamespaceDeclHandler = builder.namespace
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    try:
        for place in range(0, len(data), _PIECE):
            parser.Parse(data[place : place + _PIECE], False)
            if place + _PIECE - parser.CurrentByteIndex > _MOST_TAG:
                raise UnreadableXml(f"has a tag of more than {_MOST_TAG:,} bytes")
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise UnreadableXml(f"is no XML: {error}") from error
    except (LookupError, ValueError) as error:
        raise UnreadableXml(str(error)) from error
    if builder.root is None:
        raise UnreadableXml("has no element")
    return builder.root


class _TreeBuilder:
    """Takes what expat finds."""

    def __init__(self, most_elements: int, left_out: frozenset[str]) -> None:
        self.root: XmlElement | None = None
        self._most = most_elements
        self._left_out = left_out
        self._open: list[XmlElement] = []
        self._texts: list[list[str]] = []
        self._declared: dict[str, str] = {}
        self._skipped = 0
        self._count = 0

    def document_type(self, *_: object) -> None:
        raise UnreadableXml("has a document type, which is not read")

    def namespace(self, prefix: str | None, uri: str | None) -> None:
        self._declared[prefix or ""] = uri or ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > self._most:
            raise UnreadableXml(f"has more than {self._most:,} elements")
        if len(self._open) + self._skipped >= _MOST_DEPTH:
            raise UnreadableXml(f"has more than {_MOST_DEPTH} elements within each other")
        expanded = _expanded(name)
        if self._skipped or expanded in self._left_out:
            self._skipped += 1
            self._declared = {}
            return
        around = self._open[-1].scope if self._open else _NO_SCOPE
        scope = NamespaceScope(self._declared, around) if self._declared else around
        self._declared = {}
        made = XmlElement(expanded, {_expanded(key): value for key, value in attributes.items()}, scope)
        if self._open:
            self._open[-1].children.append(made)
        elif self.root is None:
            self.root = made
        self._open.append(made)
        self._texts.append([])

    def end(self, _: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        self._open.pop().text = "".join(self._texts.pop())

    def text(self, data: str) -> None:
        if self._texts and not self._skipped:
            self._texts[-1].append(data)


def _expanded(name: str) -> str:
    namespace, separator, local = name.rpartition(_SEPARATOR)
    return f"{{{namespace}}}{local}" if separator else local
