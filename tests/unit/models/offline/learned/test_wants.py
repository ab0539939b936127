"""What parameters ask for."""

from datetime import date

import pytest

from openplaybook.models.offline.learned.moments import written_clock, written_date
from openplaybook.models.offline.learned.wants import Want, wants_of

TODAY = date(2026, 11, 20)
"""A Friday."""


def want(name: str = "value", description: str = "", **schema: object) -> Want:
    members = {"type": "string", "description": description, **schema}
    return wants_of({"type": "object", "properties": {name: members}, "required": [name]})[0]


def test_objects_are_opened() -> None:
    inner = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "number"}}, "required": ["x"]}
    schema = {"type": "object", "properties": {"place": inner, "name": {"type": "string"}}, "required": ["place"]}
    assert [(one.path, one.type, one.required) for one in wants_of(schema)] == [
        (("place", "x"), "integer", True),
        (("place", "y"), "number", False),
        (("name",), "string", False),
    ]


def test_topics_are_told_by_the_name_before_the_description() -> None:
    topics = want("departure_city", "The city, and the date of departure").topics
    assert (topics["place"], topics["origin"], topics["date"], topics["money"]) == (2.0, 2.0, 1.0, 0.0)


def test_examples_and_defaults_are_read_from_descriptions() -> None:
    unit = want("unit", "The unit, such as 'kg' or 'lb'. Default is 'kg'.")
    assert set(unit.examples) >= {"kg", "lb"}
    assert unit.default == "kg"


def test_text_of_true_and_false_is_yes_or_no() -> None:
    assert want("pets", enum=["True", "False", "dontcare"]).yes_no == {"true": "True", "false": "False"}
    assert want("size", enum=["large", "small"]).yes_no == {}


@pytest.mark.parametrize(
    ("words", "description", "written"),
    [
        ("May 3rd", "Day as YYYY-MM-DD", "2026-05-03"),
        ("3 May 2024", "Day as MM/DD/YYYY", "05/03/2024"),
        ("the day after tomorrow", "Day as YYYY-MM-DD", "2026-11-22"),
        ("next monday", "Day as DD/MM/YYYY", "23/11/2026"),
        ("the 8th", "ISO 8601", "2026-12-08"),
        ("31/01/2025", "YYYY-MM-DD", "2025-01-31"),
        ("June01 2023", "Day as mm-dd-yyyy", "06-01-2023"),
        ("May 2024", "YYYY-MM-DD", None),
    ],
)
def test_dates_are_written_as_asked_for(words: str, description: str, written: str | None) -> None:
    assert written_date(words, want(description=description), TODAY, words) == written


def test_the_day_that_the_words_say_it_is_counts() -> None:
    said = "Today is 2023-09-29. Book it for tomorrow"
    assert written_date("tomorrow", want(description="YYYY-MM-DD"), TODAY, said) == "2023-09-30"


@pytest.mark.parametrize(
    ("words", "written"),
    [("half past 7 in the evening", "19:30"), ("12 am", "00:00"), ("quarter to 9", "08:45"), ("noon", "12:00")],
)
def test_times_by_the_clock_of_24_hours(words: str, written: str) -> None:
    assert written_clock(words) == written
