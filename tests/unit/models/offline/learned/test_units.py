"""Units of measure."""

import pytest

from openplaybook.models.offline.learned.units import (
    Unit,
    asked_dimension,
    asked_unit,
    in_unit,
    said_dimension,
    unit_of,
)

SECOND, MINUTE, MONTH, YEAR = Unit("time", 1.0), Unit("time", 60.0), Unit("time", 2592000.0), Unit("time", 31536000.0)


@pytest.mark.parametrize(
    ("word", "unit"),
    [
        ("minutes", MINUTE),
        ("mH", Unit("inductance", 1e-3)),
        ("MHz", Unit("frequency", 1e6)),
        ("µF", Unit("capacitance", 1e-6)),
        ("kilometers", Unit("length", 1e3)),
        ("feet", Unit("length", 0.3048)),
        ("people", None),
        ("mood", None),
    ],
)
def test_symbols_and_names(word: str, unit: Unit | None) -> None:
    assert unit_of(word) == unit


@pytest.mark.parametrize(
    ("name", "description", "unit"),
    [
        ("duration_minutes", "", MINUTE),
        ("duration", "How long it takes, in seconds.", SECOND),
        ("inductance", "The inductance (L) in henries (H).", Unit("inductance", 1.0)),
        ("years", "How long", YEAR),
        ("duration_min", "", MINUTE),
        ("min_price", "The lowest price", None),
        ("amount", "How many of them in total", None),
    ],
)
def test_what_a_parameter_asks_for(name: str, description: str, unit: Unit | None) -> None:
    assert asked_unit(name, description) == unit


def test_values_are_told_in_another_unit() -> None:
    assert in_unit(2.5, MINUTE, SECOND) == 150.0
    assert in_unit(50.0, Unit("inductance", 1e-3), Unit("inductance", 1.0)) == 0.05


def test_a_year_has_twelve_months() -> None:
    assert (in_unit(2.0, YEAR, MONTH), in_unit(6.0, MONTH, YEAR)) == (24.0, 0.5)


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("2 meters/second^2 for", "length/time2"),
        ("2 m/s", "length/time"),
        ("2 meters per second squared", "length/time2"),
        ("2 kg", "mass"),
        ("2 people", ""),
    ],
)
def test_ratios_of_units_are_kinds_of_their_own(text: str, dimension: str) -> None:
    assert said_dimension(text, 1) == dimension


def test_the_ratio_that_a_description_asks_for() -> None:
    told = "The acceleration of the object in meters/second^2."
    assert asked_dimension("acceleration", told) == "length/time2"


def test_the_second_of_two_is_no_unit() -> None:
    assert asked_unit("second_note_frequency", "Frequency of the second note in Hz") == Unit("frequency", 1.0)
    assert asked_unit("mass2", "Mass of the second body (kg)") == Unit("mass", 1000.0)
