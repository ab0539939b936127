"""The house: who may import whom, how many rooms the turn engine has, and what stays within one room."""

import ast
import gc
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import openplaybook

SOURCE = Path(openplaybook.__file__).parent
TURNS = SOURCE / "turns"
ROOMS = {"agent", "journal", "session", "steps"}


@pytest.fixture(scope="module")
def nodes() -> Mapping[Path, list[ast.AST]]:
    """All that every module of the package says, by its path."""
    # All of it stays: to look through it for garbage, again and again, would take twice as long as reading.
    gc.disable()
    try:
        return {
            path.relative_to(SOURCE): list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            for path in SOURCE.rglob("*.py")
        }
    finally:
        gc.enable()


def names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def test_rooms_import_downwards_only() -> None:
    linter = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    done = subprocess.run(
        [sys.executable, "-c", linter], cwd=SOURCE.parent.parent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_turn_engine_has_at_most_47_modules_in_four_rooms() -> None:
    modules = list(TURNS.rglob("*.py"))
    assert len(modules) <= 47
    assert {path.parent.relative_to(TURNS).as_posix() for path in modules} == {".", *ROOMS}


def test_no_module_of_the_turn_engine_is_called_by_a_gerund() -> None:
    assert [path.name for path in TURNS.rglob("*.py") if path.stem.rpartition("_")[2].endswith("ing")] == []


def test_nobody_asks_for_the_class_of_a_tool_outside_the_folder_of_its_kind(
    nodes: Mapping[Path, list[ast.AST]],
) -> None:
    found, asked = dict[str, Path](), list[tuple[Path, str]]()
    for path, said in nodes.items():
        for node in said:
            if isinstance(node, ast.ClassDef) and "Tool" in {name for base in node.bases for name in names_in(base)}:
                found[node.name] = path.parent
            elif isinstance(node, ast.Call) and names_in(node.func) == {"isinstance"}:
                asked += [(path, name) for name in names_in(node.args[1])]
    assert {"OpenApiTool", "FunctionTool", "PythonFunctionTool", "CodeInterpreter", "PlaceholderTool"} <= found.keys()
    assert [(path, name) for path, name in asked if name in found and path.parent != found[name]] == []


def test_only_the_journal_reads_the_rows_of_turns(nodes: Mapping[Path, list[ast.AST]]) -> None:
    readers = {
        path.as_posix()
        for path, said in nodes.items()
        for node in said
        if isinstance(node, ast.Call)
        and names_in(node.func) == {"loads"}
        and any(isinstance(each, ast.Attribute) and each.attr == "payload" for each in ast.walk(node))
    }
    assert readers == {"turns/journal/rows.py"}
