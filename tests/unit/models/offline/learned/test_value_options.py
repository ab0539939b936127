"""What a parameter may get from an utterance."""

from datetime import date

import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.learned.utterance import utterance_of
from openplaybook.models.offline.learned.value_options import Form, value_options
from openplaybook.models.offline.learned.wants import wants_of


def options(text: str, name: str, description: str = "", form: Form | None = None, **schema: object) -> list[JsonValue]:
    members = {"type": "string", "description": description, **schema}
    want = wants_of({"type": "object", "properties": {name: members}, "required": [name]})[0]
    found = value_options(want, utterance_of(text), date(2026, 11, 20))
    return [one.value for one in found if form is None or one.form is form]


@pytest.mark.parametrize(
    ("text", "name", "description", "kind", "value"),
    [
        ("record for 2.5 hours", "minutes", "", "integer", 150),
        ("an inductance of 50mH", "inductance", "in henries", "number", 0.05),
        ("it took 1 hour and 30 minutes", "duration", "in seconds", "integer", 5400),
        ("the forecast for the next week", "days", "", "integer", 7),
        ("park it for an hour", "minutes", "", "integer", 60),
        ("compounded quarterly", "n", "Times that interest is compounded per year", "integer", 4),
    ],
)
def test_measures_in_the_unit_that_is_asked_for(
    text: str, name: str, description: str, kind: str, value: float
) -> None:
    assert options(text, name, description, Form.CONVERTED, type=kind) == [value]


def test_a_measure_in_its_unit_stays_as_it_is() -> None:
    assert options("wait 20 minutes", "minutes", form=Form.CONVERTED, type="integer") == []
    assert options("wait 20 minutes", "minutes", type="integer") == [20]


def test_a_measure_in_two_units_is_offered_whole() -> None:
    assert options("she is 5ft 10in tall", "height", "Height in inches", type="integer") == [70]
    assert options("a boat for 1 hour and 15 minutes", "minutes", type="integer") == [75]
    assert options("a boat for two hours and thirty minutes", "minutes", type="integer") == [150]
    assert "1" not in options("a boat for 1 hour and 15 minutes", "boat_type")


def test_in_behind_a_blank_is_no_inch() -> None:
    assert options("a circle with a radius of 5 in the plan", "radius", "in meters", type="number") == [5.0]
    assert options("a circle with a radius of 5in", "radius", "in meters", type="number") == [0.127]


def test_a_number_and_a_half() -> None:
    assert options("a boat for two and a half hours", "minutes", type="integer") == [150]


def test_a_part_of_a_unit_is_no_whole_number() -> None:
    assert options("it takes 90 seconds", "minutes", type="integer") == []
    assert options("it takes 90 seconds", "minutes", type="number") == [1.5]


def test_money_by_its_code() -> None:
    named = options("change British pounds to yen", "base_currency", "Code of the currency", Form.CONVERTED)
    assert named == ["GBP", "JPY"]


def test_a_country_for_its_people() -> None:
    assert options("events in German history", "country", "The country", Form.CONVERTED) == ["Germany"]
    assert options("events in German history", "topic", "What it is about", Form.CONVERTED) == []


def test_a_day_whose_form_is_not_told_is_offered_as_said_and_as_iso_8601_has_it() -> None:
    days = options("a room from July 10, 2022", "from_date", "First day of the stay")
    assert {"July 10, 2022", "2022-07-10"} <= set(days)


def test_a_short_name_of_a_city_is_offered_whole_and_as_said() -> None:
    assert {"LA", "Los Angeles"} <= set(options("theaters near LA please", "location", "Where it is"))


def test_listed_items_come_in_the_order_in_which_they_are_said() -> None:
    choices = ["name", "price", "rating", "history"]
    text = "the rating and the price of the History Museum"
    items = {"type": "string", "enum": choices}
    several = options(text, "fields", form=Form.OPTIONS, type="array", items=items)
    assert several == [["rating", "price", "history"], ["rating", "price"]]


def test_listed_items_of_which_half_is_said_are_offered_too() -> None:
    items = {"type": "string", "enum": ["opening_hours", "ticket_price", "map"]}
    text = "the working hours and the ticket price"
    assert options(text, "fields", form=Form.OPTIONS, type="array", items=items) == [
        ["ticket_price"],
        ["opening_hours", "ticket_price"],
    ]


def test_items_that_only_the_description_lists() -> None:
    told = "Any of 'red', 'green', 'blue' is allowed"
    several = options("blue and red ones", "colors", told, Form.OPTIONS, type="array", items={"type": "string"})
    assert several == [["blue", "red"]]


def test_a_measure_of_another_kind_is_no_value() -> None:
    assert options("a base of 10 meters", "weight", "Weight in kilograms", type="number") == []
    assert options("it weighs 10 kg", "weight", "Weight in kilograms", type="number") == [10.0]


def test_a_listed_digit_is_not_said_by_a_longer_number() -> None:
    want = wants_of({"type": "object", "properties": {"riders": {"type": "string", "enum": ["1", "2"]}}})[0]
    said = [one for one in value_options(want, utterance_of("to 1460 Halford Avenue on the 13th"), None) if one.place]
    assert said == []
