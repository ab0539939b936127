"""What a store refuses.

StoreError
├── RecordExists       a name, or a unique key, is taken
├── RecordNotFound
├── VersionMismatch    changed since it was read
├── LeaseLost          another owner has the session now
└── StoreUnusable      locked, read-only, corrupt, full, closed, or of a newer version
"""

from enum import StrEnum
from typing import ClassVar


class StoreFault(StrEnum):
    """What is wrong with a store, in a word that anybody may read: no path, no address, no name."""

    DAMAGED = "damaged"
    READ_ONLY = "read-only"
    FULL = "full"
    FAILING = "failing"
    """The disk, or the database's own system, refuses to read or write."""
    GONE = "gone"
    """The file was removed or replaced under the server: what is written now is lost."""
    BUSY = "busy"
    UNREACHABLE = "unreachable"
    SLOW = "slow"
    """It gives no answer in time."""
    UNUSABLE = "unusable"
    """Anything else; the server's log says what."""


SENTENCES = {
    StoreFault.DAMAGED: "it is damaged; restore a backup",
    StoreFault.READ_ONLY: "it accepts no writes",
    StoreFault.FULL: "the disk is full",
    StoreFault.FAILING: "the disk refuses to read or write",
    StoreFault.GONE: "it was moved away or replaced; put it back, or start the server again",
    StoreFault.BUSY: "another process holds it",
    StoreFault.UNREACHABLE: "it cannot be reached",
    StoreFault.SLOW: "it does not respond in time",
    StoreFault.UNUSABLE: "the server's log says why",
}
"""How each is said to callers."""


class StoreError(Exception):
    """A store's refusal; nothing was written."""

    code: ClassVar[str] = "STORE_ERROR"


class RecordExists(StoreError):
    """A record of that name, or with that unique key, is there already."""

    code = "RECORD_EXISTS"

    def __init__(self, name: str, unique_key: str | None = None) -> None:
        super().__init__(f"{name} exists" if unique_key is None else f"{unique_key!r} is taken by {name}")
        self.name = name
        """The record that is there."""
        self.unique_key = unique_key


class RecordNotFound(StoreError):
    """No record of that name."""

    code = "RECORD_NOT_FOUND"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} does not exist")
        self.name = name


class VersionMismatch(StoreError):
    """The record was changed since it was read."""

    code = "VERSION_MISMATCH"

    def __init__(self, name: str, version: int) -> None:
        super().__init__(f"{name} is at version {version}")
        self.name = name
        self.version = version
        """The version it is at."""


class LeaseLost(StoreError):
    """Another owner has taken the session's turn over."""

    code = "LEASE_LOST"


class StoreUnusable(StoreError):
    """The store cannot be opened, or cannot go on; the message says why and what to do.

    The message is for the operator, since it may name paths and addresses; callers are told `for_callers`.
    """

    code = "STORE_UNUSABLE"

    def __init__(self, message: str, fault: StoreFault = StoreFault.UNUSABLE) -> None:
        super().__init__(message)
        self.fault = fault

    @property
    def for_callers(self) -> str:
        """What is wrong, without a word of where the server keeps its data."""
        return f"The server's database cannot be used: {SENTENCES[self.fault]}."
