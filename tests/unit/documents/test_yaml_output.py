"""YAML that every reader takes for the same."""

from decimal import Decimal

import pytest
import yaml
import yaml12
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.documents.yaml_output import to_yaml
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.openapi.description.source_text import load_document

ODD = (
    *("yes", "on", "~", "null", "1e3", "0o17", "0x1f", "1_000", "12:30", "2024-01-01", "<<", "=", ".5", "+1", "- a"),
    *("a: b", "", " ", "a\nb\n", "\n", "  a\n b", "# x", "&a", "*a", "!t", "%x", "@", "`", "é", "\u2028", "\x07", "1."),
    *("NaN", ".inf", "a\n\n", "a\n# b", "\ufeffa", "a \n b"),
)
TEXTS = st.text(max_size=20) | st.sampled_from(ODD)
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_what_was_written_is_read_again_by_either_version(members: JsonObject) -> None:
    document = {"openapi": "3.0.3", "x-members": members}
    text = to_yaml(document)
    assert yaml.safe_load(text) == document
    assert yaml12.parse_yaml(text) == document
    assert load_document(text).root == document


@pytest.mark.parametrize("written", ["0.12345678901234567890", "1E+400", "-1.5E-400", "12345678901234567890.5"])
def test_long_decimals_are_written_with_all_their_digits(written: str) -> None:
    document: JsonObject = {"openapi": "3.0.3", "x-n": Decimal(written), "x-i": 10**30, "a": 1}
    text = to_yaml(document)
    assert "!" not in text
    assert load_document(text).root == document
    assert list(load_document(text).root) == list(document)
    assert isinstance(yaml.safe_load(text)["x-n"], float)


def test_a_value_that_occurs_twice_is_written_twice() -> None:
    shared: JsonObject = {"type": "string"}
    assert to_yaml({"a": shared, "b": shared}) == "a:\n  type: string\nb:\n  type: string\n"
