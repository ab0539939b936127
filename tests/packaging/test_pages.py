"""What the documents say of installing: their commands are there, and no page takes the package from an index."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.kit import guides
from tests.kit.guides import block_of
from tests.packaging.checkout import ROOT

DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_the_readme_begins_with_two_commands() -> None:
    commands = ["make run\n", "make test\n"]
    assert [block_of(guides.README, "sh", command) for command in commands] == commands
    minute = README.split("## In a minute")[1].split("\n## ")[0]
    assert re.findall(r"^(make \w+)", minute, re.MULTILINE) == ["make run", "make test"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_target_and_extra_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text()
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ((?:[a-z]+ ?)+)", text, re.MULTILINE))
    assert {target for each in named for target in each.split()} - targets == set()
    extras = re.findall(r'EXTRAS=(?:"([a-z -]+)"|([a-z-]+))', text)
    assert {extra for each in extras for extra in " ".join(each).split()} - set(EXTRAS) == set()


@pytest.mark.parametrize("page", [README, (DOCS / "installing.md").read_text()], ids=["README", "installing"])
def test_as_many_packages_are_installed_as_a_page_says(page: str) -> None:
    pins = (ROOT / "requirements/run.txt").read_text().splitlines()
    here = [line for line in pins if re.match("[a-z0-9]", line) and "== 'win32'" not in line]
    assert re.findall(r"installs (\d+) packages", page) == [str(len(here))]


def test_the_page_on_installing_lists_the_extras() -> None:
    listed = re.findall(r"^\| `([a-z-]+)` \|", (DOCS / "installing.md").read_text(), re.MULTILINE)
    assert listed == list(EXTRAS)


def test_no_page_or_message_installs_from_an_index() -> None:
    pages = [ROOT / "README.md", *sorted(DOCS.rglob("*.md")), *sorted((ROOT / "src").rglob("*.py"))]
    found = {
        page.name: told
        for page in pages
        if (told := re.findall(r"pip install ['\"]?openplaybook(?!\S*\.whl)", page.read_text()))
    }
    assert found == {}


def test_the_page_on_installing_puts_the_command_on_the_path_as_the_readme_does() -> None:
    assert block_of("installing.md", "console", "export") == block_of(guides.README, "sh", "export PATH")
