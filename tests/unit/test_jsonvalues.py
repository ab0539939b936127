import json
import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import (
    MAX_DIGITS,
    JsonValue,
    as_list,
    as_object,
    dumps,
    dumps_ascii,
    dumps_indented,
    dumps_line,
    dumps_sorted,
    fits_double,
    is_deep,
    loads,
    loads_judged,
    may_be_deep,
    may_have_long_numbers,
    number_of,
    object_in,
    restore_integers,
    rough_size,
)
from tests.kit.thoroughness import examples

DIGITS = st.text("0123456789", min_size=1, max_size=60)
NUMBERS = st.builds(
    lambda sign, whole, fraction, exponent: f"{sign}{whole.lstrip('0') or '0'}{fraction}{exponent}",
    st.sampled_from(("", "-")),
    DIGITS,
    st.one_of(st.just(""), DIGITS.map(lambda digits: f".{digits}")),
    st.one_of(st.just(""), st.integers(-400, 400).map(lambda power: f"e{power}"), st.just("E+22")),
)
"""Numbers as JSON may have them."""


@settings(deadline=None, max_examples=examples(50))
@given(st.lists(NUMBERS, max_size=5))
def test_every_number_keeps_its_value_when_it_is_read_and_written(texts: list[str]) -> None:
    values = loads(f"[{', '.join(texts)}]")
    assert [Decimal(str(value)) for value in values] == [Decimal(text) for text in texts]
    written = json.loads(dumps(values), parse_int=Decimal, parse_float=Decimal)
    assert written == [Decimal(text) for text in texts]
    assert loads(dumps_sorted({"a": values})) == {"a": values}
    assert any(map(fits_double, values)) or may_have_long_numbers(dumps(values)) or not values


@settings(deadline=None, max_examples=examples(50))
@given(st.lists(NUMBERS, max_size=5))
def test_no_large_number_is_overlooked(texts: list[str]) -> None:
    value, has_large = loads_judged(f"[{', '.join(texts)}]".encode())
    assert value == loads(f"[{', '.join(texts)}]")
    assert has_large or not any(
        isinstance(each, Decimal) or (type(each) is int and abs(each) > 2**53) for each in value
    )


@pytest.mark.parametrize("number", [2**53, -(2**53) - 1, "1e400", "-1E+999", "1e-400", "9" * 50])
def test_a_large_number_is_told_from_texts_and_doubles(number: int | str) -> None:
    assert loads_judged(f'{{"a": [{number}]}}'.encode()).has_large
    assert not loads_judged(f'{{"a": "{number}", "b": 1.5, "c": 1e20, "d": 999999999999999}}'.encode()).has_large


@settings(deadline=None, max_examples=examples(100))
@given(
    st.recursive(
        st.one_of(st.none(), st.integers(), st.text('{}[]"\\\\:,a0', max_size=6)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.text('{}[]"\\\\:a', max_size=4), inner, max_size=3)
        ),
        max_leaves=30,
    ),
    st.integers(0, 6),
)
def test_no_depth_is_overlooked_in_a_text(value: JsonValue, levels: int) -> None:
    for text in (dumps(value), dumps_indented(value).encode()):
        assert may_be_deep(text, levels) or not is_deep(value, levels)


def test_the_depth_of_a_text_is_told_unless_brackets_are_in_its_strings() -> None:
    rows = [{"a\\\\": ['x"y'], "b": {}}] * 99
    assert not may_be_deep(dumps(rows), 3)
    assert may_be_deep(dumps([*rows, [[[{}]]]]), 3)
    assert may_be_deep(dumps([*rows, "]"]), 3)
    assert not may_be_deep(b'["]]]]"]', 4)
    assert may_be_deep(b"[{}]", 1)
    assert may_be_deep(b"[" * 101 + b"]" * 101, 100)
    assert not may_be_deep(b"[" * 100 + b"]" * 100, 100)


def test_the_size_of_a_value_is_counted_up_to_a_limit() -> None:
    value: JsonValue = {"name": "Ann", "tags": ["a", "bc", 1, None], "inner": {"of": {}}}
    assert rough_size(value, 1_000) == len("nametagsinnerof" + "Annabc") + 9 * 4
    assert rough_size("text", 1_000) == 8
    assert rough_size([["x" * 100] * 1_000], 50) == 4 + 4 + 4 * 1_000
    assert rough_size(["x" * 100] * 10, 50) == 4 + 10 * 104


@pytest.mark.parametrize("number", ["9" * 17, f"0.{'1' * 16}", "-12345678901234567.5", "1e-400", "7E-320"])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 4_194_265, 4_194_272, 4_194_290, 4_194_303, 4_194_304])
def test_a_long_number_is_found_wherever_it_stands(number: str, size: int) -> None:
    text = f'["{"e" * size}",{number}]'
    for given_text in (text, text.encode(), memoryview(text.encode())):
        assert Decimal(str(loads(given_text)[1])) == Decimal(number)


