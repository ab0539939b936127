"""Every block of every page is taken by a test or marked as an illustration; which ones were is counted after a run."""

import ast
import re
from pathlib import Path

from tests.kit.guides import DOCS, all_blocks, pages

TESTS = Path(__file__).parents[1]
TAKING = {
    "printed": {"sh"},
    "command_flags": {"console"},
    "runs": {"sh", "text"},
    "whole_page": {block.language for block in all_blocks()},
}
"""Functions of the tests → the languages that they take of a page."""


def taken_by_tests() -> set[tuple[str, str]]:
    """The pages and languages that modules of tests name: each page with each language of its modules."""
    found: set[tuple[str, str]] = set()
    for path in [*TESTS.glob("docs/test_*.py"), *TESTS.glob("packaging/*.py")]:
        tree = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        words = {node.value for node in tree if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        names = {node.id for node in tree if isinstance(node, ast.Name)}
        names |= {node.attr for node in tree if isinstance(node, ast.Attribute)}
        languages = {word for word in words if word.isalpha()}
        for name in names & TAKING.keys():
            languages |= TAKING[name]
        named = {"../README.md"} if "README" in names else set[str]()
        named |= {word for word in words if word.endswith(".md")}
        found |= {(page, language) for page in named for language in languages}
    return found


def test_every_block_is_of_a_page_and_a_language_that_a_test_takes_or_is_marked() -> None:
    taken = taken_by_tests()
    left = [str(block) for block in all_blocks() if not block.illustrates and (block.page, block.language) not in taken]
    assert left == [], "run them in tests/docs, or mark them: <!-- illustration: why -->"


def test_every_mark_is_on_the_line_before_a_block() -> None:
    marks = {
        (page, number + 1)
        for page in pages()
        for number, line in enumerate((DOCS / page).read_text(encoding="utf-8").splitlines(), 1)
        if re.match(r" *<!-- *illustration", line)
    }
    assert marks == {(block.page, block.line) for block in all_blocks() if block.illustrates}
