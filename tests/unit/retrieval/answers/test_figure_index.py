"""Numbers and dates as several languages write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.answers.figure_index import FigureIndex
from openplaybook.retrieval.answers.quantities import figures


def missing(claim: str, fact: str, language: str = "en") -> tuple[str, ...]:
    return FigureIndex((figures(fact, language),)).lacks(figures(claim, language))


@pytest.mark.parametrize(
    ("claim", "fact"),
    [
        ("1,000.5 kg", "1.000,5 kg"),
        ("1000", "1,000"),
        ("1 000 000", "1,000,000"),
        ("1'234.50", "1234.5"),
        ("1.000", "1000"),
        ("6½ sacks", "6.5 sacks"),
        ("four interceptions", "4 interceptions"),
        ("twenty-five goals", "25 goals"),
        ("3 million people", "3,000,000 people"),
        ("20%", "20 percent"),
        ("20 %", "a 20-percent share"),
        ("$50", "50 dollars"),
        ("5 km", "5 kilometres"),
        ("5", "5 kg"),
        ("5 kg", "weighs 5"),
        ("٢٥", "25"),
        ("in 2015", "on 7 February 2015"),
    ],
)
def test_one_number_has_many_spellings(claim: str, fact: str) -> None:
    assert missing(claim, fact) == ()


@pytest.mark.parametrize(
    ("claim", "fact", "what"),
    [
        ("24 sacks", "11 sacks", "24"),
        ("five interceptions", "four interceptions", "five"),
        ("5 kg", "5 km", "5"),
        ("20%", "20 dollars", "20"),
        ("3 million people", "3 people and 4 million cows", ""),
        ("in 2016", "on 7 February 2015", "2016"),
        ("1.5 litres", "15 litres", "1.5"),
    ],
)
def test_another_value_or_unit_is_missed(claim: str, fact: str, what: str) -> None:
    assert missing(claim, fact) == ((what,) if what else ())


@pytest.mark.parametrize(
    ("claim", "fact", "language"),
    [
        ("on March 3, 2020", "2020-03-03", "en"),
        ("3rd of March 2020", "03/03/2020", "en"),
        ("am 3. März 2020", "03.03.2020", "de"),
        ("el 3 de marzo de 2020", "2020-03-03", "es"),
        ("3 марта 2020", "03.03.2020", "ru"),
        ("3 de março de 2020", "3/3/2020", "pt"),
        ("2020年3月3日", "2020-03-03", "zh"),
        ("March 2020", "3 March 2020", "en"),
        ("March 3", "3 March 2020", "en"),
        ("4 March 2020", "3/4/2020", "en"),
        ("3 April 2020", "3/4/2020", "en"),
    ],
)
def test_one_date_has_many_spellings(claim: str, fact: str, language: str) -> None:
    assert missing(claim, fact, language) == ()


def test_another_date_is_missed() -> None:
    assert missing("on 4 March 2020", "on 3 March 2020") == ("4 March 2020",)
    assert missing("March 2021", "3 March 2020") == ("March 2021",)
    assert missing("3 March 2020", "March 2020") == ("3 March 2020",)


def test_a_number_of_the_same_word_in_another_value_is_a_contradiction() -> None:
    facts = FigureIndex((figures("Short had 11 sacks, and the line had 24 in all.", "en"),))
    assert facts.contradicts(figures("Short had 24 sacks.", "en")) == ("24",)
    assert facts.contradicts(figures("Short had 11 sacks.", "en")) == ()


def test_a_number_that_is_said_twice_is_not_said_once() -> None:
    twice, once = figures("from 1922 to 1922", "en"), figures("from 1922 to 1926", "en")
    assert FigureIndex((once,)).has_fewer_of(twice)
    assert not FigureIndex((once,)).has_fewer_of(once)


def test_names_of_months_alone_are_no_dates() -> None:
    assert figures("It may rain in March.", "en").dates == ()


@given(st.text(alphabet=st.sampled_from("0123456789.,'/- ½%$mayMärz年月日٣") | st.characters()))
def test_every_text_agrees_with_itself(text: str) -> None:
    found = figures(text, "en")
    same = FigureIndex((found,))
    assert (same.lacks(found), same.contradicts(found), same.has_fewer_of(found)) == ((), (), False)


def test_a_number_without_end_is_read() -> None:
    assert figures("9" * 100_000, "en").quantities[0].text == "9" * 100_000


@pytest.mark.parametrize(
    ("claim", "fact", "is_there"),
    [
        ("3 million people", "3,000,000 people", True),
        ("3 million people", "3 to 5 million people", True),
        ("3 people", "3 million people", False),
        ("3 billion people", "3 million people", False),
        ("three billion people", "3 million people", False),
        ("3 dollars", "3 million dollars", False),
        ("1.4 kilometres", "1.4 million teachers", False),
    ],
)
def test_a_multiplier_makes_another_number(claim: str, fact: str, is_there: bool) -> None:
    assert (missing(claim, fact) == ()) is is_there
