"""The index of one store: what is found, how it is ordered and explained, and what survives."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from openplaybook.retrieval.base import Boost, Passage, SearchRequest, StoreDocument
from openplaybook.retrieval.catalog.base import ChangeMark, DocumentChange
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.filters.syntax import AnyOf
from openplaybook.retrieval.index.index_files import is_sound
from openplaybook.retrieval.index.store_index import BrokenIndex, StoreIndex, new_index, open_index
from tests.kit.followed_store import document


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


def filled(folder: Path, *documents: StoreDocument) -> StoreIndex:
    """A new index with documents."""
    index = new_index(folder, "first")
    index.apply([DocumentChange(at, each.id, each) for at, each in enumerate(documents, 1)])
    index.commit(is_complete=True)
    return index


def ids(index: StoreIndex, request: SearchRequest | str) -> Sequence[str]:
    request = SearchRequest(request) if isinstance(request, str) else request
    return [hit.document for hit in index.search(request).hits]


def test_a_word_in_the_title_counts_more_than_one_in_the_text(folder: Path) -> None:
    index = filled(
        folder, document("a", "All about refunds, in short.", title="Money"), document("b", "In short.", title="Refund")
    )
    assert ids(index, "refunds") == ["b", "a"]


def test_a_hit_has_all_of_its_passage(folder: Path) -> None:
    passages = (Passage("First part.", ("Guide",)), Passage("Second piece.", ("Guide", "Ends"), page=3))
    index = filled(
        folder, StoreDocument("a", "Title", "https://a", passages, {"n": [1, {"x": None}]}, question="What?")
    )
    (hit,) = index.search(SearchRequest("piece")).hits
    assert (hit.document, hit.passage, hit.title, hit.uri, hit.text) == ("a", 1, "Title", "https://a", "Second piece.")
    assert (hit.headings, hit.page, hit.data, hit.question) == (("Guide", "Ends"), 3, {"n": [1, {"x": None}]}, "What?")


def test_passages_of_one_document_are_limited(folder: Path) -> None:
    many = StoreDocument("a", "", "", tuple(Passage(f"apple number {n}") for n in range(50)), language="en")
    index = filled(folder, many, document("b", "apple pie and much else besides"))
    assert sorted(ids(index, "apple")) == ["a", "b"]
    assert ids(index, SearchRequest("apple", most_per_document=2)).count("a") == 2
    assert len(ids(index, SearchRequest("apple", most_per_document=0, limit=100))) == 51


def test_pages_of_hits_follow_each_other(folder: Path) -> None:
    index = filled(folder, *(document(f"d{n}", "pear " * (n + 1) + "x y z " * (40 - n)) for n in range(30)))
    whole = ids(index, SearchRequest("pear", limit=30))
    assert len(set(whole)) == 30
    assert [id for at in range(0, 30, 7) for id in ids(index, SearchRequest("pear", limit=7, offset=at))] == whole


def test_an_empty_text_lists_documents_by_id_once_each(folder: Path) -> None:
    two = StoreDocument("b", "", "", (Passage("x"), Passage("y")))
    index = filled(folder, document("c"), two, document("a"), StoreDocument("d", "Empty", "", ()))
    results = index.search(SearchRequest("", limit=3))
    assert [hit.document for hit in results.hits] == ["a", "b", "c"]
    assert results.total == 4
    assert ids(index, SearchRequest(" ", offset=3)) == ["d"]


def test_a_filter_narrows_words_and_lists(folder: Path) -> None:
    index = filled(
        folder, *(document(f"d{n}", "plum", data={"kind": "even" if n % 2 == 0 else "odd"}) for n in range(6))
    )
    odd = AnyOf("kind", ("odd",))
    assert ids(index, SearchRequest("", filter=odd)) == ["d1", "d3", "d5"]
    assert sorted(ids(index, SearchRequest("plum", filter=odd))) == ["d1", "d3", "d5"]
    assert index.search(SearchRequest("", filter=odd, limit=1)).total == 3


def test_a_filter_that_the_engine_cannot_test_is_tested_on_the_hits(folder: Path) -> None:
    places = [document(f"d{n}", "shop", data={"at": {"latitude": 48.0 + n, "longitude": 11.0}}) for n in range(60)]
    near = parsed_filter("at: GEO_DISTANCE(50, 11, 1000)")
    assert ids(filled(folder, *places), SearchRequest("shop", filter=near)) == ["d2"]


def test_boosts_move_hits_and_leave_none_out(folder: Path) -> None:
    index = filled(folder, *(document(f"d{n}", "fig " * (5 - n) + "and so on", data={"n": str(n)}) for n in range(4)))
    boosted = SearchRequest("fig", boosts=(Boost(AnyOf("n", ("3",)), 1.0), Boost(AnyOf("n", ("0",)), -1.0)))
    assert ids(index, "fig") == ["d0", "d1", "d2", "d3"]
    assert ids(index, boosted) == ["d3", "d1", "d2", "d0"]


def test_an_explained_hit_tells_its_words_and_their_weights(folder: Path) -> None:
    index = filled(
        folder, document("a", "Parrots eat seeds.", title="Feeding parrots"), document("b", "Cats eat fish.")
    )
    hit = index.search(SearchRequest("What do PARROTS eat?", explain=True)).hits[0]
    assert [(each.term, each.field) for each in hit.matched] == [
        ("PARROTS", "title"),
        ("PARROTS", "text"),
        ("eat", "text"),
    ]
    assert sum(each.weight for each in hit.matched) == pytest.approx(hit.score, rel=1e-5)
    assert index.search(SearchRequest("parrots")).hits[0].matched == ()


@pytest.mark.parametrize(
    ("asked", "is_found"), [("acommodation", True), ("Accomodations", True), ("acxmodztixn", False)]
)
def test_a_word_that_no_passage_has_finds_those_that_are_spelt_nearly_like_it(
    folder: Path, asked: str, is_found: bool
) -> None:
    assert bool(ids(filled(folder, document("a", "accommodation"), document("b", "flight")), asked)) is is_found


@pytest.mark.parametrize(("asked", "text"), [("acommodation", "accommodation"), ("水", "热水器")])
def test_what_is_found_by_nearness_is_explained_too(folder: Path, asked: str, text: str) -> None:
    index = filled(folder, document("a", text, language="en"))
    (hit,) = index.search(SearchRequest(asked, explain=True)).hits
    assert [(each.term, each.field) for each in hit.matched] == [(asked, "text")]


def test_documents_far_down_a_long_list_are_reached(folder: Path) -> None:
    index = filled(folder, *(StoreDocument(f"{n:05}", "", "", ()) for n in range(21_000)))
    assert ids(index, SearchRequest("", offset=20_998)) == ["20998", "20999"]


def test_a_word_that_some_passage_has_is_taken_as_it_is_written(folder: Path) -> None:
    assert ids(filled(folder, document("a", "house"), document("b", "horse")), "horse") == ["b"]


def test_one_character_of_chinese_finds_words_that_have_it(folder: Path) -> None:
    index = filled(
        folder,
        document("a", "热水器", language="zh"),
        document("b", "北京大学", language="zh"),
        document("c", "喝水", language="zh"),
    )
    assert sorted(ids(index, "水")) == ["a", "c"]


def test_a_question_of_stop_words_alone_is_searched_by_them(folder: Path) -> None:
    index = filled(folder, document("a", "To be or not to be"), document("b", "Nothing of the kind"))
    assert ids(index, "to be or not to be")[0] == "a"


def test_stop_words_alone_find_nothing_where_another_word_is_asked_for(folder: Path) -> None:
    index = filled(folder, document("a", "where is the station"), document("b", "the harbour"))
    assert ids(index, "where is the harbour") == ["b"]


def test_a_store_of_two_languages_is_searched_in_both(folder: Path) -> None:
    index = filled(
        folder,
        document("a", "Die Rechnungen werden monatlich verschickt.", language="de"),
        document("b", "Bookings are cancelled by phone.", language="en"),
    )
    assert ids(index, "Rechnung") == ["a"]
    assert ids(index, SearchRequest("cancelling a booking", language="en-GB")) == ["b"]


def test_a_question_is_searched_in_its_own_language_however_few_documents_have_it(folder: Path) -> None:
    many = [document(f"{code}{n}", "x", language=code) for code in ("de", "en", "es", "fr", "it") for n in range(5)]
    index = filled(folder, *many, document("ru", "Документы выдаются в отделе.", language="ru"))
    assert ids(index, "Где выдают документ?") == ["ru"]


def test_a_document_that_is_put_again_replaces_the_one_before(folder: Path) -> None:
    index = filled(folder, document("a", "old words"), document("b", "other"))
    index.apply([DocumentChange(3, "a", document("a", "new words")), DocumentChange(4, "b", None)])
    assert ids(index, "old") == ["a"]
    index.commit(is_complete=True)
    assert ids(index, "") == ["a"]
    assert ids(index, "old") == []


def test_changes_that_come_twice_are_there_once(folder: Path) -> None:
    index = filled(folder, document("a", "word"))
    index.apply([DocumentChange(1, "a", document("a", "word"))])
    index.commit(is_complete=True)
    assert index.search(SearchRequest("")).total == 1


def test_what_was_committed_is_there_when_the_index_is_opened_again(folder: Path) -> None:
    index = filled(folder, document("a", "word"))
    index.apply([DocumentChange(2, "b", document("b", "word"))])
    index.rest()
    del index
    opened = open_index(folder)
    assert opened is not None
    assert opened.mark == ChangeMark("first", 1)
    assert opened.is_complete
    assert ids(opened, "word") == ["a"]


def test_few_changes_and_then_many_are_all_found(folder: Path) -> None:
    index = filled(folder, document("a", "word"))
    index.apply([DocumentChange(2, "b", document("b", "word"))])
    index.apply([DocumentChange(3 + n, f"c{n}", document(f"c{n}", "word")) for n in range(200)])
    assert index.mark.sequence == 1
    index.commit(is_complete=True)
    assert index.search(SearchRequest("", limit=1)).total == 202


def test_what_a_writer_had_to_commit_before_its_time_may_be_applied_again(folder: Path) -> None:
    index = filled(folder, document("a", "word"))
    few = [DocumentChange(2, "b", document("b", "word"))]
    many = [DocumentChange(3 + n, f"c{n}", document(f"c{n}", "word")) for n in range(200)]
    index.apply(few)
    index.apply(many)
    index.rest()
    del index
    opened = open_index(folder)
    assert opened is not None
    assert opened.mark.sequence == 1
    opened.apply([*few, *many])
    opened.commit(is_complete=True)
    assert opened.search(SearchRequest("", limit=1)).total == 202


def test_an_index_of_another_version_is_not_opened(folder: Path) -> None:
    filled(folder, document("a")).rest()
    state = folder / "state.json"
    state.write_text(state.read_text().replace('"version":"', '"version":"0.'))
    assert open_index(folder) is None


@pytest.mark.parametrize("name", ["state.json", "segments/meta.json"])
@pytest.mark.parametrize("rest", [b"", b"{", b"null"])
def test_an_index_whose_files_are_broken_is_not_opened(folder: Path, name: str, rest: bytes) -> None:
    filled(folder, document("a")).rest()
    (folder / name).write_bytes(rest)
    assert open_index(folder) is None


@pytest.mark.parametrize("part", ["store", "term", "idx", "fast", "fieldnorm"])
def test_files_are_sound_until_one_byte_of_one_is_another(folder: Path, part: str) -> None:
    filled(folder, *(document(f"d{n}", "word") for n in range(20))).rest()
    assert is_sound(folder)
    (file,) = (folder / "segments").glob(f"*.{part}")
    written = file.read_bytes()
    file.write_bytes(bytes([written[0] ^ 1]) + written[1:])
    assert not is_sound(folder)
    file.unlink()
    assert not is_sound(folder)


@pytest.mark.parametrize("part", ["store", "term", "idx", "fast", "fieldnorm"])
def test_an_index_that_lost_part_of_its_files_is_said_to_be_broken(folder: Path, part: str) -> None:
    filled(folder, *(document(f"d{n}", "word") for n in range(20))).rest()
    for file in (folder / "segments").glob(f"*.{part}"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    try:
        opened = open_index(folder)
        if opened is not None:
            opened.search(SearchRequest("word"))
    except BrokenIndex:
        opened = None
    assert opened is None
