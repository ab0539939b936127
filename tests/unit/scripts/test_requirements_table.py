"""The README's table of what works."""

from pathlib import Path

import pytest

from scripts.requirements_table import BEGIN, END, table, with_table

README = Path(__file__).parents[3] / "README.md"


def test_the_readme_shows_the_current_table() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == with_table(text), "README.md is stale: run `make docs`"


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    assert with_table(f"before\n{BEGIN}\nold\n{END}\nafter") == f"before\n{BEGIN}\n{table()}\n{END}\nafter"


@pytest.mark.parametrize("document", ["no marks", f"only {BEGIN}", f"only {END}"])
def test_a_document_without_both_marks_is_refused(document: str) -> None:
    with pytest.raises(ValueError, match="lacks"):
        with_table(document)
