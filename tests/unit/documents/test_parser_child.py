from decimal import Decimal

import pytest
import yaml12
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_child import parse
from openplaybook.jsonvalues import JsonValue, as_object, dumps, loads


def refusal(text: str) -> UnreadableDocument:
    with pytest.raises(UnreadableDocument) as caught:
        parse(text)
    return caught.value


@pytest.mark.proves("O2")
def test_keys_are_strings_as_in_json() -> None:
    assert parse("200: a\ntrue: b\nnull: c\n1.5: d\n'201': e\n") == {
        "200": "a",
        "true": "b",
        "null": "c",
        "1.5": "d",
        "201": "e",
    }


WORDS = "date: 2020-01-01\nanswer: no\nswitch: on\nyes: 1\ntime: 12:30:45\nbig: 99999999999999999999\nflag: True\n"


@pytest.mark.parametrize("aliased", ["", "a: &x {b: 1}\nc: *x\n"], ids=["fast parser", "parser for aliases"])
def test_words_dates_and_times_stay_text(aliased: str) -> None:
    read = parse(WORDS + aliased)
    assert read["date"] == "2020-01-01"
    assert (read["answer"], read["switch"], read["yes"], read["flag"]) == ("no", "on", 1, True)
    assert (read["time"], read["big"]) == ("12:30:45", 99999999999999999999)


NUMBERS = (
    "zeta: 123456789012345678901234567890\nfine: [0.12345678901234567890,-1e400]\nhex: 0xFFFFFFFFFFFFFFFFFF\n"
    "alpha: +12345678901234567890123\ntyped: !!int 99999999999999999999\nshort: [0123, 1_000, 1e3, 0o17, .5, 1.10]\n"
    "text: '123456789012345678901234567890'\n98765432109876543210: key\n"
)


@pytest.mark.parametrize("aliased", ["", "a: &x {b: 1}\nc: *x\n"], ids=["fast parser", "parser for aliases"])
def test_numbers_keep_their_value_and_members_their_order(aliased: str) -> None:
    read = parse(NUMBERS + aliased)
    assert list(read)[:8] == ["zeta", "fine", "hex", "alpha", "typed", "short", "text", "98765432109876543210"]
    assert list(read.values())[:7] == [
        123456789012345678901234567890,
        [Decimal("0.12345678901234567890"), Decimal("-1e400")],
        0xFFFFFFFFFFFFFFFFFF,
        12345678901234567890123,
        99999999999999999999,
        [123, "1_000", 1000.0, 15, 0.5, 1.1],
        "123456789012345678901234567890",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "x: order 12345678901234567890123 is late",
        "x: 12345678901234567890123 is late",
        "x: 'a, 12345678901234567890123'",
        "x: |\n  12345678901234567890123\n  - !!int 12345678901234567890123\n",
        "x: 1,12345678901234567890123",
        "x: 12345678901234567890123.1.2",
        "x: !custom 12345678901234567890123",
        "x: !!str 12345678901234567890123",
        "x: &a 12345678901234567890123 b",
        "# 12345678901234567890123\nx: y",
    ],
)
def test_digits_within_texts_stay_there(text: str) -> None:
    """What the parser itself makes of them, tags apart."""
    (read,) = parse(text).values()
    (alone,) = as_object(yaml12.parse_yaml(text)).values()
    assert read == getattr(alone, "value", alone)


@given(
    st.recursive(
        st.integers(-(10**40), 10**40)
        | st.decimals(allow_nan=False, allow_infinity=False)
        | st.text("12 ,:!&", max_size=9),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab1", max_size=3), inner, max_size=3),
        max_leaves=8,
    )
)
def test_any_json_is_the_same_as_yaml(value: JsonValue) -> None:
    text = dumps(value).decode()
    assert dumps(parse(text + " # no JSON")) == dumps(loads(text))


def test_a_number_that_is_too_long_is_refused() -> None:
    for aliased in ("", "\na: &x {b: 1}\nc: *x"):
        assert str(refusal(f"n: {'9' * 4001}{aliased}")).endswith("a number has more than 4,000 digits")


@pytest.mark.parametrize("aliased", ["", "\na: &x {b: .inf}\nc: *x"], ids=["fast parser", "parser for aliases"])
def test_what_is_no_finite_number_becomes_a_text(aliased: str) -> None:
    read = parse(f"most: .inf\nleast: [-.INF]\nnone: {{at: .NaN}}{aliased}")
    assert (read["most"], read["least"], read["none"]) == (".inf", ["-.inf"], {"at": ".nan"})


def test_aliases_and_merge_keys_are_followed() -> None:
    assert parse("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\ne: *x\n") == {"a": {"b": 1}, "c": {"b": 1, "d": 2}, "e": {"b": 1}}


def test_tags_are_dropped() -> None:
    assert parse("a: !custom {b: 1}\nc: !!str 5\n") == {"a": {"b": 1}, "c": "5"}


def test_a_json_like_text_with_comments_is_yaml() -> None:
    assert parse("{a: 1, # one\n b: 2}") == {"a": 1, "b": 2}


def test_aliases_that_multiply_are_refused_before_they_cost_anything() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    assert "stand for more than" in str(refusal("\n".join(lines)))


@given(st.text(alphabet=st.sampled_from(list("{}[]:,-&*!|>'\"#%@ \n\tab1?")), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse(text)
    except UnreadableDocument:
        return


def merging(mappings: int) -> str:
    """YAML in which each mapping takes the one before over twice."""
    lines = ["m0: &m0 {k0: 1}"]
    lines += [f"m{at}: &m{at} {{<<: [*m{at - 1}, *m{at - 1}], k{at}: 1}}" for at in range(1, mappings)]
    return "\n".join(lines)


def test_merge_keys_are_followed() -> None:
    assert parse(merging(3)) == {"m0": {"k0": 1}, "m1": {"k0": 1, "k1": 1}, "m2": {"k0": 1, "k1": 1, "k2": 1}}


@pytest.mark.timeout(20)
def test_merge_keys_that_double_with_each_mapping_cost_no_more_than_their_members() -> None:
    assert len(parse(merging(100))["m99"]) == 100
    assert str(refusal(merging(2000))) == "the YAML is malformed: its merge keys stand for more than 500,000 members"


@pytest.mark.parametrize(
    "nest", ["[" * 100_000 + "]" * 100_000, "\n" + "- " * 50_000 + "x", "{a: " * 3000 + "}" * 3000]
)
def test_deep_nesting_beside_an_alias_is_an_error_and_not_the_end_of_the_process(nest: str) -> None:
    assert str(refusal(f"a: &x 1\nb: *x\nc: {nest}\n")) == "the YAML is nested too deeply"
