"""Documents as Google holds them, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.errors import EngineFault
from openplaybook.retrieval.vertex.google_document import OURS, data_of, document_of, google_document

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PASSAGES = st.builds(Passage, TEXTS, st.lists(TEXTS, max_size=2).map(tuple), st.integers(0, 9))
DOCUMENTS = st.builds(
    StoreDocument,
    id=st.just("a"),
    title=TEXTS,
    uri=TEXTS,
    passages=st.lists(PASSAGES, max_size=3).map(tuple),
    data=st.dictionaries(TEXTS, st.integers() | TEXTS | st.none(), max_size=3),
    language=TEXTS,
    question=TEXTS,
    media_type=st.sampled_from(["", "text/html"]),
    digest=TEXTS,
    source=st.dictionaries(st.sampled_from(["schemaId", "x"]), TEXTS),
)


@given(DOCUMENTS)
def test_a_document_comes_back_as_it_was_put(document: StoreDocument) -> None:
    held: JsonObject = {"id": "a", **loads(dumps(google_document(document)))}
    assert document_of(held) == document


def test_google_sees_the_title_the_address_and_the_answer() -> None:
    faq = StoreDocument("a", "T", "https://e.com", (Passage("By the moon."),), {"n": 1}, question="Why?")
    shown = google_document(faq)
    data = {name: value for name, value in shown["structData"].items() if name != OURS}
    assert data == {"title": "T", "uri": "https://e.com", "question": "Why?", "answer": "By the moon.", "n": 1}
    assert "content" not in shown
    own = google_document(StoreDocument("a", "T", "", (), {"title": "Own"}))
    assert own["structData"]["title"] == "Own"


def test_documents_of_others_are_read_from_what_they_have() -> None:
    record = document_of({"id": "a", "jsonData": '{"title": "T", "url": "https://e.com", "n": 1}'})
    assert (record.title, record.uri, record.passages) == ("T", "https://e.com", (Passage("title: T\nn: 1"),))
    file = document_of({"id": "b", "content": {"uri": "gs://b/f.pdf", "mimeType": "application/pdf"}})
    assert (file.uri, file.passages) == ("gs://b/f.pdf", ())
    assert file.source == {"content": {"uri": "gs://b/f.pdf", "mimeType": "application/pdf"}}
    # A member of that name may be anybody's.
    assert data_of({"structData": {OURS: 5}}) == {OURS: 5}


@pytest.mark.parametrize(("ours", "words"), [('{"form": 2}', "newer version of OpenPlaybook"), ("{", "damaged")])
def test_what_is_not_understood_is_not_guessed_at(ours: str, words: str) -> None:
    with pytest.raises(EngineFault, match=words):
        document_of({"id": "a", "structData": {OURS: ours}})
