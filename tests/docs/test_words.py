"""No page uses a phrase that CONTRIBUTING.md forbids in its table below "Never write these"."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

_NOT_PROSE = re.compile(r"^ *(```+).*?^ *\1$|<!--.*?-->|`[^`\n]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
"""Code blocks, comments, inline code, targets of links."""


def cells() -> list[str]:
    """The second column of the table, a cell a row."""
    table = RULES.partition("Never write these")[2].partition("| Write | Not |\n|---|---|\n")[2].partition("\n\n")[0]
    return [row.strip("| ").rpartition(" | ")[2] for row in table.splitlines()]


def phrases() -> list[str]:
    return [phrase for cell in cells() for phrase in re.sub(r" \(.*\)", "", cell).split(", ")]


def allowed() -> list[str]:
    """What a cell calls fine, such as "stands for"."""
    return [phrase for cell in cells() for phrase in re.findall(r'"([^"]+)"', cell)]


def pattern(of: list[str]) -> re.Pattern[str]:
    """Any of these phrases, also over the end of a line."""
    spaced = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in of)
    return re.compile(rf"\b(?:{spaced})\b", re.IGNORECASE)


def found_in(text: str) -> list[str]:
    """The forbidden phrases of a page, in order; the list of words itself is not looked at."""
    prose = _NOT_PROSE.sub(" ", text.partition("\n## Words\n")[0])
    return [" ".join(found.split()) for found in pattern(phrases()).findall(pattern(allowed()).sub(" ", prose))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_uses_no_forbidden_phrase(page: Path) -> None:
    assert found_in(page.read_text(encoding="utf-8")) == []


def test_the_list_has_at_least_25_phrases() -> None:
    assert len(set(phrases())) >= 25
    assert {"anew", "beside", "the like", "stands", "is told"} <= set(phrases())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is written anew, and the\nlike.", ["anew", "the like"]),
        ("The folder Beside it stands alone.", ["Beside", "stands"]),
        ("`*` stands for any letters; a stand-in is fine, and so is besides.", []),
        ("Run `agents anew` [here](beside.md).\n\n```sh\necho anew\n```\n\n<!-- anew -->\n", []),
    ],
)
def test_phrases_are_found_in_prose_only(text: str, found: list[str]) -> None:
    assert found_in(text) == found
