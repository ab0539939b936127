"""Only the fields of an answer that were asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue, dumps
from openplaybook.tools.openapi.answers.projection import check_path, project

PETS: JsonValue = {
    "items": [
        {"name": "Rex", "age": 3, "owner": {"id": 1, "name": "Ann"}, "tags": ["a", "b"]},
        {"name": "Mia", "owner": {"id": 2, "name": "Bob"}},
    ],
    "nextPageToken": "t",
    "total": 2,
}


@pytest.mark.parametrize(
    ("paths", "kept"),
    [
        (("total",), {"total": 2}),
        (("total", "nextPageToken"), {"nextPageToken": "t", "total": 2}),
        (("items.name",), {"items": [{"name": "Rex"}, {"name": "Mia"}]}),
        (("items.owner.id",), {"items": [{"owner": {"id": 1}}, {"owner": {"id": 2}}]}),
        (("items.tags",), {"items": [{"tags": ["a", "b"]}, {}]}),
        (("items.name", "items"), {"items": PETS["items"]}),
        (("*.name",), {"items": [{"name": "Rex"}, {"name": "Mia"}]}),
        (("*",), PETS),
        (
            ("items.*.id", "items.owner.name"),
            {"items": [{"owner": {"id": 1, "name": "Ann"}, "tags": []}, {"owner": {"id": 2, "name": "Bob"}}]},
        ),
        (("total.name", "missing"), {}),
    ],
)
@pytest.mark.proves("O12")
def test_paths_lead_through_objects_and_arrays(paths: tuple[str, ...], kept: JsonValue) -> None:
    assert project(PETS, paths) == kept


@pytest.mark.parametrize("value", [None, 5, "text", True])
def test_a_value_without_members_stays_as_it_is(value: JsonValue) -> None:
    assert project(value, ("name",)) == value


def test_an_answer_that_is_an_array_is_looked_through() -> None:
    assert project([{"a": 1, "b": 2}, [{"a": 3}], 5], ("a",)) == [{"a": 1}, [{"a": 3}]]


def test_nesting_without_end_is_left_out_rather_than_followed() -> None:
    value: JsonValue = [{"a": 1}]
    for _ in range(900):
        value = [value]
    assert project(value, ("b",)) != value


@pytest.mark.timeout(10)
def test_paths_that_branch_at_every_step_take_no_longer_than_the_answer_is() -> None:
    paths = tuple(".".join("a" if at == here else "*" for at in range(20)) for here in range(20))
    whole: JsonValue = 1
    for _ in range(20):
        whole = {"a": whole, "b": whole if isinstance(whole, int) else {"c": 1}}
    kept = project([whole] * 100, paths)
    assert dumps(kept).count(b"1") == 300
    assert dumps(project(kept, paths)) == dumps(kept)


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("items.name", ""),
        ("*", ""),
        ("", "must be names of members joined by dots, such as items.name; * means every member"),
        ("a..b", "must be names of members joined by dots, such as items.name; * means every member"),
        ("a. b", "must be names of members joined by dots, such as items.name; * means every member"),
        ("$.items.name", "starts at the answer's body: write items.name, not $.items.name"),
        ("items[0].name", "arrays are looked through: write items.name, not items[].name"),
        (".".join("a" * 21), "has 21 steps; allowed are 20"),
    ],
)
def test_a_path_that_cannot_be_meant_is_refused(path: str, fault: str) -> None:
    assert check_path(path) == fault


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=20,
)
PATHS = st.lists(st.lists(st.sampled_from([*"abc", "*"]), min_size=1, max_size=3).map(".".join), min_size=1, max_size=3)


@given(VALUES, PATHS)
def test_what_is_kept_is_kept_again(value: JsonValue, paths: list[str]) -> None:
    once = project(value, tuple(paths))
    assert project(once, tuple(paths)) == once
