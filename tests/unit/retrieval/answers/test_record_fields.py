"""What records say to questions."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.extractive import MAX_ANSWER, extracted
from openplaybook.retrieval.answers.record_fields import is_record, record_answer
from openplaybook.retrieval.records.record_text import named_lines

ABOUT = "A quiet shop near the river with lamps and chairs of three makers."
DATA: JsonObject = {
    "title": "Shop in Berlin",
    "size": 120,
    "openingHours": "Mon-Fri 9-17 h",
    "office": {"phone_number": "030 123456"},
    "description": ABOUT,
}


def record(data: JsonObject) -> Snippet:
    return Snippet(str(data.get("title", "")), named_lines(data), "", data=data)


BERLIN = record(DATA)


def answered(query: str) -> list[str]:
    return [each.text for each in extracted(query, (BERLIN,), "en")]


def test_the_field_that_is_named_is_the_answer() -> None:
    assert answered("What size has the shop in Berlin?") == ["size: 120"]
    assert answered("Which opening hours has the shop in Berlin?") == ["openingHours: Mon-Fri 9-17 h"]
    assert answered("phone number of the Berlin shop") == ["office.phone_number: 030 123456"]


def test_several_fields_are_given_a_line_each() -> None:
    assert answered("size and opening hours of the shop in Berlin") == ["size: 120\nopeningHours: Mon-Fri 9-17 h"]


def test_where_no_field_is_named_the_title_and_the_text_are_the_answer() -> None:
    assert answered("Is there a shop in Berlin?") == [f"Shop in Berlin\n{ABOUT}"]


def test_a_record_without_a_text_shows_its_fields() -> None:
    plain = record({"title": "Shop in Hamburg", "size": 340})
    assert record_answer("Hamburg", plain, "en", MAX_ANSWER) == "Shop in Hamburg\nsize: 340"
    assert record_answer("340", record({"size": 340}), "en", MAX_ANSWER) == "size: 340"


def test_an_answer_has_as_many_lines_as_there_is_room_for() -> None:
    long = record({"title": "Shop", **{f"field{number}": "word " * 20 for number in range(20)}})
    assert len(record_answer("shop", long, "en", MAX_ANSWER)) <= MAX_ANSWER


def test_a_page_with_data_is_no_record() -> None:
    assert not is_record(Snippet("Cats", "Cats eat fish.", "", data={"uri": "cats.md"}))
    assert not is_record(Snippet("Cats", "Cats eat fish.", ""))
    assert is_record(BERLIN)
