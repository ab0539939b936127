"""Tables and records as answers."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.extractive import MAX_ANSWER, extracted
from openplaybook.retrieval.answers.structured_text import is_record, record_answer, tables_in
from openplaybook.retrieval.records.record_text import named_lines

PRICES = "article | price | weight\nlamp | 20 euros | 2 kg\nchair | 45 euros |\ntable | 90 euros | 12 kg"
SHOP = Snippet("Prices", f"Our prices hold until May.\n\n{PRICES}\n\nShipping is free.", "https://shop.example/")


def test_each_row_has_the_names_of_its_columns() -> None:
    (table,) = tables_in(SHOP.text)
    assert [each.text for each in table.rows] == [
        "lamp: price 20 euros, weight 2 kg",
        "chair: price 45 euros",
        "table: price 90 euros, weight 12 kg",
    ]
    assert SHOP.text[table.start : table.end] == PRICES


@pytest.mark.parametrize(
    "text",
    [
        "Home | Shop | About",
        "Home | Shop\nand three lines\nof text",
        "1 | 2\n3 | 4",
        "a | b\nc | d | e",
        "",
        "||\n||",
    ],
)
def test_what_has_no_names_of_columns_or_uneven_rows_is_text(text: str) -> None:
    assert list(tables_in(text)) == []


def test_the_row_is_the_answer_that_is_asked_for() -> None:
    assert [each.text for each in extracted("What is the price of a chair?", (SHOP,), "en")] == [
        "chair: price 45 euros"
    ]


def test_where_no_row_is_told_from_another_the_table_is_the_answer() -> None:
    assert [each.text for each in extracted("article price weight", (SHOP,), "en")] == [PRICES]


def test_sentences_around_a_table_are_answers_of_their_own() -> None:
    assert [each.text for each in extracted("Is shipping free?", (SHOP,), "en")] == ["Shipping is free."]
    assert extracted("How long do prices hold?", (SHOP,), "en")[0].text == "Our prices hold until May."


def test_the_first_column_may_have_no_name() -> None:
    (table,) = tables_in("| price | weight\nlamp | 20 euros | 2 kg")
    assert [each.text for each in table.rows] == ["lamp: price 20 euros, weight 2 kg"]


def test_a_table_of_very_many_rows_loses_none() -> None:
    lines = [f"item {number} | {number} euros" for number in range(1_000)]
    (table,) = tables_in("\n".join(("name | price", *lines)))
    assert sum(each.text.count("euros") for each in table.rows) == 1_000


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
