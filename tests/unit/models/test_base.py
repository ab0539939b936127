import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.base import arguments_of


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ('{"a":1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ("", {}),
        (" ", {}),
        (None, {}),
        ("[1]", "[1]"),
        ("{", "{"),
        ([1], [1]),
    ],
)
def test_an_object_is_read_and_everything_else_left_as_it_is(given: JsonValue, meant: JsonValue) -> None:
    assert arguments_of(given) == meant
