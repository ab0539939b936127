"""Names of money and of peoples."""

from openplaybook.models.offline.learned.world_names import countries_named, money_named


def test_the_longest_name_of_money_counts() -> None:
    assert list(money_named("from canadian dollars to euros")) == [("CAD", 5, 21), ("EUR", 25, 30)]
    assert [code for code, _, _ in money_named("100 dollars, 5 yen, 2 pesos")] == ["USD", "JPY", "MXN"]


def test_a_part_of_a_word_names_no_money() -> None:
    assert list(money_named("a wonderful europe")) == []


def test_peoples_stand_for_their_countries() -> None:
    assert [country for country, _, _ in countries_named("german and south african wines")] == [
        "Germany",
        "South Africa",
    ]
    assert list(countries_named("to germinate")) == []
