"""Documents that an older version kept are read and written on by this one. `tests/older_data/kept_stores.py` says what
was kept, and how to keep the like."""

import gzip
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from openplaybook.retrieval.base import StoreStatistics
from tests.kit.postgres import PASSWORD, Cluster
from tests.older_data.kept_stores import KEPT, STORE

from .kit import OpenedCatalog, Place, all_changes, all_ids, document

_FIXTURES = Path(__file__).parents[3] / "fixtures" / "older_stores"


@pytest.fixture
def restored(cluster: Cluster) -> Iterator[Callable[[bytes], str]]:
    """Makes a database of a dump; its URL."""

    def restore(dump: bytes) -> str:
        cluster.sql("CREATE DATABASE kept")
        command = [cluster.bin / "psql", "-q", "-v", "ON_ERROR_STOP=1", cluster.url("kept")]
        subprocess.run(command, input=dump, capture_output=True, check=True, env={"PGPASSWORD": PASSWORD})
        return cluster.url("kept")

    yield restore
    cluster.sql("DROP DATABASE IF EXISTS kept WITH (FORCE)")


@pytest.fixture(params=["postgres", "sqlite"])
def place(request: pytest.FixtureRequest, version: str, tmp_path: Path) -> Place:
    """Where an older version kept them."""
    if request.param == "postgres":
        restore: Callable[[bytes], str] = request.getfixturevalue("restored")
        return Place("postgres", restore(gzip.decompress((_FIXTURES / version / "stores.sql.gz").read_bytes())))
    path = tmp_path / "stores.db"
    path.write_bytes(gzip.decompress((_FIXTURES / version / "stores.db.gz").read_bytes()))
    return Place("sqlite", str(path))


@pytest.fixture(params=sorted(folder.name for folder in _FIXTURES.iterdir()))
def version(request: pytest.FixtureRequest) -> str:
    """The day of the version that kept them."""
    return request.param


@pytest.mark.proves("X11")
async def test_documents_of_an_older_version_are_as_they_were(catalog: OpenedCatalog) -> None:
    page = await catalog.page(STORE)
    assert (page.documents, page.next_after) == (KEPT, "")
    assert await catalog.digests(STORE, ["faq", "manual", "gone"]) == {"faq": "d-faq", "manual": "d-manual"}
    assert await catalog.stores() == [STORE]
    held = await catalog.statistics(STORE)
    assert held == StoreStatistics(2, 3, held.bytes, (("de", 1), ("en", 1)))


async def test_an_index_can_be_made_of_the_changes_that_an_older_version_kept(catalog: OpenedCatalog) -> None:
    changes = await all_changes(catalog, STORE)
    assert [(change.id, change.document) for change in changes] == [
        ("faq", KEPT[0]),
        ("manual", KEPT[1]),
        ("gone", None),
    ]


async def test_what_an_older_version_kept_is_written_on(catalog: OpenedCatalog) -> None:
    before = await catalog.mark(STORE)
    assert before is not None
    mark = await catalog.put(STORE, [document("gone"), document("new")])
    assert (mark.incarnation, mark.sequence) == (before.incarnation, before.sequence + 2)
    assert await catalog.delete(STORE, ["faq"]) == 1
    assert await all_ids(catalog, STORE) == ["gone", "manual", "new"]
    await catalog.drop(STORE)
    assert await catalog.stores() == []
