"""Files of a conversation: what tools got and may pass on, kept beneath the session's name."""

from collections.abc import Sequence
from functools import partial
from hashlib import sha256

from openplaybook.jsonvalues import as_object, dumps, loads
from openplaybook.storage.base import BlobFacts, Store
from openplaybook.tools.base import StoredFile
from openplaybook.workers.lanes import FILES

MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_SESSION_BYTES = 64 * 1024 * 1024
"""Bytes that the files of one conversation may have together; the oldest go when there are more."""
MAX_SESSION_FILES = 500
"""Files that one conversation may have; the same. Each is looked at wherever one is put or all are read."""

EXECUTIONS = "tool-executions"
"""Id of the session beneath which files of executions outside any conversation are kept: one for all, so that they stay
bounded and a file that one execution got can be given to the next. No conversation has it: its files are of many."""

_LARGE = 1024 * 1024
"""Bytes of a file whose digest and copy take long enough to keep others waiting."""

_ID_LENGTH = 32
_HEAD_BYTES = 2048
"""Of a blob, what may be name and media type rather than the file."""


class SessionFiles:
    """The files of one session. They go with the session, and the oldest go before they are too many."""

    def __init__(
        self, store: Store, session: str, *, most: int = MAX_SESSION_BYTES, most_files: int = MAX_SESSION_FILES
    ) -> None:
        """Keep files beneath the resource name of a session, at most so many, with `most` bytes."""
        self._store = store
        self._prefix = f"{session}/files/"
        self._most, self._most_files = most, most_files

    async def put(self, name: str, media_type: str, data: bytes) -> StoredFile:
        """Keep a file; equal bytes under an equal name are kept once.

        Raises `ValueError` for more than `MAX_FILE_BYTES`.
        """
        if len(data) > MAX_FILE_BYTES:
            raise ValueError(f"a file may have {MAX_FILE_BYTES:,} bytes, not {len(data):,}")
        read = partial(_blob, self._prefix.removesuffix("/files/"), name, media_type, data)
        key, blob = read() if len(data) <= _LARGE else await FILES.run(read)
        before = await self._kept()
        if key not in {known.key for known in before}:
            await self._store.put_blob(key, blob)
            await self._make_room(before, len(blob))
        elif before[-1].key != key:
            await self._store.put_blob(key, blob)  # given again, it is the newest again
        return StoredFile(key, name, media_type, data)

    async def get(self, handle: str) -> StoredFile | None:
        """The file of a handle; None when this conversation has none of that name."""
        if not handle.startswith(self._prefix):
            return None
        return await read_file(self._store, handle)

    async def newest(self, most_bytes: int) -> Sequence[StoredFile]:
        """The conversation's files, newest first, as many as have no more than so many bytes together.

        A large one is left out rather than hide what is older.
        """
        newest: list[StoredFile] = []
        left = most_bytes
        for known in reversed(await self._kept()):
            file = await read_file(self._store, known.key) if known.size <= left + _HEAD_BYTES else None
            if file is not None and len(file.data) <= left:
                left -= len(file.data)
                newest.append(file)
        return newest

    async def _kept(self) -> list[BlobFacts]:
        """What there is, in the order in which it was given last."""
        return sorted(await self._store.blobs(self._prefix), key=lambda known: known.put_us)

    async def _make_room(self, before: Sequence[BlobFacts], added: int) -> None:
        """Forget the oldest files until what is left, with the one that was added, is not too many."""
        total, count = sum(known.size for known in before) + added, len(before) + 1
        for known in before:
            if total <= self._most and count <= self._most_files:
                return
            await self._store.delete_blobs(known.key)
            total, count = total - known.size, count - 1


def file_handle(session: str, name: str, media_type: str, data: bytes) -> str:
    """The handle that a file of a session has, whether it is kept already or not: it follows from the file."""
    digest = sha256(_head(name, media_type))
    digest.update(data)
    return f"{session}/files/{digest.hexdigest()[:_ID_LENGTH]}"


def _blob(session: str, name: str, media_type: str, data: bytes) -> tuple[str, bytes]:
    """The handle of a file, and what is kept under it."""
    return file_handle(session, name, media_type, data), _head(name, media_type) + data


def _head(name: str, media_type: str) -> bytes:
    return dumps({"name": name, "mediaType": media_type}) + b"\n"


async def read_file(store: Store, name: str) -> StoredFile | None:
    """The file of a resource name, whichever session it belongs to; None when there is none."""
    blob = await store.get_blob(name)
    if blob is None:
        return None
    head, _, data = blob.partition(b"\n")
    facts = as_object(loads(head))
    return StoredFile(name, str(facts["name"]), str(facts["mediaType"]), data)
