"""The catalog of many servers: PostgreSQL. Import it only where it is used: it needs the extra `postgres`."""

from openplaybook.retrieval.catalog.postgres.catalog import PostgresCatalog

__all__ = ["PostgresCatalog"]
