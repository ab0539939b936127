"""Hatchling hook: every build (wheel, sdist, editable) contains the API's descriptor set."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ApiBuildHook(BuildHookInterface[Any]):
    """Generates the descriptor set in a checkout; an unpacked sdist has it and builds without Google's packages."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Writes the descriptor set before files are collected. Raises what the generator raises."""
        root = Path(self.root)
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
