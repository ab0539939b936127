"""The style table of the specification, byte for byte (OpenAPI 3.1.1 §4.8.12, Style Examples)."""

from collections.abc import Mapping
from functools import partial
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.openapi.requests.styles import PATH_STYLES, QUERY_STYLES, Style, text

STYLES: Mapping[str, Style] = {**PATH_STYLES, **QUERY_STYLES}
encode = partial(quote, safe="")
EMPTY, STRING, ARRAY = "", "blue", ["blue", "black", "brown"]
OBJECT: JsonObject = {"R": 100, "G": 200, "B": 150}

TABLE = {
    ("matrix", False): (";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
    ("matrix", True): (";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ("label", False): (".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
    ("label", True): (".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
    ("simple", False): ("", "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("simple", True): ("", "blue", "blue,black,brown", "R=100,G=200,B=150"),
    ("form", False): ("color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    ("form", True): ("color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
    ("spaceDelimited", False): (None, None, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
    ("pipeDelimited", False): (None, None, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
    ("deepObject", True): (None, None, None, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
}
"""Style and explode to what is written for the empty text, the text, the array and the object; None is n/a."""

CELLS = [
    (style, explode, value, written)
    for (style, explode), row in TABLE.items()
    for value, written in zip((EMPTY, STRING, ARRAY, OBJECT), row, strict=True)
    if written is not None
]


@pytest.mark.proves("O4", "O5")
@pytest.mark.parametrize(("style", "explode", "value", "written"), CELLS)
def test_every_cell_of_the_table_is_written_as_it_stands_there(
    style: str, explode: bool, value: JsonValue, written: str
) -> None:
    assert STYLES[style]("color", value, explode, encode) == written


@pytest.mark.parametrize(
    ("style", "explode", "value", "written"),
    [
        # Undefined by the specification; these readings are the common ones.
        ("spaceDelimited", True, ARRAY, "color=blue&color=black&color=brown"),
        ("pipeDelimited", True, ARRAY, "color=blue&color=black&color=brown"),
        ("pipeDelimited", True, OBJECT, "R=100&G=200&B=150"),
        ("spaceDelimited", False, STRING, "color=blue"),
        ("deepObject", False, OBJECT, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
        ("deepObject", True, {"a": {"b": 1}}, "color%5Ba%5D%5Bb%5D=1"),
        ("deepObject", True, {"a": [1, 2]}, "color%5Ba%5D=1&color%5Ba%5D=2"),
        ("deepObject", True, STRING, "color=blue"),
        ("deepObject", True, {}, ""),
        ("form", True, [], ""),
        ("form", False, [], ""),
        ("form", True, {}, ""),
        ("form", True, [""], "color="),
        ("form", True, {"R": ""}, "R="),
        ("spaceDelimited", False, [], ""),
        ("matrix", False, [], ";color"),
        ("matrix", True, [], ""),
        ("matrix", True, ["", "a"], ";color;color=a"),
        ("matrix", True, {"R": "", "G": 1}, ";R;G=1"),
        ("simple", False, [], ""),
        ("simple", True, {}, ""),
        ("label", True, {"R": ""}, ".R="),
    ],
)
def test_what_the_table_leaves_open_has_one_reading(style: str, explode: bool, value: JsonValue, written: str) -> None:
    assert STYLES[style]("color", value, explode, encode) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (3, "3"),
        (-3, "-3"),
        (1.5, "1.5"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        ("true", "true"),
        ({"a": [1]}, '{"a":[1]}'),
        ([1, "b"], '[1,"b"]'),
        ("ü", "ü"),
    ],
)
def test_one_value_is_written_as_json_would_but_a_text_without_quotes(value: JsonValue, written: str) -> None:
    assert text(value) == written


@pytest.mark.parametrize("style", sorted(STYLES))
@pytest.mark.parametrize("explode", [False, True])
def test_names_and_values_are_encoded_and_delimiters_are_not(style: str, explode: bool) -> None:
    written = STYLES[style]("a b", {"k&": "v=;,/?#"}, explode, encode)
    assert "%3D%3B%2C%2F%3F%23" in written
    assert "k%26" in written
    assert written.isascii()
    assert not set(written) & set(' #?/"<>|[]')


SAFE = st.text(alphabet="abcXYZ019-_", min_size=1, max_size=6)
ANY = st.text(max_size=8)


@given(ANY)
def test_any_text_comes_back_from_every_place_it_is_written_to(value: str) -> None:
    assert unquote(STYLES["simple"]("n", value, False, encode)) == value
    assert unquote(STYLES["label"]("n", value, False, encode))[1:] == value
    assert unquote(STYLES["form"]("n", value, True, encode)) == f"n={value}"
    assert unquote(STYLES["matrix"]("n", value, True, encode)) == (f";n={value}" if value else ";n")


@given(st.lists(ANY, min_size=1, max_size=5), st.booleans())
def test_the_items_of_any_array_come_back_in_order(items: list[str], explode: bool) -> None:
    encoded = list(items)
    assert [unquote(item) for item in STYLES["simple"]("n", encoded, explode, encode).split(",")] == items
    form = STYLES["form"]("n", encoded, explode, encode)
    pieces = form.split("&n=") if explode else form.split(",")
    assert [unquote(piece.removeprefix("n=") if not place else piece) for place, piece in enumerate(pieces)] == items
    pipes = STYLES["pipeDelimited"]("n", [item.replace("|", "") for item in items], False, encode)
    assert pipes.count("%7C") == len(items) - 1


@given(st.dictionaries(SAFE, ANY, min_size=1, max_size=5))
def test_the_members_of_any_object_come_back_by_their_names(members: dict[str, str]) -> None:
    pairs = [pair.split("=", 1) for pair in STYLES["form"]("n", members, True, encode).split("&")]
    assert {key: unquote(value) for key, value in pairs} == members
    deep = [pair.split("=", 1) for pair in STYLES["deepObject"]("n", members, True, encode).split("&")]
    assert {unquote(key): unquote(value) for key, value in deep} == {f"n[{key}]": item for key, item in members.items()}
    flat = STYLES["simple"]("n", members, False, encode).split(",")
    assert {flat[place]: unquote(flat[place + 1]) for place in range(0, len(flat), 2)} == members
