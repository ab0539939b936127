"""The order in which documents changed, from which indexes are made."""

import pytest

from openplaybook.retrieval.catalog.base import DocumentChange
from openplaybook.retrieval.errors import ChangesForgotten

from .kit import OTHER, STORE, OpenedCatalog, Opener, all_changes, document, documents


async def told(catalog: OpenedCatalog, after: int = 0) -> list[tuple[str, bool]]:
    """Ids of changes, and whether the document is there."""
    return [(change.id, change.document is not None) for change in await catalog.changes(STORE, after)]


async def test_changes_are_told_in_their_order_with_the_documents(catalog: OpenedCatalog) -> None:
    await catalog.put(STORE, documents("b", "a"))
    mark = await catalog.put(STORE, documents("c"))
    assert await catalog.mark(STORE) == mark
    changes = await catalog.changes(STORE, 0)
    assert [change.sequence for change in changes] == [1, 2, 3]
    assert changes[2] == DocumentChange(mark.sequence, "c", document("c"))
    assert await told(catalog) == [("b", True), ("a", True), ("c", True)]
    assert await told(catalog, 2) == [("c", True)]
    assert await told(catalog, 3) == []


async def test_hundreds_of_documents_that_are_put_at_once_change_in_their_order(catalog: OpenedCatalog) -> None:
    ids = [f"d{number}" for number in range(230)]
    await catalog.put(STORE, documents(*ids))
    await catalog.put(STORE, documents(*ids[100:]))
    assert await told(catalog) == [(id, True) for id in ids]
    held = await catalog.statistics(STORE)
    assert (held.documents, held.passages) == (230, 230)
    assert (await catalog.mark(STORE)) == await catalog.put(STORE, [])


async def test_of_a_document_only_the_last_change_is_told(catalog: OpenedCatalog) -> None:
    await catalog.put(STORE, documents("a", "b", "c"))
    await catalog.put(STORE, documents("a"))
    assert await told(catalog) == [("b", True), ("c", True), ("a", True)]
    await catalog.delete(STORE, ["b"])
    assert await told(catalog) == [("c", True), ("a", True), ("b", False)]
    await catalog.delete(STORE, ["b"])
    await catalog.put(STORE, documents("b"))
    assert await told(catalog) == [("c", True), ("a", True), ("b", True)]
    assert await told(catalog, 5) == [("b", True)]


async def test_changes_come_piece_by_piece(catalog: OpenedCatalog) -> None:
    await catalog.put(STORE, documents(*map(str, range(20))))
    await catalog.delete(STORE, [str(number) for number in range(0, 20, 3)])
    whole = await catalog.changes(STORE, 0)
    for limit in (1, 3, 7, 20):
        assert await all_changes(catalog, limit=limit) == list(whole)


async def test_each_store_counts_for_itself(catalog: OpenedCatalog) -> None:
    first, second = await catalog.put(STORE, documents("a", "b")), await catalog.put(OTHER, documents("a"))
    assert (first.sequence, second.sequence) == (2, 1)
    assert first.incarnation != second.incarnation
    assert (await catalog.put(STORE, documents("c"))).incarnation == first.incarnation


async def test_who_follows_a_store_that_was_dropped_and_filled_again_is_told_to_begin_anew(
    catalog: OpenedCatalog,
) -> None:
    before = await catalog.put(STORE, documents("a", "b"))
    await catalog.drop(STORE)
    assert (await catalog.mark(STORE), list(await catalog.changes(STORE, before.sequence))) == (None, [])
    after = await catalog.put(STORE, documents("c"))
    assert after.incarnation != before.incarnation
    for sequence in (1, before.sequence):
        with pytest.raises(ChangesForgotten, match=f"the changes of {STORE} after {sequence} are not known"):
            await catalog.changes(STORE, sequence)
    assert await told(catalog) == [("c", True)]
    assert await told(catalog, after.sequence) == []


async def test_who_has_missed_deletions_that_are_forgotten_is_told_to_begin_anew(open_catalog: Opener) -> None:
    catalog = await open_catalog(most_tombstones=4)
    await catalog.put(STORE, documents(*"abcdefgh"))
    assert await catalog.delete(STORE, list("abcd")) == 4
    mark = await catalog.mark(STORE)
    assert mark is not None
    assert (mark.sequence, mark.floor) == (12, 0)
    assert await catalog.delete(STORE, list("ef")) == 2
    mark = await catalog.mark(STORE)
    assert mark is not None
    assert mark.sequence == 14
    assert mark.floor == 12, "the older half and one more are forgotten"
    with pytest.raises(ChangesForgotten):
        await catalog.changes(STORE, 11)
    assert sorted(await told(catalog, 12)) == [("e", False), ("f", False)]
    assert sorted(await told(catalog)) == [("e", False), ("f", False), ("g", True), ("h", True)]
    assert (await catalog.put(STORE, documents("e"))).floor == 12
    assert await catalog.delete(STORE, list("e")) == 1
    assert sorted(await told(catalog)) == [("e", False), ("f", False), ("g", True), ("h", True)]


async def test_as_many_deletions_are_remembered_as_there_are_documents(open_catalog: Opener) -> None:
    catalog = await open_catalog(most_tombstones=1)
    await catalog.put(STORE, documents(*"abcdefgh"))
    await catalog.delete(STORE, list("abcd"))
    mark = await catalog.mark(STORE)
    assert mark is not None
    assert mark.floor == 0
