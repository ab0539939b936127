"""Documents put, read, listed and taken away: the same in every catalog."""

import asyncio
from collections.abc import Callable

import pytest

from openplaybook.jsonvalues import dumps, loads
from openplaybook.retrieval.base import DocumentPage, Passage, StoreDocument, StoreStatistics
from openplaybook.retrieval.catalog.base import ChangeMark
from openplaybook.retrieval.errors import EngineFault, EngineUnavailable, InvalidSource

from .kit import ELSEWHERE, OTHER, STORE, OpenedCatalog, Opener, all_ids, document, documents

WHOLE = StoreDocument(
    id="a",
    title="Tarif réduit 料金",
    uri="https://a.example/x?y=1#z",
    passages=(Passage("Eins.", ("Alles", "Preise"), 2), Passage("Zwei \0 drei.")),
    data={"price": loads("0.10000000000000000000001"), "count": 2**70, "tags": ["a", None, True, {"b": 1.5}]},
    language="de",
    question="Was kostet es?",
    media_type="text/html",
    digest="sha\0256",
    source={"content": {"uri": "gs://b/o"}},
)
HOSTILE = [
    "'; DROP TABLE document; --",
    "%",
    "_",
    "../../etc/passwd",
    "/",
    "\0",
    "a\0b",
    "a\0c",
    "\n",
    " ",
    "A",
    "a",
    "ä",
    "a\u0308",
    "\uffff",
    "\U0001f600",
    "\U0010ffff",
    "ß" * 128,
    "\U0001f600" * 128,
    "{}",
    '"',
    "\\",
    "NULL",
]
"""Ids with what databases, paths and orders by UTF-16 trip over."""


async def test_what_is_put_is_read_by_everybody(catalog: OpenedCatalog, open_catalog: Opener) -> None:
    await catalog.put(STORE, [WHOLE, document("b")])
    another = await open_catalog()
    found = await another.get(STORE, ["b", "a", "none"])
    assert sorted(found, key=lambda each: each.id) == [WHOLE, document("b")]
    assert [dumps(each.data) for each in found if each.id == "a"] == [dumps(WHOLE.data)], "numbers are exact"
    assert await another.get(OTHER, ["a"]) == []


async def test_what_is_put_again_is_replaced(catalog: OpenedCatalog) -> None:
    await catalog.put(STORE, [document("a", "first", digest="1")])
    await catalog.put(STORE, [document("a", "second", digest="2"), document("a", "third", digest="3")])
    assert [each.passages[0].text for each in await catalog.get(STORE, ["a"])] == ["third"]
    assert (await catalog.statistics(STORE)).documents == 1
    assert await catalog.digests(STORE, ["a", "b"]) == {"a": "3"}


async def test_ids_may_be_any_text_and_come_in_the_order_of_their_bytes(catalog: OpenedCatalog) -> None:
    await catalog.put(STORE, documents(*HOSTILE))
    in_order = sorted(HOSTILE, key=lambda id: id.encode())
    for limit in (1, 2, 5, len(HOSTILE), 100):
        assert await all_ids(catalog, limit=limit) == in_order
    assert {each.id for each in await catalog.get(STORE, HOSTILE)} == {*HOSTILE}
    assert (await catalog.digests(STORE, HOSTILE)).keys() == {*HOSTILE}
    assert await catalog.delete(STORE, HOSTILE[::2]) == len(HOSTILE[::2])
    assert await all_ids(catalog) == sorted(HOSTILE[1::2], key=lambda id: id.encode())


async def test_of_ids_that_cannot_be_there_is_no_document(catalog: OpenedCatalog) -> None:
    await catalog.put(STORE, documents("a"))
    impossible = ["", "x" * 129, "\ud800"]
    assert await catalog.get(STORE, impossible) == []
    assert await catalog.digests(STORE, impossible) == {}
    assert await catalog.delete(STORE, impossible) == 0
    assert await all_ids(catalog) == ["a"]


async def test_a_page_ends_where_documents_are_large(catalog: OpenedCatalog) -> None:
    text = "".join(map(chr, range(0x4E00, 0x9000))) * 40
    await catalog.put(STORE, [document(id, text) for id in "abcd"])
    page = await catalog.page(STORE)
    assert 1 <= len(page.documents) < 4
    assert await all_ids(catalog) == ["a", "b", "c", "d"]
    changes = await catalog.changes(STORE, 0)
    assert 1 <= len(changes) < 4


