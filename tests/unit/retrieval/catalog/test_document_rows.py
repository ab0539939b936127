"""Documents as rows, and back."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.catalog.document_rows import (
    FORM,
    LARGEST_BODY,
    DocumentRow,
    Lift,
    read_row,
    write_row,
    write_rows,
)
from openplaybook.retrieval.errors import EngineFault, InvalidSource

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
exact = st.decimals(-(10**30), 10**30, places=25).map(lambda number: loads(format(number, "f")))
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | exact | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4))
members = st.dictionaries(texts, values, max_size=4)
passages = st.builds(Passage, texts, st.lists(texts, max_size=3).map(tuple), st.integers(0, 10_000))
documents = st.builds(
    StoreDocument,
    id=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=128),
    title=texts,
    uri=texts,
    passages=st.lists(passages, max_size=20).map(tuple),
    data=members,
    language=texts,
    question=texts,
    media_type=texts,
    digest=texts,
    source=members,
)

GOLDEN = {
    b"\x01\x00"
    b'{"title":"Rates","uri":"https://a.example/r","passages":[{"text":"Two.","headings":["All","Home"],"page":3},'
    b'{"text":"Three."}],"data":{"price":12345678901234567890.5,"tags":["a"]},"question":"How much?",'
    b'"mediaType":"text/html","source":{"content":{"uri":"gs://b/r.html"}}}': StoreDocument(
        id="r",
        title="Rates",
        uri="https://a.example/r",
        passages=(Passage("Two.", ("All", "Home"), 3), Passage("Three.")),
        data={"price": loads("12345678901234567890.5"), "tags": ["a"]},
        language="en",
        question="How much?",
        media_type="text/html",
        digest="d",
        source={"content": {"uri": "gs://b/r.html"}},
    ),
    b"\x01\x00{}": StoreDocument("r", "", "", (), language="en", digest="d"),
}
"""Bodies of every form there has been, as they may lie in somebody's database: none of them is ever edited."""


def back(row: DocumentRow, lifts: Sequence[Lift] = ()) -> StoreDocument:
    return read_row(row.id, row.language, row.digest, row.body, lifts)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(documents)
def test_what_is_written_is_read(document: StoreDocument) -> None:
    row = write_row(document)
    assert back(row) == document
    assert dumps(back(row).data) == dumps(document.data), "a number has its type, too"
    assert row.passages == len(document.passages)


@pytest.mark.parametrize("body", GOLDEN, ids=range(len(GOLDEN)))
def test_rows_of_every_form_there_has_been_are_read(body: bytes) -> None:
    assert read_row("r", "en", "d", body) == GOLDEN[body]


def test_a_long_document_takes_less_room_than_its_text() -> None:
    text = " ".join(f"The rate of room {number} is {number * 7} a night." for number in range(100))
    row = write_row(StoreDocument("a", "", "", (Passage(text),)))
    assert len(row.body) < len(text) / 2
    assert back(row).passages[0].text == text


def test_rows_of_older_forms_are_lifted_form_by_form() -> None:
    def to_2(old: JsonObject) -> JsonObject:
        return {**old, "title": old["title"] + " of 2"}

    def to_3(old: JsonObject) -> JsonObject:
        return {**old, "title": old["title"] + " of 3"}

    first = b'{"title":"Rates"}'
    assert read_row("a", "", "", b"\x01\x00" + first, [to_2, to_3]).title == "Rates of 2 of 3"
    assert read_row("a", "", "", b"\x02\x00" + first, [to_2, to_3]).title == "Rates of 3"
    assert read_row("a", "", "", b"\x03\x00" + first, [to_2, to_3]).title == "Rates"


def test_a_row_of_a_newer_version_is_refused() -> None:
    with pytest.raises(EngineFault, match=f"'a' was written by a newer version of OpenPlaybook .form {FORM + 1},"):
        read_row("a", "", "", bytes((FORM + 1, 9)))


@pytest.mark.parametrize(
    "body", [b"", b"\x01", b"\x00\x00{}", b"\x01\x02{}", b"\x01\x01{}", b"\x01\x00[]", b"\x01\x00{"]
)
def test_a_damaged_row_is_named(body: bytes) -> None:
    with pytest.raises(EngineFault, match="document 'a' is damaged where it is stored; put it again"):
        read_row("a", "", "", body)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (StoreDocument("", "", "", ()), "has 1 to 128 characters, and this one has 0"),
        (StoreDocument("x" * 129, "", "", ()), "has 1 to 128 characters, and this one has 129"),
        (StoreDocument("a\ud800", "", "", ()), "contains half of a surrogate pair"),
        (StoreDocument("a", "\ud800", "", ()), "document 'a' cannot be stored"),
        (StoreDocument("a", "", "", (), language="\ud800"), "document 'a' cannot be stored"),
        (StoreDocument("a", "", "", (), digest="\ud800"), "document 'a' cannot be stored"),
        (StoreDocument("a", "", "", (), {"at": object()}), "document 'a' cannot be stored"),
    ],
)
def test_what_cannot_be_stored_is_refused(document: StoreDocument, said: str) -> None:
    with pytest.raises(InvalidSource, match=said):
        write_row(document)


def test_a_document_that_is_too_large_is_refused() -> None:
    with pytest.raises(InvalidSource, match=r"document 'a' has 67,1.* bytes; a document may have 67,108,864 at most"):
        write_row(StoreDocument("a", "x" * LARGEST_BODY, "", ()))


def test_of_documents_with_one_id_the_last_is_written_in_its_place() -> None:
    rows = write_rows(StoreDocument(id, title, "", ()) for id, title in [("a", "1"), ("b", "2"), ("a", "3")])
    assert [(row.id, back(row).title) for row in rows] == [("b", "2"), ("a", "3")]
