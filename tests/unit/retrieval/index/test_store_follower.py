import pytest

from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.catalog.base import ChangeMark
from openplaybook.retrieval.index.store_follower import OfferedChanges


def document(id: str, text: str = "words") -> StoreDocument:
    return StoreDocument(id, "", "", (Passage(text),))


def mark(sequence: int, incarnation: str = "one") -> ChangeMark:
    return ChangeMark(incarnation, sequence)


@pytest.fixture
def offered() -> OfferedChanges:
    found = OfferedChanges()
    found.offer(mark(2), [document("a"), document("b")])
    found.offer(mark(5), [document("c"), document("a", "other words")])
    return found


def test_what_was_put_is_numbered_as_the_catalog_numbers_it(offered: OfferedChanges) -> None:
    first, second = offered.take("one", 0), offered.take("one", 2)
    assert [(each.sequence, each.id) for each in first] == [(1, "a"), (2, "b")]
    assert second == ()
    third = offered.take("one", 3)
    assert [(each.sequence, each.id) for each in third] == [(4, "c"), (5, "a")]
    assert third[1].document == document("a", "other words")


def test_documents_of_which_one_comes_twice_are_left_to_the_catalog() -> None:
    offered = OfferedChanges()
    offered.offer(mark(1), [document("a"), document("a", "other words")])
    assert not offered.take("one", 0)


def test_what_was_taken_is_kept_no_longer(offered: OfferedChanges) -> None:
    assert offered.take("one", 0)
    assert not offered.take("one", 0)


def test_what_the_catalog_told_already_is_forgotten(offered: OfferedChanges) -> None:
    assert not offered.take("one", 4)
    assert not offered.take("one", 3)


def test_changes_of_a_store_that_was_dropped_are_not_taken(offered: OfferedChanges) -> None:
    assert not offered.take("another", 0)


def test_more_than_may_be_kept_is_left_to_the_catalog() -> None:
    offered = OfferedChanges()
    offered.offer(mark(1), [document("a", "x" * 5_000_000)])
    offered.offer(mark(2), [document("b", "x" * 5_000_000)])
    assert offered.take("one", 0)
    assert not offered.take("one", 1)
    offered.offer(mark(5_001), [document(str(number)) for number in range(5_001)])
    assert not offered.take("one", 0)
