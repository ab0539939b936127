"""Prints every measure with its limits; exit code 1 when one is outside."""

import sys
from pathlib import Path

from scripts.style.limits import measure
from scripts.style.source import SourceFile, read_source

PLACES_SHOWN = 12


def read_tree(folder: Path, root: Path) -> list[SourceFile]:
    """The Python files beneath `folder`; generated ones are nobody's style."""
    paths = sorted(path for path in folder.rglob("*.py") if not {"_generated", "node_modules"} & set(path.parts))
    return [read_source(path, root, "openplaybook") for path in paths]


def main() -> int:
    """Measure `src/openplaybook` and `tests` below the working directory."""
    measures = measure(read_tree(Path("src/openplaybook"), Path("src")), read_tree(Path("tests"), Path()))
    for item in measures:
        limits = f"≤ {item.high:g}" if item.low == 0 else f"{item.low:g} to {item.high:g}"
        print(f"{'ok  ' if item.holds else 'FAIL'}  {item.name:<44} {item.value:>8.2f}   {limits}")
    for item in measures:
        if not item.holds:
            print(f"\n{item.name}:")
            print("\n".join(f"  {place}" for place in item.places[:PLACES_SHOWN]))
            if len(item.places) > PLACES_SHOWN:
                print(f"  … and {len(item.places) - PLACES_SHOWN} more")
    return 0 if all(item.holds for item in measures) else 1


if __name__ == "__main__":
    sys.exit(main())
