"""A document as Google holds it, and back: what Google has no place for is one text in its `structData`.

The contents of a document are sent as they came, for Google to read and cut; of pages that were crawled, their text.
"""

from base64 import b64decode, b64encode
from typing import Final

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.errors import EngineFault, InvalidSource
from openplaybook.retrieval.records.record_text import named_lines, title_of, uri_of

OURS: Final = "openplaybook"
"""Member of `structData` with what Google has no place for, as a text of JSON."""

_FORM: Final = 1
"""Of that text; grows with each change of what it holds."""
_MOST_RAW: Final = 1_000_000
"""Bytes of contents that come with a document (`Document.Content.raw_bytes`)."""
_BETWEEN: Final = "\n\n"
"""Passages of one text."""


def google_document(document: StoreDocument) -> JsonObject:
    """The `Document` of the API. Raises `InvalidSource` for one that Google does not take."""
    content = as_object(document.source.get("content"))
    is_own_text = bool(document.media_type and not content and any(each.text for each in document.passages))
    if is_own_text:
        content = _own_text(document)
    if len(str(content.get("rawBytes", ""))) // 4 * 3 > _MOST_RAW:
        raise InvalidSource(
            f"document {document.id!r} has more than {_MOST_RAW:,} bytes; put it into a bucket, from where Google "
            "imports it"
        )
    ours: JsonObject = {
        "form": _FORM,
        "title": document.title,
        "uri": document.uri,
        "language": document.language,
        "digest": document.digest,
        "question": document.question,
        "mediaType": document.media_type,
        "isOwnText": is_own_text,
        "data": document.data,
        "source": {name: value for name, value in document.source.items() if name != "content"},
        "passages": [_passage_members(each, has_text=not content) for each in document.passages],
    }
    try:
        text = dumps(ours).decode()
        shown: JsonObject = {"structData": {**_titled(document), OURS: text}}
    except (TypeError, UnicodeError) as error:
        raise InvalidSource(f"document {document.id!r} cannot be stored: {error}") from error
    if content:
        shown["content"] = content
    return shown


def document_of(found: JsonObject) -> StoreDocument:
    """A document of a `Document`, also of one that others put there: then it is what its `structData` says."""
    id, data, content = str(found.get("id", "")), data_of(found), as_object(found.get("content"))
    ours = ours_of(found)
    if not ours:
        kept: JsonObject = {"content": content} if content else {}
        title, uri = title_of(data), uri_of(data) or str(content.get("uri", ""))
        passages = () if content else (Passage(named_lines(data)),)
        return StoreDocument(id, title, uri, passages, data, source=kept)
    source = as_object(ours["source"])
    if content and not ours["isOwnText"]:
        source["content"] = content
    return StoreDocument(
        id=id,
        title=ours["title"],
        uri=ours["uri"],
        passages=_passages(ours, content),
        data=data,
        language=ours["language"],
        question=ours["question"],
        media_type=ours["mediaType"],
        digest=ours["digest"],
        source=source,
    )


def ours_of(found: JsonObject) -> JsonObject:
    """What we put into `structData`; nothing for a document of others. Raises `EngineFault` for a newer form."""
    text = as_object(found.get("structData")).get(OURS)
    if not isinstance(text, str):
        return {}
    try:
        ours = as_object(loads(text))
    except ValueError as error:
        raise EngineFault(f"document {found.get('id')!r} is damaged at Google; put it again") from error
    if ours.get("form") != _FORM:
        raise EngineFault(
            f"document {found.get('id')!r} was written by a newer version of OpenPlaybook (form {ours.get('form')}, "
            f"this version knows {_FORM}); run that version"
        )
    return ours


def data_of(found: JsonObject) -> JsonObject:
    """The data of a document as they were put, or as Google has them."""
    ours = ours_of(found)
    if ours:
        return as_object(ours["data"])
    if found.get("jsonData"):
        return as_object(loads(str(found["jsonData"])))
    return as_object(found.get("structData"))


def _titled(document: StoreDocument) -> JsonObject:
    """The data, with what Google shows and searches of a document; what is in them already stays as it is."""
    shown: dict[str, JsonValue] = {"title": document.title, "uri": document.uri}
    if document.question:
        shown |= {"question": document.question, "answer": "\n".join(each.text for each in document.passages)}
    return {**{name: value for name, value in shown.items() if value}, **document.data}


def _own_text(document: StoreDocument) -> JsonObject:
    text = _BETWEEN.join(passage.text for passage in document.passages)
    try:
        return {"mimeType": "text/plain", "rawBytes": b64encode(text.encode()).decode("ascii")}
    except UnicodeEncodeError as error:
        raise InvalidSource(f"document {document.id!r} cannot be stored: {error}") from error


def _passage_members(passage: Passage, *, has_text: bool) -> JsonObject:
    members: JsonObject = {"headings": [*passage.headings], "page": passage.page}
    return {**members, "text": passage.text} if has_text else {**members, "length": len(passage.text)}


def _passages(ours: JsonObject, content: JsonObject) -> tuple[Passage, ...]:
    """As they were put, where Google has their texts; those that Google made of a file are not known."""
    if content and not ours["isOwnText"]:
        return ()
    text, start = b64decode(str(content.get("rawBytes", ""))).decode(), 0
    passages: list[Passage] = []
    for each in map(as_object, as_list(ours["passages"])):
        length = int(each.get("length", 0))
        own = each["text"] if "text" in each else text[start : start + length]
        passages.append(Passage(own, tuple(as_list(each["headings"])), each["page"]))
        start += length + len(_BETWEEN)
    return tuple(passages)
