"""The value of the last expression, and `await` at the top."""

from pathlib import Path

import pytest

from tests.kit.plain_runtime import Ran
from tests.unit.sandbox.inside.forked_runtime import run


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("4 + 4", "8"),
        ("x = 5\nx * 2", "10"),
        ("'text'", "'text'"),
        ("None", ""),
        ("print", "<built-in function print>"),
        ("x = 5", ""),
        ("4 + 4;", ""),
        ("'é' * 2 ;  # muted", ""),
        ("4 + 4  # eight; of course", "8"),
        ("if True:\n    4", ""),
        ("print('printed')\n4 + 4", "printed\n"),
        ("print(end='')\n4 + 4", "8"),
        ("import asyncio\nawait asyncio.sleep(0, 'slept')", "'slept'"),
        ("async def f():\n    return 3\nx = await f()\nx + 1", "4"),
        ("async def g():\n    yield 1\n[each async for each in g()]", "[1]"),
        ("import asyncio\nasyncio.run(asyncio.sleep(0, 6))", "6"),
        ("a = []\na.append(a)\na", "[[...]]"),
        ("from __future__ import annotations\n1", "1"),
        ("sum(\n  [1,\n   2])", "3"),
    ],
)
def test_it_is_shown_where_nothing_was_printed(code: str, shown: str, tmp_path: Path) -> None:
    assert run(code, tmp_path) == Ran(0, shown, "")


def test_a_value_that_cannot_be_shown_is_a_failure_of_the_code(tmp_path: Path) -> None:
    ran = run("class Odd:\n    def __repr__(self):\n        return 1 / 0\nOdd()", tmp_path)
    assert ran == Ran(
        1,
        "",
        "Traceback (most recent call last):\n"
        '  File "<code>", line 3, in __repr__\n'
        "    return 1 / 0\n"
        "           ~~^~~\n"
        "ZeroDivisionError: division by zero\n",
    )


def test_code_is_the_main_module(tmp_path: Path) -> None:
    code = """
import pickle
from dataclasses import dataclass
from typing import get_type_hints
@dataclass
class Point:
    x: "int"
if __name__ == "__main__":
    print(pickle.loads(pickle.dumps(Point(3))), get_type_hints(Point))
"""
    assert run(code, tmp_path) == Ran(0, "Point(x=3) {'x': <class 'int'>}\n", "")


def test_modules_of_the_workspace_are_found_and_ours_are_not(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("def double(x): return 2 * x\n")
    assert run("import helpers\nhelpers.double(4)", tmp_path) == Ran(0, "8", "")
    assert run("import importlib.util\nprint(importlib.util.find_spec('local'))", tmp_path) == Ran(0, "None\n", "")
