"""A document as the Discovery Engine API writes it in JSON, checked: what an import or a client brings.

Source: `google.cloud.discoveryengine.v1.Document`, and "Prepare data for ingesting" of Vertex AI Search.
"""

from base64 import b64decode
from binascii import Error as Base64Error
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps, loads
from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.document_ids import checked_id, id_of_record, id_of_uri
from openplaybook.retrieval.records.record_bounds import judge_data
from openplaybook.retrieval.records.source_lines import RecordLimits

MOST_RAW_BYTES = 25_000_000
"""Of `content.rawBytes`. Google takes one megabyte, and reads larger files from a bucket."""

_LIMITS = RecordLimits()
_SHOWN = 80
"""Characters of a name in an error."""
_KEPT = ("schemaId", "parentDocumentId", "aclInfo")
"""Members that are given back as they came."""


@dataclass(frozen=True, slots=True)
class DocumentForm:
    """What a `Document` says."""

    id: str
    data: JsonObject
    """`structData`, or what `jsonData` holds."""
    media_type: str = ""
    raw: bytes | None = field(default=None, repr=False)
    """Contents that came with it."""
    uri: str = ""
    """Where its contents are; empty where they came with it, and where it has none."""
    kept: JsonObject = field(default_factory=dict[str, JsonValue])
    """What its maker wants back as it was given."""

    @property
    def has_content(self) -> bool:
        """Whether there is a file to read, and not only data."""
        return self.raw is not None or bool(self.uri)


def document_form(document: JsonObject, id: str = "") -> DocumentForm:
    """What a `Document` in JSON says; `id` stands for an id that it does not have, else one follows from what it is.

    Raises `InvalidSource`.
    """
    unknown = sorted(document.keys() - _MEMBERS)
    if unknown:
        raise InvalidSource(
            f"a document has no member {unknown[0][:_SHOWN]!r}; allowed are {', '.join(sorted(_MEMBERS))}"
        )
    content, data = as_object(document.get("content")), _data(document)
    if not content and not data:
        raise InvalidSource("a document has structData, jsonData or content")
    kept: JsonObject = {name: document[name] for name in _KEPT if name in document}
    if content:
        kept["content"] = content
    if "jsonData" in document:
        kept["isJson"] = True
    return DocumentForm(
        id=id_of_document(document, id),
        data=data,
        media_type=str(content.get("mimeType", "")),
        raw=_raw(content),
        uri=_uri(content),
        kept=kept,
    )


def id_of_document(document: JsonObject, id: str = "") -> str:
    """The id that a `Document` in JSON gets, which may follow from what it is; `id` as for `document_form`.

    Raises `InvalidSource` where it names one that no document may have.
    """
    own = document.get("id") or str(document.get("name", "")).rpartition("/documents/")[2] or id
    if not isinstance(own, str):
        raise InvalidSource("the id of a document must be a text")
    if own:
        return checked_id(own)
    uri = _uri(as_object(document.get("content")))
    return id_of_uri(uri) if uri else id_of_record(_data(document))


def document_json(document: StoreDocument, *, has_raw_bytes: bool = True) -> JsonObject:
    """A document of a store as it was given, without its name. `has_raw_bytes`: with its contents, as far as it came
    with them."""
    kept = dict(document.source)
    shown: JsonObject = {"id": document.id, **{name: kept[name] for name in _KEPT if name in kept}}
    if kept.get("isJson"):
        shown["jsonData"] = dumps(document.data).decode()
    elif document.data:
        shown["structData"] = document.data
    content = as_object(kept.get("content"))
    if content:
        shown["content"] = {key: value for key, value in content.items() if has_raw_bytes or key != "rawBytes"}
    return shown


_MEMBERS = frozenset(
    {"id", "name", "structData", "jsonData", "content", "derivedStructData", "indexTime", "indexStatus", *_KEPT}
)


def _uri(content: JsonObject) -> str:
    return str(content.get("uri", ""))


def _data(document: JsonObject) -> JsonObject:
    if document.get("structData") is not None:
        data = document["structData"]
        place = "structData"
    elif document.get("jsonData"):
        place = "jsonData"
        try:
            data = loads(str(document["jsonData"]).encode(), most_exact=_LIMITS.max_exact)
        except ValueError as error:
            raise InvalidSource(f"jsonData is no JSON: {error}") from error
    else:
        return {}
    if not isinstance(data, dict):
        raise InvalidSource(f"{place} must be an object")
    judge_data(data, _LIMITS, f"{place}'s")
    return as_object(data)


def _raw(content: JsonObject) -> bytes | None:
    encoded = content.get("rawBytes")
    if encoded is None or encoded == "":
        return None
    if not isinstance(encoded, str):
        raise InvalidSource("content.rawBytes must be base64")
    if len(encoded) // 4 * 3 > MOST_RAW_BYTES:
        raise InvalidSource(f"content.rawBytes has more than {MOST_RAW_BYTES:,} bytes; put the file into a bucket")
    try:
        # Protobuf's JSON takes either alphabet, with or without padding.
        plain = encoded.translate({ord("-"): "+", ord("_"): "/"})
        return b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (Base64Error, ValueError) as error:
        raise InvalidSource(f"content.rawBytes is no base64: {error}") from error
