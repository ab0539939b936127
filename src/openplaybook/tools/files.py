"""Files of a conversation: what tools got and may pass on, kept beneath the session's name."""

from collections.abc import Sequence
from hashlib import sha256

from openplaybook.jsonvalues import as_object, dumps, loads
from openplaybook.storage.base import BlobFacts, Store
from openplaybook.tools.base import StoredFile

MAX_FILE_BYTES = 10_000_000
MAX_SESSION_BYTES = 50_000_000
"""Bytes that the files of one conversation may have together; the oldest go when there are more."""

_ID_LENGTH = 32


class SessionFiles:
    """The files of one session. They go with the session, and the oldest go before they are too many."""

    def __init__(self, store: Store, session: str, *, most: int = MAX_SESSION_BYTES) -> None:
        """Keep files beneath the resource name of a session, at most `most` bytes of them."""
        self._store = store
        self._prefix = f"{session}/files/"
        self._most = most

    async def put(self, name: str, media_type: str, data: bytes) -> StoredFile:
        """Keep a file; equal bytes under an equal name are kept once.

        Raises `ValueError` for more than `MAX_FILE_BYTES`.
        """
        if len(data) > MAX_FILE_BYTES:
            raise ValueError(f"a file may have {MAX_FILE_BYTES:,} bytes, not {len(data):,}")
        head = dumps({"name": name, "mediaType": media_type}) + b"\n"
        key = self._prefix + sha256(head + data).hexdigest()[:_ID_LENGTH]
        before = await self._store.blobs(self._prefix)
        if key not in {known.key for known in before}:
            await self._store.put_blob(key, head + data)
            await self._make_room(before, len(head) + len(data))
        return StoredFile(key, name, media_type, data)

    async def get(self, handle: str) -> StoredFile | None:
        """The file of a handle; None when this conversation has none of that name."""
        if not handle.startswith(self._prefix):
            return None
        return await read_file(self._store, handle)

    async def _make_room(self, before: Sequence[BlobFacts], added: int) -> None:
        """Forget the oldest files until what is left, with the one that was added, is not too much."""
        total = sum(known.size for known in before) + added
        for known in before:
            if total <= self._most:
                return
            await self._store.delete_blobs(known.key)
            total -= known.size


async def read_file(store: Store, name: str) -> StoredFile | None:
    """The file of a resource name, whichever session it belongs to; None when there is none."""
    blob = await store.get_blob(name)
    if blob is None:
        return None
    head, _, data = blob.partition(b"\n")
    said = as_object(loads(head))
    return StoredFile(name, str(said["name"]), str(said["mediaType"]), data)
