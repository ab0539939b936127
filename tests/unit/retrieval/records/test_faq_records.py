"""Questions with answers, from CSV."""

import io

import pytest

from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.document_ids import digest_of, id_of_record
from openplaybook.retrieval.records.faq_records import is_faq_header, read_faq


def found(text: str) -> list[StoreDocument | str]:
    return [row if isinstance(row, StoreDocument) else str(row) for row in read_faq(io.BytesIO(text.encode()))]


def test_columns_may_stand_in_any_order_and_answers_are_kept_as_they_are() -> None:
    data = {
        "question": "May cats swim?",
        "answer": "Yes,  but\nmost do not. ",
        "title": "Swimming",
        "url": "https://a.example/s",
    }
    assert found(
        'url,answer,question,title\nhttps://a.example/s,"Yes,  but\nmost do not. ",May cats swim?,Swimming\n'
    ) == [
        StoreDocument(
            id=id_of_record(data),
            title="Swimming",
            uri="https://a.example/s",
            passages=(Passage("Yes,  but\nmost do not. "),),
            data=data,
            question="May cats swim?",
            media_type="text/csv",
            digest=digest_of(data),
        )
    ]


def test_title_and_url_may_be_missing() -> None:
    (entry,) = found("question,answer\nWhy?,Because.")
    assert isinstance(entry, StoreDocument)
    assert (entry.title, entry.uri, entry.data) == ("", "", {"question": "Why?", "answer": "Because."})


def test_what_the_documents_call_errors_is_told_with_its_line() -> None:
    text = "question,answer,title\nq1,a1,t\nq2, a2,t\n\nq3,,t\n,a4,t\nq5,a5\nq6,a6,\n\n"
    assert [row if isinstance(row, str) else row.question for row in found(text)] == [
        "q1",
        "line 3: a blank stands before the answer; no blank may follow a comma",
        "line 4: the line is empty",
        "line 5: the answer is empty",
        "line 6: the question is empty",
        "line 7: it has 2 columns, and the header 3",
        "q6",
        "line 9: the line is empty",
    ]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("question, answer", 'the header has a blank around "answer"; no blank may follow a comma'),
        (
            "question,title",
            "the header has no column answer; the columns are question,answer and, if wanted, title and url",
        ),
        ("What is it?,It is a cat", "the header has no column question; the columns are question,answer and,"),
        ("question,answer,link", 'the header has the column "link"; the columns are question,answer and,'),
        ("question,answer,question", 'the header names the column "question" twice'),
    ],
)
def test_a_header_that_is_not_as_it_has_to_be_is_refused(header: str, message: str) -> None:
    with pytest.raises(InvalidSource) as caught:
        found(f"{header}\na,b\n")
    assert str(caught.value).startswith(message)


def test_a_file_is_known_to_be_questions_by_its_columns() -> None:
    assert is_faq_header(("answer", "question"))
    assert is_faq_header(("url", "title", "question", "answer"))
    assert not is_faq_header(("question", "answer", "price"))
    assert not is_faq_header(("question",))


def test_a_question_of_any_length_is_refused() -> None:
    content = b"question,answer\n" + b"q" * 2_000 + b",yes\n" + b"q" * 2_001 + b",no\n"
    first, second = read_faq(io.BytesIO(content))
    assert isinstance(first, StoreDocument)
    assert str(second) == "line 3: the question has more than 2,000 characters"
