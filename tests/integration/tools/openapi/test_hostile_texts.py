"""Hostile texts of YAML and JSON: each is read or refused, and the next text is read as if nothing had been."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import find_lines, read_text
from openplaybook.jsonvalues import dumps
from openplaybook.packages.errors import MalformedFile
from openplaybook.packages.resource_files import read_document
from tests.kit.hostile.texts import HOSTILE_TEXTS
from tests.kit.thoroughness import examples

REFUSED = {
    "values in values": "the YAML is nested too deeply",
    "keys in keys": "the YAML is nested too deeply",
    "items, keys and values": "the YAML is nested too deeply",
    "items in items": "the YAML is nested too deeply",
    "open brackets": "the JSON is malformed at line 1 column 1026: depth limit exceeded",
    "a part of itself": "the YAML contains an alias to a value that it is part of",
    "half of a surrogate pair": "the text contains half of a surrogate pair",
    "blanks": "the text is empty",
}


def outcome(text: str) -> str:
    """Empty for a text that is read; what is said of it otherwise."""
    try:
        dumps(read_text(text, is_foreign=True))
    except UnreadableDocument as error:
        return str(error)
    return ""


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE_TEXTS) >= 80


@pytest.mark.parametrize("name", HOSTILE_TEXTS)
def test_a_hostile_text_is_read_or_refused(name: str) -> None:
    told = outcome(HOSTILE_TEXTS[name])
    assert len(told) < 500
    if name in REFUSED:
        assert told == REFUSED[name]
    assert read_text(f"a: {name.replace(',', '')}") == {"a": name.replace(",", "")}


@pytest.mark.parametrize("name", ["values in values", "keys in keys", "items in items", "a billion laughs"])
def test_a_hostile_file_of_a_package_is_refused(name: str) -> None:
    with pytest.raises(MalformedFile, match=r"app\.yaml: is not YAML: "):
        read_document("app.yaml", HOSTILE_TEXTS[name].encode())


@pytest.mark.parametrize("name", ["values in values", "keys in keys", "items in items", "open brackets"])
def test_lines_are_searched_in_a_hostile_text_without_harm(name: str) -> None:
    assert set(find_lines(HOSTILE_TEXTS[name], {"$.paths"})) <= {"$", "$.paths"}


PIECES = st.sampled_from(
    ["- ", "? ", ": ", "[", "{", "]", "}", ",", "a", "&a ", "*a", "!t ", "\n", " ", "\t", "#", '"', "'", "|", "<<: "]
)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.tuples(PIECES, st.integers(1, 60)), max_size=12))
def test_any_text_of_indicators_is_read_or_refused(parts: list[tuple[str, int]]) -> None:
    told = outcome("".join(piece * count for piece, count in parts))
    assert "ends the parser" not in told
