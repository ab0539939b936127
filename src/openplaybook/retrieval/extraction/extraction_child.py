"""What a child process does with files: it finds out their format, and reads them one after the other.

A job is a line of JSON, with the length of each file, and the files. The answer is JSON, a member for each file.
The libraries are loaded with their format: most children see one or two.
"""

import re
import sys
from typing import Final

from openplaybook.jsonvalues import JsonObject, as_list, dumps, loads
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import (
    BlockKind,
    ExtractedDocument,
    ExtractionLimits,
    ExtractionOptions,
    SourceFile,
)
from openplaybook.retrieval.extraction.block_collector import BlockCollector
from openplaybook.retrieval.extraction.charsets import DecodedText, decode_text
from openplaybook.retrieval.extraction.media_types import (
    DOCX,
    HTML,
    JSON,
    MARKDOWN,
    PDF,
    PPTX,
    TEXTS,
    XLSX,
    XML,
    declared_charset,
    detect_type,
    stem_of,
)
from openplaybook.retrieval.extraction.office_archive import judge_archive
from openplaybook.retrieval.extraction.plain_text import TextFacts, read_markdown, read_text

_FRAMES: Final = 5_000
"""Of Python, for elements within each other as deep as the limits allow."""
_LONGEST_TITLE: Final = 500
_NO_TITLE: Final = re.compile(
    r"untitled.{0,20}|unnamed|document\d*|powerpoint.presentation|presentation\d*|microsoft \w+ - .*"
    r"|[^ ]*[.](?:docx?|pdf|pptx?|xlsx?|indd|tex|dvi|rtf|odt)",
    re.IGNORECASE,
)
"""What programs write into the properties of a file whose maker gave no title."""
_MB: Final = 1_000_000


def task(job: bytearray) -> bytes:
    """The answer to a job."""
    sys.setrecursionlimit(_FRAMES)
    end = job.index(b"\n")
    order = loads(memoryview(job)[:end])
    limits = ExtractionLimits.from_json(order["limits"])
    answers: list[JsonObject] = []
    at = end + 1
    for file in as_list(order["files"]):
        data = bytes(memoryview(job)[at : at + file["size"]])
        at += len(data)
        source = SourceFile(file["name"], data, file["media_type"], ExtractionOptions.from_json(file["options"]))
        answers.append(_answer(source, limits))
    return dumps(answers)


def _answer(source: SourceFile, limits: ExtractionLimits) -> JsonObject:
    try:
        return {"document": read_file(source, limits).to_json()}
    except InvalidSource as error:
        return {"refusal": str(error)}
    except RecursionError:
        return {"refusal": f"its parts lie in each other more than {limits.max_depth} levels deep"}


def read_file(source: SourceFile, limits: ExtractionLimits) -> ExtractedDocument:
    """What a file says; raises `InvalidSource`, and whatever a library does not foresee."""
    found = detect_type(source.data, source.media_type, source.name)
    kind = found.media_type
    if kind in TEXTS and len(source.data) > limits.max_text:
        raise InvalidSource(f"it has more than {limits.max_text / _MB:g} MB, the most for a text")
    collector = BlockCollector(limits)
    facts = _read_text_format(source, kind, limits, collector) if kind in TEXTS else None
    document = facts or ExtractedDocument(_read_binary(source.data, kind, limits, collector), "", collector.blocks)
    if not document.blocks:
        raise InvalidSource("it has no text")
    return ExtractedDocument(
        title=_title(document, kind, source.name),
        language=document.language,
        blocks=document.blocks,
        media_type=kind,
        uri=document.uri,
        notes=(*found.notes, *document.notes),
    )


def _title(document: ExtractedDocument, kind: str, name: str) -> str:
    title = "" if _NO_TITLE.fullmatch(document.title) else document.title
    if not title and kind != XLSX:
        # The first heading of a workbook is the name of a sheet, such as Sheet1.
        title = next((block.text for block in document.blocks if block.kind is BlockKind.HEADING), "")
    return (title or stem_of(name))[:_LONGEST_TITLE].rstrip()


def _read_binary(data: bytes, kind: str, limits: ExtractionLimits, into: BlockCollector) -> str:
    """Take the blocks of a PDF or an Office file; gives its title."""
    if kind == PDF:
        from openplaybook.retrieval.extraction.pdf_pages import read_pdf

        return read_pdf(data, limits, into)
    judge_archive(data, limits)
    if kind == DOCX:
        from openplaybook.retrieval.extraction.word_document import read_word

        return read_word(data, into)
    if kind == PPTX:
        from openplaybook.retrieval.extraction.slides import read_slides

        return read_slides(data, limits, into)
    from openplaybook.retrieval.extraction.workbook import read_workbook

    return read_workbook(data, limits, into)


def _read_text_format(
    source: SourceFile, kind: str, limits: ExtractionLimits, into: BlockCollector
) -> ExtractedDocument:
    if kind == XML:
        from openplaybook.retrieval.extraction.data_text import read_xml

        language = read_xml(source.data, limits, into)
        return ExtractedDocument("", language, into.blocks)
    charset = source.options.charset or declared_charset(source.media_type)
    decoded = decode_text(source.data, charset, has_markup=kind == HTML)
    if kind == HTML:
        return _read_html(source, decoded, limits)
    facts = _read_decoded(decoded.text, kind, limits, into)
    return ExtractedDocument(facts.title, facts.language, into.blocks, notes=decoded.notes)


def _read_html(source: SourceFile, decoded: DecodedText, limits: ExtractionLimits) -> ExtractedDocument:
    from openplaybook.retrieval.extraction.html_page import read_page

    facts = read_page(decoded.text, source.name, source.options, limits)
    return ExtractedDocument(facts.title, facts.language, facts.blocks, uri=facts.uri, notes=decoded.notes)


def _read_decoded(text: str, kind: str, limits: ExtractionLimits, into: BlockCollector) -> TextFacts:
    if kind == MARKDOWN:
        return read_markdown(text, into)
    if kind != JSON:
        return read_text(text, into)
    from openplaybook.retrieval.extraction.data_text import read_json

    return TextFacts(read_json(text, limits, into))
