import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.packages.dialogflow.agent_layout import (
    decode_name,
    encode_name,
    example_path,
    schema_path,
    settings_path,
)


@pytest.mark.parametrize(
    ("name", "file_name"),
    [
        ("Pet desk ", "Pet desk "),
        ("a-b_c.d", "a-b_c.d"),
        ("Ask: why?", "Ask%3a why%3f"),
        ('"[x]|(y)>', "%22%5bx%5d%7c%28y%29%3e"),
        ("a/b\\c", "a%2fb%5cc"),
        ("100%", "100%25"),
        ("é犬", "%c3%a9%e7%8a%ac"),
        ("..", "%2e%2e"),
        (".", "%2e"),
        ("...", "..."),
    ],
)
def test_names_are_encoded_as_exports_have_them(name: str, file_name: str) -> None:
    assert encode_name(name) == file_name
    assert decode_name(file_name) == name


@given(st.text(max_size=40))
def test_any_name_makes_a_plain_file_name_and_comes_back(name: str) -> None:
    file_name = encode_name(name)
    assert decode_name(file_name) == name
    assert not set(file_name) & set("/\\:\0\n")
    assert file_name not in (".", "..")


def test_paths_are_those_of_exports() -> None:
    assert example_path("Desk", "Hi%3f") == "playbooks/Desk/examples/Hi%3f.json"
    assert schema_path("pets") == "tools/pets/schema.yaml"
    assert settings_path("pt-BR") == "generativeSettings/pt-BR.json"
