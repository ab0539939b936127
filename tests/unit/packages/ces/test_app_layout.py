import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.packages.ces.app_layout import looks_like_path, safe_stem, stem_of, text_path
from openplaybook.packages.ces.environment_file import put, read_environment, value_at, values_of
from openplaybook.packages.package_files import check_path, zip_of


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (("instruction",), "agents/a/instruction.txt"),
        (("pythonFunction", "pythonCode"), "agents/a/python_function/python_code.py"),
        (("openApiToolset", "openApiSchema"), "agents/a/open_api_toolset/open_api_schema.yaml"),
        (
            ("beforeModelCallbacks", 1, "pythonCode"),
            "agents/a/before_model_callbacks/before_model_callbacks_02/python_code.py",
        ),
    ],
)
def test_texts_have_the_files_that_exports_give_them(place: tuple[str | int, ...], expected: str) -> None:
    assert text_path("agents/a", place) == expected
    assert looks_like_path(expected)


@pytest.mark.parametrize("text", ["", "Be kind.", "see notes.txt\n", "def f(): ...", "https://a.example/x.json", "a/b"])
def test_a_text_is_not_taken_for_a_path(text: str) -> None:
    assert not looks_like_path(text)


@given(st.text(min_size=1, max_size=30))
def test_a_stem_is_a_safe_path_or_empty(name: str) -> None:
    stem = safe_stem(name)
    if stem:
        check_path(f"agents/{stem}/{stem}.json")
        assert stem_of(f"agents/{stem}/{stem}.json") == stem


def test_an_environment_is_read_value_by_value() -> None:
    environment = {
        "app": {"a": {"b": 1}},
        "toolsets": {"T": {"x": {"url": "u"}, "n": None}},
        "unknown": {"q": 1},
    }
    files = {"environment.json": json.dumps(environment).encode()}
    values = [(each.collection, each.resource, each.at, each.value) for each in values_of(read_environment(files))]
    assert values == [("app", "", ("a", "b"), 1), ("toolsets", "T", ("x", "url"), "u")]
    assert read_environment({}) == {}


def test_values_are_put_and_taken_away_with_what_they_leave_empty() -> None:
    assert put({"k": 1}, ("a", "b"), 2) == {"k": 1, "a": {"b": 2}}
    assert put({"k": 1, "a": {"b": 2}}, ("a", "b"), None) == {"k": 1}
    assert put({"a": {"b": 2, "c": 3}}, ("a", "b"), None) == {"a": {"c": 3}}
    assert value_at({"a": {"b": 2}}, ("a", "b")) == 2
    assert value_at({"a": 1}, ("a", "b")) is None


def test_equal_files_give_equal_archives() -> None:
    assert zip_of({"a": b"1", "b": b"2"}) == zip_of({"b": b"2", "a": b"1"})
