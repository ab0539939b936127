"""Ids and digests of documents: what is not given follows from what the document is.

The id of a file is the first 128 bits of the SHA-256 of its URI, in hexadecimal (`GcsSource.data_schema` of Discovery
Engine says so of `content`); that of a record without one is the same of its JSON with sorted keys.
"""

import re
from hashlib import sha256
from typing import Final

from openplaybook.jsonvalues import JsonObject, dumps_sorted
from openplaybook.retrieval.errors import InvalidSource

MAX_ID: Final = 128
_ID: Final = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9_-]{0,127}")
_ID_HEX: Final = 32


def is_document_id(id_: str) -> bool:
    """Whether a text may be the id of a document."""
    return bool(_ID.fullmatch(id_))


def checked_id(id_: str) -> str:
    """The id itself; raises `InvalidSource` for what no id of a document may be."""
    if not is_document_id(id_):
        shown = id_ if len(id_) <= MAX_ID else f"{id_[:40]}…"
        raise InvalidSource(
            f'the document id "{shown}" is refused: 1 to {MAX_ID} letters, digits, "-" and "_" are allowed, '
            'and the first is no "-"'
        )
    return id_


def id_of_uri(uri: str) -> str:
    """The id of a file or page that has none."""
    return sha256(uri.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_HEX]


def id_of_record(record: JsonObject) -> str:
    """The id of a record that has none: equal records are one document."""
    return sha256(dumps_sorted(record)).hexdigest()[:_ID_HEX]


def digest_of(*parts: bytes | JsonObject) -> str:
    """What `StoreDocument.digest` is of a source: its bytes, and whatever else decides what becomes of them, such as
    settings. Each part counts by itself: bytes do not move from one to the next unnoticed."""
    whole = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else dumps_sorted(part)
        whole.update(f"{len(data)}:".encode())
        whole.update(data)
    return whole.hexdigest()
