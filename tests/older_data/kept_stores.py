"""Keeps documents of data stores as the version that is checked out does: `python -m tests.older_data.kept_stores F`.

Run it before a change of what catalogs store, and commit the folder F beneath `tests/fixtures/older_stores`. It holds
`stores.db.gz`, the file of SQLite, and `stores.sql.gz`, a dump of PostgreSQL.
"""

import asyncio
import gzip
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.catalog.base import Catalog
from openplaybook.retrieval.catalog.postgres import PostgresCatalog
from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.storage.postgres.database_address import read_address
from tests.kit.postgres import running_cluster

STORE = "projects/p/locations/l/collections/default_collection/dataStores/kept"
_DROPPED = f"{STORE}-before"

KEPT: Sequence[StoreDocument] = (
    StoreDocument(
        id="faq",
        title="",
        uri="https://help.test/milk",
        passages=(Passage("Water is better."),),
        data={"question": "May cats drink milk?", "answer": "Water is better.", "n": 12345678901234567890},
        language="en",
        question="May cats drink milk?",
        digest="d-faq",
    ),
    StoreDocument(
        id="manual",
        title="Das Handbuch",
        uri="gs://manuals/handbuch.pdf",
        passages=(
            Passage("Der rote Hebel schaltet die Lampe ein. " * 60, ("Handbuch", "Lampe"), 3),
            Passage("Ein zweiter Absatz."),
        ),
        data={"category": ["lamps", "levers"], "at": {"lat": 48.1, "lng": 11.5}},
        language="de",
        media_type="application/pdf",
        digest="d-manual",
        source={"content": {"uri": "gs://manuals/handbuch.pdf", "mimeType": "application/pdf"}},
    ),
)
"""What is in the store; its first has a body that is written as it is, its second one that is deflated."""


async def fill(catalog: Catalog) -> None:
    """What a catalog went through: a store that was dropped, documents that were replaced, and one that was deleted."""
    await catalog.put(_DROPPED, KEPT)
    await catalog.drop(_DROPPED)
    await catalog.put(STORE, [StoreDocument("faq", "before", "", ()), StoreDocument("gone", "gone", "", ())])
    await catalog.put(STORE, KEPT)
    await catalog.delete(STORE, ["gone"])


async def _sqlite(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "stores.db"
        catalog = SqliteCatalog(path)
        await catalog.open()
        await fill(catalog)
        await catalog.close()
        (folder / "stores.db.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))


async def _filled(url: str) -> None:
    catalog = PostgresCatalog(read_address(url))
    await catalog.open()
    await fill(catalog)
    await catalog.close()


def _postgres(folder: Path) -> None:
    with running_cluster() as cluster:
        asyncio.run(_filled(cluster.url()))
        command = [cluster.bin / "pg_dump", "--no-owner", "--no-privileges", cluster.url()]
        dump = subprocess.run(command, capture_output=True, check=True)
        (folder / "stores.sql.gz").write_bytes(gzip.compress(dump.stdout, mtime=0))


if __name__ == "__main__":
    place = Path(sys.argv[1])
    place.mkdir(parents=True)
    asyncio.run(_sqlite(place))
    _postgres(place)
