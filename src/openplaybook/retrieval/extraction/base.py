"""What is read out of a file, whatever its format: blocks of text in their order; and what reading may cost."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from openplaybook.jsonvalues import JsonObject, as_list, as_object

_MB = 1_000_000
_MIB = 1024 * 1024


class BlockKind(Enum):
    """What a block of text is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    """One item a line."""
    TABLE = "table"
    """One row a line, cells between ` | `."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A heading, a paragraph, a list or a table."""

    kind: BlockKind
    text: str
    level: int = 0
    """Of a heading: 1 is the outermost, 6 the innermost. 0 for all others."""
    page: int = 0
    """Page, slide or sheet on which it begins, from 1; 0 where the format has none."""
    header_lines: int = 0
    """Of a table: its first lines that say what the columns are."""


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """What was read out of a file."""

    title: str
    """As the file says it; else its first heading, else its name."""
    language: str
    """Primary subtag of BCP-47 that the file declares; empty where it declares none."""
    blocks: tuple[TextBlock, ...]
    media_type: str = ""
    """What the content is, whatever was declared."""
    uri: str = ""
    """Canonical address that a web page names; empty where it names none."""
    notes: tuple[str, ...] = ()
    """Sentences about what was odd, such as a name that ends like another format."""

    def to_json(self) -> JsonObject:
        """The form in which a child process hands it over.

        Blocks are columns, their texts one: JSON of a million small values would hold up all threads while it is read.
        """
        return {
            "title": self.title,
            "language": self.language,
            "media_type": self.media_type,
            "uri": self.uri,
            "notes": list(self.notes),
            "kinds": "".join(_LETTERS[block.kind] for block in self.blocks),
            "texts": _BREAK.join(block.text for block in self.blocks),
            "levels": [block.level for block in self.blocks],
            "pages": [block.page for block in self.blocks],
            "header_lines": [block.header_lines for block in self.blocks],
        }

    @classmethod
    def from_json(cls, value: JsonObject) -> "ExtractedDocument":
        """What `to_json` wrote."""
        columns = (as_list(value[name]) for name in ("levels", "pages", "header_lines"))
        rows = zip(value["kinds"], _parts(value["texts"]), *columns, strict=True) if value["kinds"] else ()
        return cls(
            title=str(value["title"]),
            language=str(value["language"]),
            blocks=tuple(TextBlock(_KINDS[kind], text, level, page, lines) for kind, text, level, page, lines in rows),
            media_type=str(value["media_type"]),
            uri=str(value["uri"]),
            notes=tuple(map(str, as_list(value["notes"]))),
        )


_BREAK = "\x00"
"""Between the texts of blocks, none of which has it."""
_LETTERS = {kind: kind.value[0] for kind in BlockKind}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}


def _parts(texts: str) -> Iterator[str]:
    """The texts of blocks, one after the other."""
    begin = 0
    while (end := texts.find(_BREAK, begin)) >= 0:
        yield texts[begin:end]
        begin = end + 1
    yield texts[begin:]


@dataclass(frozen=True, slots=True)
class ExtractionOptions:
    """How a file is to be read (`ParsingConfig` of Discovery Engine, and what HTTP said about it)."""

    charset: str = ""
    """Of a text, as a header declares it; empty where none does."""
    exclude_html_elements: tuple[str, ...] = ()
    """Names of HTML elements that are left out with all they contain."""
    exclude_html_classes: tuple[str, ...] = ()
    exclude_html_ids: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        """The form in which a child process is told."""
        return {
            "charset": self.charset,
            "elements": list(self.exclude_html_elements),
            "classes": list(self.exclude_html_classes),
            "ids": list(self.exclude_html_ids),
        }

    @classmethod
    def from_json(cls, value: JsonObject) -> "ExtractionOptions":
        """What `to_json` wrote."""
        elements, classes, ids = (tuple(map(str, as_list(value[name]))) for name in ("elements", "classes", "ids"))
        return cls(str(value["charset"]), elements, classes, ids)


@dataclass(frozen=True, slots=True)
class ExtractionLimits:
    """What reading one file may cost."""

    max_text: int = 2_500_000
    """Bytes of HTML, text, Markdown, XML and JSON (the documented limit of Discovery Engine)."""
    max_binary: int = 200 * _MB
    """Bytes of all other formats."""
    max_unpacked: int = 600 * _MB
    """Bytes of all members of an Office file, unpacked."""
    max_ratio: int = 200
    """How many times larger than the file its members may be, unpacked; counts from 10 MB on."""
    max_members: int = 10_000
    """Of an Office file."""
    max_pages: int = 5_000
    """Pages of a PDF, slides, sheets."""
    max_rows: int = 500_000
    """Rows of the sheets of a workbook together, empty ones included."""
    max_depth: int = 400
    """Elements of HTML and XML, objects and arrays of JSON within each other."""
    max_characters: int = 20_000_000
    """Of all text that is read out of a file."""
    max_blocks: int = 500_000
    """Headings, paragraphs, lists and tables of a file."""
    memory: int = 1536 * _MIB
    """Bytes of address space that the child process may take."""
    seconds: int = 60
    """Of its time on a processor, for a small file; on the clock it has three times as much."""
    seconds_per_megabyte: int = 5
    """What a larger file has besides: large workbooks take as much."""
    most_seconds: int = 300
    """What the largest file has."""

    def time_for(self, size: int) -> int:
        """Seconds on a processor for so many bytes."""
        return min(self.seconds + self.seconds_per_megabyte * size // _MB, self.most_seconds)

    def to_json(self) -> JsonObject:
        """The form in which a child process is told."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, value: JsonObject) -> "ExtractionLimits":
        """What `to_json` wrote."""
        return cls(**as_object(value))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it came."""

    name: str
    """Its name or address, of which the ending tells the format."""
    data: bytes
    media_type: str = ""
    """As it was declared, parameters such as `charset` included; empty where it was not."""
    options: ExtractionOptions = field(default_factory=ExtractionOptions)
