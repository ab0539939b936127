"""The store of many servers: one PostgreSQL database."""

from openplaybook.storage.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
