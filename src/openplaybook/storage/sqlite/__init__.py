"""The store of one machine: SQLite in write-ahead mode, with group commit."""

from openplaybook.storage.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
