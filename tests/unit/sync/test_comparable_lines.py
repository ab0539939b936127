import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.sync.comparable_lines import lines_of


def rendered(value: JsonObject, path: str = "playbooks/A/A.json") -> tuple[str, ...]:
    return lines_of(path, json.dumps(value).encode())


def test_json_becomes_a_line_a_value_in_order_of_keys_what_is_nested_last() -> None:
    resource: JsonObject = {
        "goal": "Sell pets.\nBe kind.",
        "empty": {},
        "instruction": {"steps": [{"text": "Ask.", "steps": [{"text": "Größe?"}]}, {}, []]},
        "a": [1, "two", None, {"z": True, "y": ["x"]}],
    }
    assert rendered(resource) == (
        "goal: |",
        "  Sell pets.",
        "  Be kind.",
        "a:",
        "  - 1",
        '  - "two"',
        "  - null",
        "  - z: true",
        "    y:",
        '      - "x"',
        "empty: {}",
        "instruction:",
        "  steps:",
        '    - text: "Ask."',
        "      steps:",
        '        - text: "Größe?"',
        "    - {}",
        "    - []",
    )


def test_what_the_place_gives_an_agent_is_left_out() -> None:
    given: JsonObject = {"updateTime": {"seconds": 1}, "tokenCount": "3", "goal": "g", "actions": [1]}
    assert rendered(given) == ('goal: "g"', "actions:", "  - 1")
    assert rendered({"actions": [], "schemas": [], "description": "d"}, "tools/A/A.json") == ('description: "d"',)


def test_other_files_are_their_lines() -> None:
    assert lines_of("tools/A/schema.yaml", b"openapi: 3.0.0\r\npaths: {}\n") == (
        "openapi: 3.0.0\r",
        "paths: {}",
        "",
    )
    assert lines_of("intents/x.json", b"no json\n") == ("no json", "")
    digest = "b3d510ef04275ca8e698e5b3cbb0ece3949ef9252f0cdc839e9ee347409a2209"
    assert lines_of("logo.png", b"\xff\xfe") == (f"2 bytes, SHA-256 {digest}",)


values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.text("a\n:- |{", max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", min_size=1, max_size=2), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.proves("X2")
@given(values, values)
def test_values_that_differ_have_lines_that_differ(one: object, other: object) -> None:
    equal = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (rendered({"k": one}) == rendered({"k": other})) == equal
