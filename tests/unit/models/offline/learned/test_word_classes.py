"""Words that plainly are of some kind."""

import pytest

from openplaybook.models.offline.learned.lexemes import stems_of
from openplaybook.models.offline.learned.word_classes import class_fit


@pytest.mark.parametrize(
    ("name", "text", "fit"),
    [
        ("color", "red", 1.0),
        ("car_color", "dark red", 0.5),
        ("color", "a rectangle", -1.0),
        ("cuisine", "Italian", 1.0),
        ("language", "C++", 1.0),
        ("month", "December", 1.0),
        ("instruments", "violins", 1.0),
        ("unit", "inches", 1.0),
        ("title", "red", 0.0),
    ],
)
def test_what_a_name_asks_for(name: str, text: str, fit: float) -> None:
    assert class_fit(frozenset(stems_of(name)), text) == fit
