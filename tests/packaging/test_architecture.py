"""What the page on architecture says of files and names is so."""

import ast
import os
import re

import pytest

from tests.packaging.checkout import ROOT

PACKAGE = ROOT / "src/openplaybook"
PAGE = (ROOT / "docs/architecture.md").read_text()
INSTALLED = {".venv", ".git", "node_modules", "venvs"}


def _section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


DECISIONS = re.findall(
    r"^\| ([^|]+\?) \| `([\w/]+\.py)`, `([\w.]+)` \|$", _section("Where is it decided"), re.MULTILINE
)


def test_the_page_answers_forty_questions_of_a_maintainer() -> None:
    assert len({question for question, _, _ in DECISIONS}) == len(DECISIONS)
    assert len(DECISIONS) >= 40


@pytest.mark.parametrize(("path", "name"), [decision[1:] for decision in DECISIONS])
def test_what_decides_stands_where_the_page_says(path: str, name: str) -> None:
    assert name in _defined(ast.parse((PACKAGE / path).read_text()).body)


def test_each_file_that_the_page_names_is_there() -> None:
    files: list[str] = []
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if name not in INSTALLED]
        files += [f"{folder}/{name}" for name in names]
    named = set(re.findall(r"`([\w/]+\.py)`", PAGE))
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in files)} == set()


def test_each_room_that_the_page_names_is_there() -> None:
    rooms = re.findall(r"^\| `(\w+)/` \|", _section("The rooms"), re.MULTILINE)
    folders = [path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert sorted(rooms) == sorted(folders)


def _defined(body: list[ast.stmt], within: str = "") -> set[str]:
    """Names of functions, classes and their members, and constants."""
    names: set[str] = set()
    for node in body:
        match node:
            case ast.ClassDef(name=name):
                names |= {f"{within}{name}", *_defined(node.body, f"{within}{name}.")}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(f"{within}{name}")
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                names.add(f"{within}{name}")
            case _:
                pass
    return names
