"""What the index keeps of a passage: its fields, how a document's passages are written to them, and read from them."""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from openplaybook.retrieval.base import Passage, SearchHit, StoreDocument
from openplaybook.retrieval.index.metadata_fields import add_metadata_fields, metadata_members
from openplaybook.retrieval.language.analysis import LONGEST_TERM, analysis_of
from openplaybook.retrieval.language.detection import detected

if TYPE_CHECKING:
    from tantivy import Document, Index, Schema

ID = "document_id"
DOCUMENT = "document_number"
PASSAGE = "passage_number"
LANGUAGE = "language"
FILLED = "filled"
"""Names of the searched fields, `text` left out, that a passage has words in."""
CONTENT = "content"
TERMS = "terms"
"""Name of the analyser of all text that is searched: terms are made before, and only told apart here."""

SEARCHED = {"title": 2.0, "question": 2.0, "headings": 1.0, "text": 1.0}
"""Fields in which words are looked for, and how much a word in one counts."""

LAYOUT_VERSION = 2
"""Grows whenever fields or what is in them change: indexes of another version are made anew."""

_UNKNOWN_LANGUAGE = "und"
_CONTENT_READ = 4_000
"""Characters of a document that its language is guessed from."""


def entry_schema() -> "Schema":
    """Fields of the index."""
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_text_field(ID, tokenizer_name="raw", index_option="basic", fast=True)
    builder.add_unsigned_field(DOCUMENT, fast=True)
    builder.add_unsigned_field(PASSAGE, indexed=True)
    builder.add_text_field(FILLED, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(LANGUAGE, tokenizer_name="raw", index_option="basic")
    for name in SEARCHED:
        builder.add_text_field(name, tokenizer_name=TERMS, index_option="freq")
    builder.add_bytes_field(CONTENT, stored=True)
    add_metadata_fields(builder)
    return builder.build()


def register_analyzer(index: "Index") -> None:
    """Tell an index that was made or opened how to take terms apart."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    index.register_tokenizer(
        TERMS, TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.remove_long(LONGEST_TERM)).build()
    )


def entries(document: StoreDocument) -> Iterator["Document"]:
    """Entries of a document, one a passage; a document without passages has one, so that filters find it."""
    from tantivy import Document

    make = cast("Callable[[dict[str, JsonValue]], Document]", Document.from_dict)  # pyright: ignore[reportUnknownMemberType]
    language = language_of(document)
    analysis = analysis_of(language)
    number = int.from_bytes(blake2b(document.id.encode(), digest_size=8).digest(), "big")
    title = analysis.indexed(document.title) if document.title else ""
    question = analysis.indexed(document.question) if document.question else ""
    members = metadata_members(document.data, document.uri, document.id)
    for at, passage in enumerate(document.passages or (Passage(""),)):
        entry = make(members)
        entry.add_text(ID, document.id)
        entry.add_unsigned(DOCUMENT, number)
        entry.add_unsigned(PASSAGE, at)
        entry.add_text(LANGUAGE, language or _UNKNOWN_LANGUAGE)
        entry.add_text("text", analysis.indexed(passage.text))
        headings = analysis.indexed("\n".join(passage.headings)) if passage.headings else ""
        for name, terms in (("title", title), ("question", question), ("headings", headings)):
            if terms:
                entry.add_text(name, terms)
                entry.add_text(FILLED, name)
        entry.add_bytes(CONTENT, _content(document, at, passage))
        yield entry


def language_of(document: StoreDocument) -> str:
    """The language that a document is analysed in: its own, or what its first words speak for."""
    if document.language:
        return detected("", document.language)
    parts = [document.title, document.question]
    left = _CONTENT_READ
    for passage in document.passages:
        parts.append(passage.text[:left])
        left -= len(passage.text)
        if left <= 0:
            break
    return detected("\n".join(parts))


def _content(document: StoreDocument, at: int, passage: Passage) -> bytes:
    kept: list[JsonValue] = [
        document.id, at, document.title, document.uri, passage.text, list(passage.headings), passage.page,
        document.data, document.question,
    ]  # fmt: skip
    return dumps(kept)


def hit_of(content: bytes, score: float) -> SearchHit:
    """A passage as it was written, with the score that it was found with."""
    document, at, title, uri, text, headings, page, data, question = cast(
        "tuple[str, int, str, str, str, list[str], int, JsonObject, str]", loads(content)
    )
    return SearchHit(
        document=document,
        passage=at,
        score=score,
        title=title,
        uri=uri,
        text=text,
        headings=tuple(headings),
        page=page,
        data=data,
        question=question,
    )
