"""Databases of the same tables for tests of connections: SQLite always, PostgreSQL and MariaDB where they are."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.settings import Authentication, ConfigValue, ConnectionSettings, UserPassword
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse

SQLITE_TABLES = """
CREATE TABLE customer (
    id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL UNIQUE, email TEXT, status VARCHAR(10) DEFAULT 'open',
    credit DECIMAL(12, 2), rating DOUBLE, is_active BOOLEAN NOT NULL DEFAULT 1, born DATE, met TIMESTAMP, wakes TIME,
    profile JSON, photo BLOB, balance BIGINT, CHECK (balance > -1000)
);
CREATE TABLE purchase (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id), amount DECIMAL(12, 2) NOT NULL
);
CREATE TABLE line (
    purchase_id INTEGER NOT NULL, number INTEGER NOT NULL, sku VARCHAR(20) NOT NULL, PRIMARY KEY (purchase_id, number)
);
CREATE TABLE journal (happened VARCHAR(40), weight INTEGER);
CREATE TABLE secret (id INTEGER PRIMARY KEY, word VARCHAR(40));
CREATE VIEW active_customer AS SELECT id, name FROM customer WHERE is_active = 1;
INSERT INTO secret VALUES (1, 'xyzzy');
"""


class NoTransport:
    """Databases are not reached over HTTP."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """Nobody asks."""
        raise AssertionError(request)

    async def aclose(self) -> None:
        """Nothing is open."""


@dataclass(slots=True)
class LoopbackResolver:
    """Every name is this machine; remembers what it was asked."""

    asked: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    address: str = "127.0.0.1"

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """The address."""
        self.asked.append((host, port))
        return [self.address]


@dataclass(slots=True)
class SqlPeer:
    """A database with the tables of these tests, and how it is connected to."""

    name: str
    settings: ConnectionSettings
    access: SystemAccess
    run: Callable[[str], Sequence[Sequence[object]]]
    """Runs SQL as its owner, beside all connections."""

    def configured(self, **config: ConfigValue) -> ConnectionSettings:
        """Settings with some config variables more."""
        return replace(self.settings, config={**self.settings.config, **config})

    def authenticated(self, authentication: Authentication) -> ConnectionSettings:
        """Settings with a session's credential."""
        return self.settings.overridden(authentication)

    def column(self, statement: str) -> list[object]:
        """The first column of what a statement gives."""
        return [row[0] for row in self.run(statement)]


def sqlite_peer(folder: Path) -> SqlPeer:
    """A file in a folder."""
    path = folder / "shop.sqlite"

    def run(statement: str) -> Sequence[Sequence[object]]:
        link = sqlite3.connect(path, isolation_level=None)
        try:
            return link.execute(statement).fetchall()
        finally:
            link.close()

    link = sqlite3.connect(path)
    link.executescript(SQLITE_TABLES)
    link.close()
    settings = ConnectionSettings(NAME, "sqlite", {"database": "shop"})
    return SqlPeer("sqlite", settings, SystemAccess(NoTransport(), LoopbackResolver(), files={"shop": path}), run)


NAME = "projects/p/locations/l/connections/shop"
OWNER = UserPassword("shop", "p@ss'w/rd")
