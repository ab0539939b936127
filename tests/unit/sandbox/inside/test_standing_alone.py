"""The inside stands alone: only its folder is shown in the sandbox."""

import ast
import sys
from pathlib import Path

import pytest

from openplaybook.sandbox import inside

MODULES = sorted(Path(inside.__path__[0]).glob("*.py"))
LIBRARIES = {"numpy", "pandas", "matplotlib", "PIL", "_typeshed"}
"""Of the environment, imported where they are installed; and what only a type checker imports."""


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_modules_import_the_standard_library_and_each_other(module: Path) -> None:
    tree = ast.parse(module.read_text())
    absolute = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    relative = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    absolute += [node.module or "" for node in relative if node.level == 0]

    outside = {name.partition(".")[0] for name in absolute} - sys.stdlib_module_names - LIBRARIES
    assert outside == set()
    assert {node.level for node in relative} <= {0, 1}
