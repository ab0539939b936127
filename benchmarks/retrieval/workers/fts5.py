"""FTS5 of the standard library's SQLite: words stemmed, ranked by its own BM25, texts in a table of their own.

It has no list of words to leave out, and passes over nothing that cannot be among the best, so that such words are left
out here as a program would. Both columns are searched, the title with twice the weight. `CROSS JOIN` keeps the search
of words outside: the other way round a filter takes many times as long.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from course import work
from texts import CATEGORY, PRICE_BELOW, STOP_WORDS, Text

_TABLES = """
CREATE TABLE passage (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT NULL,
    category TEXT NOT NULL, price REAL NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5 (
    title, text, content = 'passage', content_rowid = 'number', tokenize = 'porter unicode61'
);
CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN
    INSERT INTO words (rowid, title, text) VALUES (new.number, new.title, new.text);
END;
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(2.0, 1.0)');
"""
_INSERT = "INSERT INTO passage (id, title, text, category, price) VALUES (?, ?, ?, ?, ?)"
_SEARCH = """
SELECT id, passage.title, passage.text, category, price FROM words CROSS JOIN passage ON number = words.rowid
WHERE words MATCH ? {} ORDER BY rank LIMIT 10
"""
_PLAIN = _SEARCH.format("")
_NARROWED = _SEARCH.format(f"AND category = '{CATEGORY}' AND price < {PRICE_BELOW}")
_LEFT_OUT = frozenset(STOP_WORDS)


class Fts5:
    """Implements `System`."""

    async def open(self, folder: Path) -> None:
        """As the port says."""
        self._path = folder / "words.db"
        self._writer = self._connected()
        self._writer.executescript(_TABLES)
        # As a server does it: two threads search, each with a connection.
        self._threads = ThreadPoolExecutor(2)
        self._own = threading.local()

    async def add(self, texts: Sequence[Text]) -> None:
        """As the port says: a transaction for each batch."""
        rows = [(text.id, text.title, text.text, text.category, text.price) for text in texts]
        with self._writer:
            self._writer.executemany(_INSERT, rows)

    async def finish(self) -> None:
        """As the port says: merge all of the index into one."""
        with self._writer:
            self._writer.execute("INSERT INTO words (words) VALUES ('optimize')")

    async def search(self, words: str, *, is_narrowed: bool) -> Sequence[str]:
        """As the port says."""
        left = [word for word in words.split() if word not in _LEFT_OUT] or words.split()
        query = " OR ".join(f'"{word}"' for word in left)
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self._found, _NARROWED if is_narrowed else _PLAIN, query
        )

    async def close(self) -> None:
        """As the port says."""
        self._threads.shutdown()
        self._writer.close()

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        # In KiB, as much as our catalog has.
        connection.execute("PRAGMA cache_size = -65536")
        return connection

    def _found(self, statement: str, query: str) -> Sequence[str]:
        if not hasattr(self._own, "connection"):
            self._own.connection = self._connected()
        return [row[0] for row in self._own.connection.execute(statement, (query,))]


if __name__ == "__main__":
    work(Fts5())