async def test_many_documents_are_put_found_and_deleted_at_once(catalog: OpenedCatalog) -> None:
    ids = [f"{number:05}" for number in range(2_500)]
    await catalog.put(STORE, documents(*ids))
    assert len(await catalog.get(STORE, ids)) == len(await catalog.digests(STORE, ids)) == 2_500
    assert await all_ids(catalog, limit=1_000) == ids
    assert await catalog.delete(STORE, [*ids[:2_000], *ids[:10], "none"]) == 2_000
    assert await all_ids(catalog, limit=1_000) == ids[2_000:]


async def test_stores_know_nothing_of_each_other(catalog: OpenedCatalog) -> None:
    for store in (STORE, OTHER, ELSEWHERE):
        await catalog.put(store, [document("a", store)])
    assert await catalog.delete(OTHER, ["a"]) == 1
    assert [each.passages[0].text for each in await catalog.get(STORE, ["a"])] == [STORE]
    assert await catalog.stores() == sorted([STORE, OTHER, ELSEWHERE])
    assert await all_ids(catalog, OTHER) == []


async def test_a_store_that_never_was_is_empty(catalog: OpenedCatalog) -> None:
    assert await catalog.put(STORE, []) == ChangeMark("", 0)
    assert await catalog.stores() == []
    assert await catalog.mark(STORE) is None
    assert await catalog.page(STORE) == DocumentPage((), "")
    assert await catalog.digests(STORE, ["a"]) == {}
    assert await catalog.delete(STORE, ["a"]) == 0
    assert list(await catalog.changes(STORE, 0)) == []
    assert await catalog.statistics(STORE) == StoreStatistics(0, 0, 0)
    await catalog.drop(STORE)


async def test_statistics_count_what_is_there(catalog: OpenedCatalog) -> None:
    three = StoreDocument("c", "", "", (Passage("1"), Passage("2"), Passage("3")), language="de")
    await catalog.put(STORE, [document("a", language="en"), document("b", language="de"), three, document("d")])
    before = await catalog.statistics(STORE)
    assert (before.documents, before.passages, before.languages) == (4, 6, (("de", 2), ("en", 1)))
    await catalog.put(STORE, [document("b", "longer " * 20, language="en")])
    after = await catalog.statistics(STORE)
    assert (after.documents, after.passages, after.languages) == (4, 6, (("en", 2), ("de", 1)))
    assert after.bytes > before.bytes
    await catalog.delete(STORE, ["a", "b", "c", "d"])
    assert await catalog.statistics(STORE) == StoreStatistics(0, 0, 0)


async def test_a_put_that_is_refused_changes_nothing(catalog: OpenedCatalog) -> None:
    await catalog.put(STORE, documents("a"))
    before = await catalog.mark(STORE)
    with pytest.raises(InvalidSource, match="has 1 to 128 characters"):
        await catalog.put(STORE, documents("b", "x" * 129))
    assert (await catalog.mark(STORE), await all_ids(catalog)) == (before, ["a"])


async def test_many_puts_at_once_are_all_done(catalog: OpenedCatalog) -> None:
    await asyncio.gather(*(catalog.put(STORE, documents(f"{number:03}", "shared")) for number in range(100)))
    assert await all_ids(catalog) == [*(f"{number:03}" for number in range(100)), "shared"]
    assert (await catalog.statistics(STORE)).documents == 101


async def test_rows_of_the_first_form_are_read(catalog: OpenedCatalog, set_body: Callable[[str, bytes], None]) -> None:
    await catalog.put(STORE, documents("a"))
    set_body("a", b'\x01\x00{"title":"of old","passages":[{"text":"x","page":2}],"data":{"n":1e-400}}')
    ((found),) = await catalog.get(STORE, ["a"])
    assert (found.title, found.passages, found.data) == ("of old", (Passage("x", page=2),), {"n": loads("1e-400")})
    assert (await catalog.page(STORE)).documents == (found,)
    assert [change.document for change in await catalog.changes(STORE, 0)] == [found]


async def test_rows_of_a_newer_form_are_refused(catalog: OpenedCatalog, set_body: Callable[[str, bytes], None]) -> None:
    await catalog.put(STORE, documents("a"))
    set_body("a", b"\xff\x00{}")
    with pytest.raises(EngineFault, match="written by a newer version of OpenPlaybook"):
        await catalog.get(STORE, ["a"])
    assert await catalog.delete(STORE, ["a"]) == 1


async def test_a_closed_catalog_says_so(open_catalog: Opener) -> None:
    catalog = await open_catalog()
    await catalog.put(STORE, documents("a"))
    await catalog.close()
    for asked in (catalog.put(STORE, documents("b")), catalog.get(STORE, ["a"]), catalog.mark(STORE)):
        with pytest.raises(EngineUnavailable):
            await asked
    await catalog.close()
    assert await all_ids(await open_catalog()) == ["a"]
