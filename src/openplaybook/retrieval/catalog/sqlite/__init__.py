"""The catalog of one machine: a SQLite file of its own."""

from openplaybook.retrieval.catalog.sqlite.catalog import SqliteCatalog

__all__ = ["SqliteCatalog"]
