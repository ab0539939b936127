"""XML and JSON as text: elements and members in their order."""

from collections.abc import Iterator
from importlib import import_module
from typing import Final, Protocol, cast

from openplaybook.jsonvalues import JsonValue, as_list, as_object, is_deep, loads
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractionLimits
from openplaybook.retrieval.extraction.block_collector import BlockCollector, clean_text
from openplaybook.retrieval.records.record_text import named_lines

_TITLES: Final = frozenset({"title", "head", "heading", "h1", "h2", "h3", "h4", "h5", "h6"})
_LANGUAGE: Final = "{http://www.w3.org/XML/1998/namespace}lang"


class _Element(Protocol):
    tag: object
    text: str | None
    tail: str | None
    attrib: dict[str, str]

    def __iter__(self) -> Iterator["_Element"]: ...
    def __len__(self) -> int: ...
    def itertext(self) -> Iterator[str]: ...
    def get(self, key: str) -> str | None: ...


class _XmlLibrary(Protocol):
    def XMLParser(self, **options: bool) -> object: ...
    def fromstring(self, text: bytes, parser: object) -> _Element: ...


_ETREE: Final = cast(_XmlLibrary, import_module("lxml.etree"))
"""lxml has no types of its own."""


def read_xml(data: bytes, limits: ExtractionLimits, into: BlockCollector) -> str:
    """Take the texts of an XML file: an element with text of its own is a paragraph, `title` and its like are headings.

    Gives the language that its root states. Nothing is loaded that the file refers to, and no entity of its own is
    resolved. Raises `InvalidSource`.
    """
    if b"<!ENTITY" in data or "<!ENTITY".encode("utf-16-le") in data or "<!ENTITY".encode("utf-16-be") in data:
        raise InvalidSource("it declares XML entities, which are not resolved here")
    parser = _ETREE.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = _ETREE.fromstring(data, parser)
    except SyntaxError as error:
        raise InvalidSource(f"it is malformed XML: {error}") from error
    _read_element(root, 1, limits, into)
    return (root.get(_LANGUAGE) or "").partition("-")[0].lower()


def _read_element(element: _Element, depth: int, limits: ExtractionLimits, into: BlockCollector) -> None:
    if depth > limits.max_depth:
        raise InvalidSource(f"its elements lie in each other more than {limits.max_depth} levels deep")
    name = str(element.tag).rpartition("}")[2]
    if name.lower() in _TITLES and depth > 1:
        into.heading("".join(element.itertext()), depth - 1)
    elif _has_text(element):
        into.paragraph("".join(element.itertext()))
    elif not len(element) and element.attrib:
        into.paragraph(
            f"{name}: " + ", ".join(f"{key.rpartition('}')[2]} {value}" for key, value in element.attrib.items())
        )
    else:
        for child in element:
            _read_element(child, depth + 1, limits, into)


def _has_text(element: _Element) -> bool:
    """Whether it has text besides that of the elements within it."""
    return bool(clean_text(element.text or "")) or any(clean_text(child.tail or "") for child in element)


def read_json(text: str, limits: ExtractionLimits, into: BlockCollector) -> str:
    """Take the values of a JSON text, as lines of `name: value`; each object of an outermost array is a paragraph.

    Gives the title that it states. Raises `InvalidSource`.
    """
    try:
        value: JsonValue = loads(text, most_exact=1000)
    except ValueError as error:
        raise InvalidSource(f"it is malformed JSON: {error}") from error
    if is_deep(value, limits.max_depth):
        raise InvalidSource(f"its objects and arrays lie in each other more than {limits.max_depth} levels deep")
    for part in as_list(value) if isinstance(value, list) else [value]:
        into.lines(named_lines(part))
    title = as_object(value).get("title")
    return clean_text(title) if isinstance(title, str) else ""
