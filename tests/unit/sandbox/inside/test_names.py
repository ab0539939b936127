"""Names that code finds bound."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest

from openplaybook.sandbox.inside import libraries
from tests.kit import plain_runtime
from tests.kit.plain_runtime import Ran
from tests.unit.sandbox.inside.forked_runtime import run


@pytest.mark.parametrize(
    "code",
    [
        "math.pi",
        "globals()['math'].pi",
        "def f():\n    return math.pi\nf()",
        "[math.pi for _ in '1'][0]",
        "class C:\n    x = math.pi\nC.x",
        "eval('math.pi')",
        "exec('x = math.pi')\nx",
        "(lambda: math.pi)()",
        "import math as m\nm.pi",
    ],
)
def test_they_are_seen_from_everywhere(code: str, tmp_path: Path) -> None:
    assert run(code, tmp_path) == Ran(0, "3.141592653589793", "")


def test_what_code_binds_itself_wins(tmp_path: Path) -> None:
    assert run("np = 3\ndef f():\n    return np + re\nre = 4\nf()", tmp_path) == Ran(0, "7", "")


def test_a_library_is_imported_when_its_name_is_first_used_and_is_itself_then(tmp_path: Path) -> None:
    code = """
import sys
before = "numpy" in sys.modules
total = np.arange(3).sum()
import numpy
print(before, total, np is numpy)
"""
    assert plain_runtime.run(code, tmp_path, bare=False) == Ran(0, "False 3 True\n", "")


def test_a_library_that_is_in_memory_is_bound_as_it_is(tmp_path: Path) -> None:
    code = "import sys\nnp is sys.modules['numpy']"
    assert plain_runtime.run(code, tmp_path, bare=False, preload=["numpy"]) == Ran(0, "True", "")


def test_code_that_never_uses_them_imports_none(tmp_path: Path) -> None:
    code = "import sys\nsorted({'numpy', 'pandas', 'matplotlib', 'asyncio'}.intersection(sys.modules))"
    assert plain_runtime.run(code, tmp_path, bare=False) == Ran(0, "[]", "")


def test_the_libraries_said_to_be_offered_are_those_of_the_extra() -> None:
    pyproject = tomllib.loads((Path(__file__).parents[4] / "pyproject.toml").read_text(encoding="utf-8"))
    extra = {_canonical(each) for each in pyproject["project"]["optional-dependencies"]["code-interpreter"]}
    distributions = importlib.metadata.packages_distributions()
    offered = {_canonical(distributions[name][0]) for name in libraries.OFFERED}
    assert offered == extra


def _canonical(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()
