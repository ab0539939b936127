"""Quotas hold for all stores of a project, whoever writes."""

import asyncio

import pytest

from openplaybook.retrieval.catalog.base import CatalogQuota
from openplaybook.retrieval.errors import QuotaExceeded

from .kit import ELSEWHERE, OTHER, STORE, OpenedCatalog, Opener, all_ids, document, documents


async def test_stores_of_a_project_share_its_documents_and_other_projects_have_their_own(open_catalog: Opener) -> None:
    catalog = await open_catalog(CatalogQuota(documents=3))
    await catalog.put(STORE, documents("a", "b"))
    await catalog.put(OTHER, documents("a"))
    with pytest.raises(QuotaExceeded, match="projects/p may hold 3 documents together, and with these 5 would be"):
        await catalog.put(OTHER, documents("b", "c"))
    assert (await all_ids(catalog, OTHER), (await catalog.statistics(OTHER)).documents) == (["a"], 1)
    await catalog.put(ELSEWHERE, documents("a", "b", "c"))
    await catalog.put(OTHER, documents("a"))
    await catalog.delete(STORE, ["a"])
    await catalog.put(OTHER, documents("b"))


async def test_a_refused_first_put_begins_no_store(open_catalog: Opener) -> None:
    catalog = await open_catalog(CatalogQuota(documents=1))
    with pytest.raises(QuotaExceeded):
        await catalog.put(STORE, documents("a", "b"))
    assert (await catalog.stores(), await catalog.mark(STORE)) == ([], None)


async def test_bytes_are_counted_as_they_are_stored(catalog: OpenedCatalog, open_catalog: Opener) -> None:
    await catalog.put(STORE, [document("a")])
    one = (await catalog.statistics(STORE)).bytes
    limited = await open_catalog(CatalogQuota(bytes=2 * one))
    await limited.put(STORE, [document("b")])
    with pytest.raises(QuotaExceeded, match=rf"projects/p may hold {2 * one:,} bytes together, and with these"):
        await limited.put(STORE, [document("b", "Some words and more.")])
    await limited.put(STORE, [document("b", "Less.")])


async def test_a_dropped_store_takes_nothing_of_the_quota(open_catalog: Opener) -> None:
    catalog = await open_catalog(CatalogQuota(documents=2))
    await catalog.put(STORE, documents("a", "b"))
    await catalog.drop(STORE)
    await catalog.put(OTHER, documents("a", "b"))
    assert (await catalog.statistics(OTHER)).documents == 2


async def test_writers_at_once_do_not_exceed_it_together(open_catalog: Opener) -> None:
    catalogs = [await open_catalog(CatalogQuota(documents=10)) for _ in range(2)]
    puts = [
        catalogs[number % 2].put((STORE, OTHER)[number // 2 % 2], documents(f"{number}-a", f"{number}-b"))
        for number in range(12)
    ]
    done = await asyncio.gather(*puts, return_exceptions=True)
    refused = [each for each in done if isinstance(each, BaseException)]
    assert [type(each) for each in refused] == [QuotaExceeded] * 7
    held = [(await catalogs[0].statistics(store)).documents for store in (STORE, OTHER)]
    assert sum(held) == 10
