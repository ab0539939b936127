"""Documents of files, cut into passages: within a section, as long as they may be, with the headings above them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import BlockKind, ExtractedDocument, TextBlock
from openplaybook.retrieval.passages.passage_units import PassageUnit, units_of
from openplaybook.retrieval.passages.token_counter import count_tokens
from openplaybook.retrieval.records.document_ids import id_of_uri
from openplaybook.retrieval.records.record_text import title_of, uri_of

LEAST_TOKENS: Final = 100
MOST_TOKENS: Final = 500
"""What `LayoutBasedChunkingConfig.chunk_size` of Discovery Engine may be."""


@dataclass(frozen=True, slots=True)
class PassageOptions:
    """How documents are cut."""

    chunk_size: int = MOST_TOKENS
    """Tokens of a passage, at most, its headings not counted."""
    include_headings: bool = True
    """Whether passages have the headings that they stand under; else the first passage of a section has its
    heading, in its text."""
    is_whole: bool = False
    """Whether a document is not cut, and is one passage."""

    def __post_init__(self) -> None:
        if not LEAST_TOKENS <= self.chunk_size <= MOST_TOKENS:
            raise InvalidSource(f"chunkSize is {self.chunk_size}; {LEAST_TOKENS} to {MOST_TOKENS} are allowed")


_OPTIONS: Final = PassageOptions()
_MOST_REPEATED: Final = 4
"""How many times the size of a document its repeated headings may have."""
_FEW_CHARACTERS: Final = 100_000
"""Of repeated headings, which are no matter."""


@dataclass(frozen=True, slots=True)
class FileDescription:
    """What is known of a file besides its content."""

    uri: str
    """Where it lies; a web page's own canonical address does not change it."""
    digest: str
    """Of its content and of what else decides what becomes of it (`document_ids.digest_of`)."""
    id: str = ""
    """Empty: it follows from the URI."""
    data: JsonObject = field(default_factory=dict[str, JsonValue])
    """Its `structData`. A title or an address in there counts more than what the file says."""
    source: JsonObject = field(default_factory=dict[str, JsonValue])


def document_of_file(
    extracted: ExtractedDocument, description: FileDescription, options: PassageOptions = _OPTIONS
) -> StoreDocument:
    """The document to put into a store. Takes a processor for a second or so a megabyte: not for the event loop."""
    return StoreDocument(
        id=description.id or id_of_uri(description.uri),
        title=title_of(description.data) or extracted.title,
        uri=uri_of(description.data) or description.uri,
        passages=cut_passages(extracted.blocks, options, extracted.language),
        data=description.data,
        language=extracted.language,
        media_type=extracted.media_type,
        digest=description.digest,
        source=description.source,
    )


def cut_passages(
    blocks: Sequence[TextBlock], options: PassageOptions = _OPTIONS, language: str = ""
) -> tuple[Passage, ...]:
    """The passages of a document, in its order. They have all its words; none of them is empty.

    Where headings come to many times the text below them, as in a list of headings, they are not repeated.
    """
    if options.is_whole:
        return _whole(blocks)
    passages = tuple(passage for section in _sections(blocks) for passage in _cut(section, options, language))
    repeated = sum(len(heading) for passage in passages for heading in passage.headings)
    if repeated > max(_FEW_CHARACTERS, _MOST_REPEATED * sum(len(block.text) for block in blocks)):
        return cut_passages(blocks, replace(options, include_headings=False), language)
    return passages


def _whole(blocks: Sequence[TextBlock]) -> tuple[Passage, ...]:
    text = "\n\n".join(block.text for block in blocks if block.text.strip())
    return (Passage(text, page=blocks[0].page),) if text else ()


@dataclass(slots=True)
class _Section:
    """A heading with what stands below it, up to the next heading."""

    headings: tuple[str, ...] = ()
    """Its own one last."""
    new: tuple[str, ...] = ()
    """Those of them that no earlier section had text below."""
    page: int = 0
    blocks: list[TextBlock] = field(default_factory=list[TextBlock])


def _sections(blocks: Iterable[TextBlock]) -> Iterator[_Section]:
    section = _Section()
    above: list[TextBlock] = []
    for block in blocks:
        if not block.text.strip():
            continue
        if block.kind is not BlockKind.HEADING:
            section.blocks.append(block)
            continue
        kept = [heading for heading in above if heading.level < block.level]
        new = section.new
        # A heading without text below it is a section with the next one, where that stands under it.
        if section.blocks or len(kept) < len(above):
            yield section
            new = ()
        above = [*kept, block]
        section = _Section(tuple(heading.text for heading in above), (*new, block.text), block.page)
    yield section


def _cut(section: _Section, options: PassageOptions, language: str) -> Iterator[Passage]:
    above = section.headings if options.include_headings else ()
    said = section.new
    if options.include_headings:
        # Its words are found as text where no passage has them as a heading.
        above, said = (above, ()) if section.blocks else (above[:-1], section.new[-1:])
    cutter = _Cutter(options.chunk_size, above, section.page, language)
    for heading in said:
        cutter.take(TextBlock(BlockKind.PARAGRAPH, heading, page=section.page))
    for block in section.blocks:
        cutter.take(block)
    yield from cutter.passages()


class _Cutter:
    """Fills passages of one section with units."""

    def __init__(self, most: int, headings: tuple[str, ...], page: int, language: str) -> None:
        self._most = most
        self._language = language
        self._headings = headings
        self._page = page
        self._passages: list[Passage] = []
        self._text: list[str] = []
        self._tokens = 0

    def take(self, block: TextBlock) -> None:
        """Put a block into passages; each passage that has rows of a table has the table's header."""
        header, body = _table_header(block, self._most)
        if header is not None and self._tokens + header.tokens > self._most:
            self._end()
        for number, unit in enumerate(units_of(body, self._most - (header.tokens if header else 0), self._language)):
            is_full = self._tokens + unit.tokens > self._most
            if is_full:
                self._end()
            if header is not None and (is_full or not number):
                if self._tokens + header.tokens + unit.tokens > self._most:
                    self._end()
                self._add(header, block.page)
                unit = PassageUnit(unit.text, unit.tokens, "\n")
            self._add(unit, block.page)

    def passages(self) -> Sequence[Passage]:
        """All of them."""
        self._end()
        return self._passages

    def _add(self, unit: PassageUnit, page: int) -> None:
        if not self._text:
            self._page = page or self._page
        else:
            self._text.append(unit.joint)
        self._text.append(unit.text)
        self._tokens += unit.tokens

    def _end(self) -> None:
        text = "".join(self._text)
        if text.strip():
            self._passages.append(Passage(text, self._headings, self._page))
        self._text.clear()
        self._tokens = 0


def _table_header(block: TextBlock, most: int) -> tuple[PassageUnit | None, TextBlock]:
    """The header of a table, and the rest of it; no header where there is none, or it would fill half a passage."""
    lines = block.text.split("\n")
    if block.kind is not BlockKind.TABLE or not 0 < block.header_lines < len(lines):
        return None, block
    text = "\n".join(lines[: block.header_lines])
    tokens = count_tokens(text)
    if tokens > most // 2:
        return None, block
    body = TextBlock(BlockKind.TABLE, "\n".join(lines[block.header_lines :]), page=block.page)
    return PassageUnit(text, tokens, "\n\n"), body
