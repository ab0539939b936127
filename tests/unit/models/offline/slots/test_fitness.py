"""How well a recognised span suits a slot, by type and name alone."""

from datetime import date

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.slots.fitness import fitness
from openplaybook.models.offline.slots.slot_schema import Slot, slots_of
from openplaybook.models.offline.spans.recognition import recognise
from openplaybook.models.offline.spans.typed_span import Span

TEXT: JsonObject = {"type": "string"}
TODAY = date(2026, 11, 20)
"""A Friday."""


def slot(schema: JsonObject, name: str = "x", description: str = "") -> Slot:
    return slots_of({"type": "object", "properties": {name: {**schema, "description": description}}})[0]


def span(text: str) -> Span:
    (found,) = recognise(read(text), TODAY)
    return found


def suits(one: Slot, text: str) -> tuple[JsonValue, float] | None:
    return fitness(one, span(text))


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        ({"type": "integer"}, "5", (5, 0.45)),
        ({"type": "integer"}, "5.0", (5, 0.45)),
        ({"type": "integer"}, "5.5", None),
        ({"type": "number"}, "5.5", (5.5, 0.45)),
        ({"type": "integer"}, "is one", (1, 0.05)),
        ({"type": "integer", "maximum": 3}, "5", None),
        ({"type": "integer"}, "is Kim", None),
        ({"type": "integer"}, "tomorrow", None),
        ({"type": "number", "multipleOf": 0.01}, "19.99", (19.99, 0.45)),
        ({"type": "integer", "enum": [1, 5]}, "5", (5, 0.45)),
        ({"type": "integer", "enum": [1, 2]}, "5", None),
    ],
)
def test_numbers_go_to_numeric_slots_they_fit(
    schema: JsonObject, text: str, expected: tuple[JsonValue, float] | None
) -> None:
    assert suits(slot(schema), text) == expected


@pytest.mark.parametrize(
    ("name", "schema", "text", "expected"),
    [
        ("email", TEXT, "kim@x.org", ("kim@x.org", 0.9)),
        ("contact_mail", TEXT, "kim@x.org", ("kim@x.org", 0.9)),
        ("contact", {**TEXT, "format": "email"}, "kim@x.org", ("kim@x.org", 0.9)),
        ("contact", TEXT, "kim@x.org", None),
        ("phone", TEXT, "+49 30 1234567", ("+49 30 1234567", 0.9)),
        ("mobileNumber", TEXT, "+49 30 1234567", ("+49 30 1234567", 0.9)),
        ("link", {**TEXT, "format": "uri"}, "http://x.org", ("http://x.org", 0.9)),
        ("website", TEXT, "http://x.org", ("http://x.org", 0.9)),
        ("title", TEXT, "http://x.org", None),
    ],
)
def test_addresses_go_to_slots_of_their_kind(
    name: str, schema: JsonObject, text: str, expected: tuple[JsonValue, float] | None
) -> None:
    assert suits(slot(schema, name), text) == expected


@pytest.mark.parametrize(
    ("name", "schema", "description", "text", "expected"),
    [
        ("day", {**TEXT, "format": "date"}, "", "tomorrow", ("2026-11-21", 0.9)),
        ("start", TEXT, "YYYY-MM-DD", "tomorrow", ("2026-11-21", 0.9)),
        ("start", TEXT, "An ISO 8601 day", "tomorrow", ("2026-11-21", 0.9)),
        ("visit_date", TEXT, "", "tomorrow", ("2026-11-21", 0.8)),
        ("start", TEXT, "Day of arrival", "tomorrow", ("tomorrow", 0.5)),
        ("title", TEXT, "", "tomorrow", None),
        ("at", {**TEXT, "format": "time"}, "", "7pm", ("19:00", 0.9)),
        ("at", TEXT, "HH:MM", "7pm", ("19:00", 0.9)),
        ("start_time", TEXT, "", "7pm", ("7pm", 0.8)),
        ("start", TEXT, "Time of day", "7pm", ("7pm", 0.5)),
        ("title", TEXT, "", "7pm", None),
        ("at", {**TEXT, "format": "date-time"}, "", "7pm", None),
    ],
)
def test_days_and_times_are_normalised_where_the_slot_says_how(
    name: str, schema: JsonObject, description: str, text: str, expected: tuple[JsonValue, float] | None
) -> None:
    assert suits(slot(schema, name, description), text) == expected


@pytest.mark.parametrize(
    ("name", "description", "value"),
    [
        ("since", "First day", "2026-03-03"),
        ("order_date", "", "2026-03-03"),
        ("orderedOn", "Day", "2026-03-03"),
        ("birthday", "", "2026-03-03"),
        ("day", "Day of purchase", "2026-03-03"),
        ("day", "Day the incident happened", "2026-03-03"),
        ("from", "Only past visits from this day on", "2026-03-03"),
        ("day", "Day on which the order is to arrive", "2027-03-03"),
        ("delivery_date", "", "2027-03-03"),
        ("day", "Day of the visit", "2027-03-03"),
    ],
)
def test_a_day_without_a_year_is_a_past_one_where_the_slot_speaks_of_the_past(
    name: str, description: str, value: str
) -> None:
    found = suits(slot({**TEXT, "format": "date"}, name, description), "March 3rd")
    assert found == (value, 0.9)


def test_a_day_with_its_year_is_taken_as_it_is() -> None:
    assert suits(slot({**TEXT, "format": "date"}, "since"), "March 3rd 2027") == ("2027-03-03", 0.9)


@pytest.mark.parametrize(
    ("name", "schema", "text", "expected"),
    [
        ("title", TEXT, '"Two Boats"', ("Two Boats", 0.5)),
        ("title", TEXT, "order AB-12", ("AB-12", 0.3)),
        ("order_id", TEXT, "order AB-12", ("AB-12", 0.75)),
        ("serial", TEXT, "AB-12", ("AB-12", 0.75)),
        ("x", {**TEXT, "pattern": "^[A-Z]{2}-"}, "AB-12", ("AB-12", 0.75)),
        ("x", {**TEXT, "pattern": "^[0-9]+$"}, "AB-12", None),
        ("zip", TEXT, "10115", ("10115", 0.45)),
        ("title", TEXT, "10115", None),
        ("zip", TEXT, "is one", None),
        ("zip", TEXT, "twelve", None),
        ("owner", TEXT, "is Kim", ("Kim", 0.35)),
        ("owner", TEXT, "Kim", ("Kim", 0.25)),
        ("code", TEXT, "is Kim", ("Kim", 0.25)),
        ("when", TEXT, "is Kim", ("Kim", 0.25)),
        ("owner", {"enum": ["Kim"]}, "is Kim", None),
        ("owner", {"type": "boolean"}, "is Kim", None),
        ("owner", {"type": "array", "items": TEXT}, "is Kim", ("Kim", 0.35)),
        ("owner", {**TEXT, "maxLength": 2}, "is Kim", None),
    ],
)
def test_words_go_to_text_slots_the_surer_the_more_they_look_like_it(
    name: str, schema: JsonObject, text: str, expected: tuple[JsonValue, float] | None
) -> None:
    assert suits(slot(schema, name), text) == expected
