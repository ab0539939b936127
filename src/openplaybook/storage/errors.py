"""What a store refuses.

StoreError
├── RecordExists       a name, or a unique key, is taken
├── RecordNotFound
├── VersionMismatch    changed since it was read
├── LeaseLost          another owner has the session now
└── StoreUnusable      locked, read-only, corrupt, full, closed, or of a newer version
"""

from typing import ClassVar


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
    """The store cannot be opened, or cannot go on; the message says why and what to do."""

    code = "STORE_UNUSABLE"
