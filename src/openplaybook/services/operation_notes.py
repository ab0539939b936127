"""Notes of operations: what another process needs to go on with the work of one whose server is gone."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.services.stored_records import every_record
from openplaybook.storage.base import Change, Delete, Put, Store

_NOTE = "/note"
"""Behind the name of an operation: its note."""
_PAYLOAD = f"{_NOTE}/payload"
_NOTES = "operationNotes"
"""What all notes are listed under."""
_NOTE_KIND = "operation_note"
_PAYLOAD_KIND = "operation_payload"


@dataclass(frozen=True, slots=True)
class UnfinishedWork:
    """An operation that has a note, of this server, of another or of none."""

    operation: str
    note: JsonObject


@dataclass(frozen=True, slots=True)
class WaitingLimits:
    """What imports of one project may keep in the store until they end; 0 is no limit."""

    documents: int = 0
    bytes: int = 0


class OperationNotes:
    """Notes in the store, each with a payload that belongs to it and never changes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self) -> Sequence[UnfinishedWork]:
        """All work that left a note and has not ended, whoever does it."""
        records = await every_record(self._store, _NOTES, _NOTE_KIND)
        return [UnfinishedWork(record.name.removesuffix(_NOTE), as_object(loads(record.body))) for record in records]

    async def has(self, operation: str) -> bool:
        """Whether an operation has a note."""
        return await self._store.get(operation + _NOTE) is not None

    async def payload(self, operation: str) -> bytes:
        """What was given with the note of an operation; nothing where nothing was."""
        record = await self._store.get(operation + _PAYLOAD)
        return record.body if record is not None else b""

    def kept(self, operation: str, note: JsonObject | None) -> Sequence[Change]:
        """The change that keeps a note; none for no note."""
        if note is None:
            return []
        return [Put(operation + _NOTE, _NOTE_KIND, _NOTES, _NOTES, dumps(note))]

    def payload_kept(self, operation: str, payload: bytes | None) -> Sequence[Change]:
        """The change that keeps a payload; none for no payload."""
        if payload is None:
            return []
        return [Put(operation + _PAYLOAD, _PAYLOAD_KIND, operation + _NOTE, _NOTES, payload)]

    def gone(self, operation: str) -> Sequence[Change]:
        """The change that forgets a note with its payload."""
        return [Delete(operation + _NOTE, tree=True)]
