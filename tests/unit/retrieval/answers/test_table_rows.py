"""Rows of tables that stand in texts."""

import pytest

from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.extractive import extracted
from openplaybook.retrieval.answers.table_rows import tables_in

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
