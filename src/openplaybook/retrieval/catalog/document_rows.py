"""The stored form of a document, the same in every database: a row, whose body carries the number of its form.

A body is two bytes, the form and the coding, and then JSON, deflated where that saves much. Id, digest and language
have columns of their own, since they are asked for without the rest. JSON keeps every number exactly
(`openplaybook.jsonvalues`), and members that are empty are left out.
"""

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.errors import EngineFault, EngineUnavailable, InvalidSource
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

T = TypeVar("T")

Lift: TypeAlias = Callable[[JsonObject], JsonObject]
"""Makes the members of one form those of the next."""

LIFTS: Sequence[Lift] = ()
"""The first lifts form 1 to form 2. A new form is one more entry, and no entry is edited after a release."""

FORM = 1 + len(LIFTS)
"""Of what is written now."""

LONGEST_ID = 128
"""Characters of an id (`Document.id` of Discovery Engine)."""

LARGEST_BODY = 64 << 20
"""Bytes of a body before it is deflated: what is larger is no document that a passage is shown of."""

CONVERSION = Lane("stored documents", threads=2, waiting=256, seconds=60)
"""Writing documents out and reading them, off the event loop."""

_PLAIN, _DEFLATED = 0, 1
_WORTH_DEFLATING = 2048
"""Bytes of JSON, below which deflating costs more time than the disk that it saves is worth: of a record of a thousand
bytes it takes as long as all else that writing it does."""
_WINDOW = -15
"""Deflate without a header (`zlib`, wbits)."""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document as it is written."""

    id: str
    passages: int
    """How many; counted without reading the body."""
    language: str
    digest: str
    body: bytes


def write_row(document: StoreDocument) -> DocumentRow:
    """Raises `InvalidSource` for an id or values that cannot be stored."""
    if fault := _fault_of_id(document.id):
        raise InvalidSource(fault)
    members = {
        "title": document.title,
        "uri": document.uri,
        "passages": [_passage_members(passage) for passage in document.passages],
        "data": document.data,
        "question": document.question,
        "mediaType": document.media_type,
        "source": document.source,
    }
    try:
        # Without what is foreign these two would be found out by the database alone, for the whole batch.
        document.language.encode()
        document.digest.encode()
        text = dumps({name: value for name, value in members.items() if value})
    except (TypeError, UnicodeEncodeError) as error:
        raise InvalidSource(f"document {document.id!r} cannot be stored: {error}") from error
    if len(text) > LARGEST_BODY:
        raise InvalidSource(
            f"document {document.id!r} has {len(text):,} bytes; a document may have {LARGEST_BODY:,} at most"
        )
    return DocumentRow(document.id, len(document.passages), document.language, document.digest, _body(text))


def write_rows(documents: Iterable[StoreDocument]) -> Sequence[DocumentRow]:
    """The rows of documents in their order; where several have the same id, the last one alone. As `write_row`."""
    rows: dict[str, DocumentRow] = {}
    for document in documents:
        row = write_row(document)
        rows.pop(row.id, None)
        rows[row.id] = row
    return [*rows.values()]


def read_row(id: str, language: str, digest: str, body: bytes, lifts: Sequence[Lift] = LIFTS) -> StoreDocument:
    """The document of a row, of this form or an older one; raises `EngineFault` for a newer one and for damage."""
    form = body[0] if len(body) > 1 else 0
    if form > 1 + len(lifts):
        raise EngineFault(
            f"document {id!r} was written by a newer version of OpenPlaybook (form {form}, this version knows "
            f"{1 + len(lifts)}); run that version"
        )
    try:
        members = _members(body)
    except (ValueError, zlib.error) as error:
        raise EngineFault(f"document {id!r} is damaged where it is stored; put it again") from error
    for lift in lifts[form - 1 :]:
        members = lift(members)
    return StoreDocument(
        id=id,
        title=members.get("title", ""),
        uri=members.get("uri", ""),
        passages=tuple(_passage(as_object(passage)) for passage in as_list(members.get("passages"))),
        data=as_object(members.get("data")),
        language=language,
        question=members.get("question", ""),
        media_type=members.get("mediaType", ""),
        digest=digest,
        source=as_object(members.get("source")),
    )


def possible_ids(ids: Iterable[str]) -> Sequence[str]:
    """Those that a document may have; of the others there is none."""
    return [id for id in ids if not _fault_of_id(id)]


async def convert(work: Callable[[], T]) -> T:
    """What `work` gives, in a thread of the lane; raises `EngineUnavailable` where too much is to be done there."""
    try:
        return await CONVERSION.run(work)
    except WorkError as error:
        raise EngineUnavailable(str(error)) from error


def _fault_of_id(id: str) -> str:
    """Why no document can have it; empty where one can."""
    if not 0 < len(id) <= LONGEST_ID:
        return f"the id of a document has 1 to {LONGEST_ID} characters, and this one has {len(id):,}"
    try:
        id.encode()
    except UnicodeEncodeError:
        return f"the id {id!r} contains half of a surrogate pair, which is not a character"
    return ""


def _passage_members(passage: Passage) -> JsonObject:
    members: JsonObject = {"text": passage.text}
    if passage.headings:
        members["headings"] = passage.headings
    if passage.page:
        members["page"] = passage.page
    return members


def _passage(members: JsonObject) -> Passage:
    return Passage(members.get("text", ""), tuple(as_list(members.get("headings"))), members.get("page", 0))


def _body(text: bytes) -> bytes:
    if len(text) >= _WORTH_DEFLATING:
        deflated = zlib.compress(text, level=1, wbits=_WINDOW)
        if len(deflated) < len(text) * 0.9:
            return bytes((FORM, _DEFLATED)) + deflated
    return bytes((FORM, _PLAIN)) + text


def _members(body: bytes) -> JsonObject:
    if len(body) < 2 or not body[0] or body[1] not in (_PLAIN, _DEFLATED):
        raise ValueError("no form and coding")
    text = body[2:] if body[1] == _PLAIN else zlib.decompress(body[2:], wbits=_WINDOW)
    members = loads(text)
    if not isinstance(members, dict):
        raise ValueError("no object")
    return as_object(members)
