"""How numbers and dates are read."""

import pytest

from openplaybook.retrieval.answers.quantities import figures


@pytest.mark.parametrize(
    ("text", "language", "values", "unit"),
    [
        ("1.000", "de", {1000.0, 1.0}, ""),
        ("1,234.5", "en", {1234.5}, ""),
        ("2½ miles", "en", {2.5}, "mi"),
        ("US$ 20", "en", {20.0}, "USD"),
        ("3 тыс. км", "ru", {3000.0}, ""),
        ("3 Millionen Euro", "de", {3_000_000.0}, "EUR"),
        ("12万人", "zh", {120_000.0}, ""),
        ("高330米", "zh", {330.0}, "m"),
        ("zwölf Stunden", "de", {12.0}, "h"),
    ],
)
def test_a_number_has_its_readings_and_its_unit(text: str, language: str, values: set[float], unit: str) -> None:
    (found,) = figures(text, language).quantities
    assert (found.values, found.unit) == (values, unit)


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("2020-03-04", {(2020, 3, 4)}),
        ("3/4/20", {(2020, 4, 3), (2020, 3, 4)}),
        ("31.12.1999", {(1999, 12, 31)}),
        ("4th of July", {(0, 7, 4)}),
        ("July 4, 1776", {(1776, 7, 4)}),
        ("5月1日", {(0, 5, 1)}),
    ],
)
def test_a_date_has_its_readings(text: str, readings: set[tuple[int, int, int]]) -> None:
    found = figures(text, "en")
    assert [each.readings for each in found.dates] == [readings]
    assert found.quantities == ()


@pytest.mark.parametrize("text", ["NL63", "ISO9001", "one of them", "no numbers"])
def test_parts_of_names_are_no_numbers(text: str) -> None:
    assert figures(text, "en").quantities == ()


def test_the_words_beside_a_number_are_known() -> None:
    (found,) = figures("at age 39 years", "en").quantities
    assert (found.before, found.behind) == ("", "years")
