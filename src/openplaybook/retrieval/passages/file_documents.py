"""The document of a file: what was read out of it, cut into passages, with what is known about it."""

from dataclasses import dataclass, field
from typing import Final

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.extraction.base import ExtractedDocument
from openplaybook.retrieval.passages.passage_cutter import PassageOptions, cut_passages
from openplaybook.retrieval.records.document_ids import id_of_uri
from openplaybook.retrieval.records.record_text import title_of, uri_of

_OPTIONS: Final = PassageOptions()


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
    """The document to put into a store. CPU work of some milliseconds a megabyte: not for the event loop."""
    return StoreDocument(
        id=description.id or id_of_uri(description.uri),
        title=title_of(description.data) or extracted.title,
        uri=uri_of(description.data) or description.uri,
        passages=cut_passages(extracted.blocks, options),
        data=description.data,
        language=extracted.language,
        media_type=extracted.media_type,
        digest=description.digest,
        source=description.source,
    )
