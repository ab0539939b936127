import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.sandbox.inside.file_transfer import is_safe


@pytest.mark.parametrize("name", ["a", "a.csv", "out/b c.png", "größe.txt", "表/図.png", ".hidden", "...", "a" * 255])
def test_names_of_files_in_the_workspace_are_safe(name: str) -> None:
    assert is_safe(name)


@pytest.mark.parametrize(
    "name",
    [
        "", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\\b", "..\\a", "a\0b", "a\nb", "a\x1b[2Jb",
        "a\u202eb", "a\u2066b", "a\u200bb", "\ufeffa", "a\ud800", "a\x7f", "a" * 256, "/".join("a" * 10),
    ],
)  # fmt: skip
def test_names_that_lead_out_or_hide_themselves_are_not(name: str) -> None:
    assert not is_safe(name)


@given(st.text())
def test_a_safe_name_has_no_step_up_and_shows_all_its_characters(name: str) -> None:
    if is_safe(name):
        assert name.isprintable()
        assert not name.startswith("/")
        assert ".." not in name.split("/")
