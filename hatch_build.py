"""Hatchling hook: every build (wheel, sdist, editable) has the API's descriptor set, and the console if it is built.

Set-up builds the console (scripts/console.sh), which needs Node; `make dist` refuses to go on without it.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONSOLE = Path("src/openplaybook/console/built/index.html")
"""From the root of the project."""


class ApiBuildHook(BuildHookInterface[Any]):
    """Generates the descriptor set in a checkout; an unpacked sdist has it and builds without Google's packages."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Writes the descriptor set before files are collected. Raises what the generator raises."""
        root = Path(self.root)
        if version != "editable" and not (root / CONSOLE).is_file():
            self.app.display_warning(f"{CONSOLE} is missing: this build has no web console; `make setup` makes it")
        sys.path.insert(0, self.root)
        try:
            if (root / "PKG-INFO").exists():
                _require(root)
            else:
                _generate(root)
        finally:
            sys.path.remove(self.root)


def _generate(root: Path) -> None:
    from build_api.assemble import write  # needs Google's packages, which an unpacked sdist does not

    write(root)


def _require(root: Path) -> None:
    from build_api.place import OUTPUT

    if not (root / OUTPUT).is_file():
        raise FileNotFoundError(f"this source distribution lacks {OUTPUT}; it was not built from a checkout")
