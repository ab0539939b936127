import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.tools.schema.numbers import restore_integers


@pytest.mark.parametrize(
    ("given", "restored"),
    [
        (3.0, "3"),
        (-2.0, "-2"),
        (0.5, "0.5"),
        (1e300, "1e+300"),
        (float("inf"), "inf"),
        (True, "True"),
        ({"a": [1.0, {"b": 2.0}], "c": "3.0"}, "{'a': [1, {'b': 2}], 'c': '3.0'}"),
    ],
)
def test_whole_numbers_become_integers_at_any_depth(given: JsonValue, restored: str) -> None:
    assert repr(restore_integers(given)) == restored


def test_the_original_is_left_alone() -> None:
    original = {"a": [1.0]}
    restore_integers(original)
    assert repr(original) == "{'a': [1.0]}"