@pytest.mark.parametrize("number", ["9" * 17, "1e-400", f"-0.{'3' * 40}", "7" * 200])
@pytest.mark.parametrize("around", ["{}", "[{}]", '{{"a":{}}}', "[0,{},0]", "[\r\n\t {} \t\r\n]", '["9",\n{}\n]'])
@pytest.mark.parametrize("ids", [0, 1, 15, 16, 17, 3_000])
def test_a_long_number_is_told_from_ids_within_strings(number: str, around: str, ids: int) -> None:
    beside = f'"{"9" * 40}","62ab-00e-123","{"8" * 17} ",' * ids
    text = f"[{beside}{around.format(number)}]"
    assert loads(text) == json.loads(text, parse_int=Decimal, parse_float=Decimal)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=examples(50))
@given(VALUES)
def test_every_writer_gives_the_same_value(value: JsonValue) -> None:
    decimal = {"value": value, "long": Decimal("0.12345678901234567890")}
    for one in (value, decimal):
        for text in (dumps(one), dumps_ascii(one), dumps_line(one), dumps_indented(one)):
            assert loads(text) == one


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9007199254740993", 9007199254740993),
        ("18446744073709551616", 2**64),
        ("-9223372036854775809", -(2**63) - 1),
        ("9" * MAX_DIGITS, 10**MAX_DIGITS - 1),
        ("0.1", 0.1),
        ("1.0", 1.0),
        ("-0.0", -0.0),
        ("1e22", 1e22),
        ("5e-324", 5e-324),
        ("0.30000000000000004", 0.30000000000000004),
        ("1.00000000000000000000", 1.0),
        ("0.12345678901234567890", Decimal("0.12345678901234567890")),
        ("1e400", Decimal("1e400")),
        ("1e-400", Decimal("1e-400")),
        ("123456789012345678901.5", Decimal("123456789012345678901.5")),
    ],
)
def test_a_number_is_what_holds_it(text: str, value: JsonValue) -> None:
    for found in (loads(text), loads(text.encode()), loads(memoryview(text.encode())), number_of(text)):
        assert (type(found), str(found)) == (type(value), str(value))
    assert Decimal(dumps(value).decode()) == Decimal(text)


@pytest.mark.parametrize(
    "text", ["9" * (MAX_DIGITS + 1), "1e4000", "1e-4001", "1e99999999999999999999", "0." + "1" * 4_000]
)
def test_a_number_beyond_the_limit_is_refused_in_a_sentence(text: str) -> None:
    for document in (text, f'{{"a": [{text}]}}'):
        with pytest.raises(ValueError, match="a number has more than 4,000 digits"):
            loads(document)


@pytest.mark.parametrize(
    "text",
    [
        "[12345678901234567890,]",
        "12345678901234567890 1",
        "[NaN, 12345678901234567890]",
        "[12345678901234567890",
        "01234567890123456789",
        '["\\ud800", 12345678901234567890]',
        '{"a": 12345678901234567890, }',
        "[" * 100_000 + "12345678901234567890",
    ],
)
def test_what_is_no_json_is_refused_with_long_numbers_too(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(text)


def test_an_integer_of_calculation_that_nobody_could_read_is_not_written() -> None:
    with pytest.raises(TypeError, match="more than 4,000 digits"):
        dumps({"a": 10**5_000})


def test_what_is_no_json_is_not_written_with_long_numbers_beside_it() -> None:
    for value in ({2**70: 1}, [2**70, object()], [2**70, "\ud800"], [Decimal("NaN")]):
        with pytest.raises(TypeError):
            dumps(value)


def test_ascii_escapes_all_else() -> None:
    assert dumps_ascii({"é": "🙂", "n": 2**70}) == '{"\\u00e9":"\\ud83d\\ude42","n":1180591620717411303424}'


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
    assert object_in(given) == meant


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


SCALARS = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=5)
OF_JSON: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
)


def floats_in(value: JsonValue) -> list[float]:
    if isinstance(value, float):
        return [value]
    members = [*as_object(value).values(), *as_list(value)]
    return [number for member in members for number in floats_in(member)]


@given(OF_JSON)
def test_every_value_stays_equal_and_is_restored_once_and_for_all(value: JsonValue) -> None:
    restored = restore_integers(value)
    assert restored == value
    assert restore_integers(restored) == restored


@given(OF_JSON)
def test_no_exact_whole_number_is_left_a_float(value: JsonValue) -> None:
    left = floats_in(restore_integers(value))
    assert [number for number in left if math.isfinite(number) and number.is_integer() and abs(number) <= 2**53] == []


@given(st.integers(-(2**53), 2**53))
def test_an_integer_survives_its_way_as_a_double(value: int) -> None:
    restored = restore_integers(float(value))
    assert (restored, type(restored)) == (value, int)


@given(st.booleans())
def test_a_boolean_stays_one(value: bool) -> None:
    assert restore_integers([value])[0] is value
