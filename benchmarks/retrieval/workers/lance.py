# Runs in LanceDB's own environment, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""LanceDB with its own BM25 index on title and text, stemmed and without stop words, and indexes for the filter.

As its documentation advises: indexes are made after the load, `optimize` takes in what comes later, and a filter has
an index of its column's kind. Rows that are not indexed yet are found, too.
"""

from collections.abc import Sequence
from pathlib import Path

import lancedb
import pyarrow
from course import work
from lancedb.index import FTS, Bitmap, BTree
from lancedb.query import MultiMatchQuery
from texts import CATEGORY, PRICE_BELOW, Text

_SCHEMA = pyarrow.schema(
    [
        ("id", pyarrow.string()),
        ("title", pyarrow.string()),
        ("text", pyarrow.string()),
        ("category", pyarrow.string()),
        ("price", pyarrow.float64()),
    ]
)
_FILTER = f"category = '{CATEGORY}' AND price < {PRICE_BELOW}"


class Lance:
    """Implements `System`."""

    async def open(self, folder: Path) -> None:
        """As the port says."""
        self._database = await lancedb.connect_async(str(folder / "lance"))
        self._table = await self._database.create_table("passages", schema=_SCHEMA)

    async def add(self, texts: Sequence[Text]) -> None:
        """As the port says."""
        columns = {name: [getattr(text, name) for text in texts] for name in _SCHEMA.names}
        await self._table.add(pyarrow.table(columns, schema=_SCHEMA))

    async def finish(self) -> None:
        """As the port says."""
        await self._table.optimize()
        for column in ("title", "text"):
            await self._table.create_index(column, config=FTS())
        await self._table.create_index("category", config=Bitmap())
        await self._table.create_index("price", config=BTree())

    async def search(self, words: str, *, is_narrowed: bool) -> Sequence[str]:
        """As the port says."""
        asked = MultiMatchQuery(words, ["title", "text"], boosts=[2.0, 1.0])
        query = self._table.query().nearest_to_text(asked).limit(10)
        if is_narrowed:
            query = query.where(_FILTER)
        return [row["id"] for row in await query.to_list()]

    async def close(self) -> None:
        """As the port says."""
        self._table.close()
        self._database.close()


if __name__ == "__main__":
    work(Lance())
