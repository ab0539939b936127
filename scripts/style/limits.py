"""The limits of files, functions and imports."""

import statistics
from collections.abc import Sequence

from scripts.style.graph import cycles, import_graph
from scripts.style.measures import Measure
from scripts.style.names import name_measures
from scripts.style.small import KEPT
from scripts.style.source import FunctionFacts, SourceFile

LONGEST_FILE = 400
"""Lines."""
LONG_FUNCTION = 60
"""Lines a function may have; 1 % may have more."""
ALIASES_OF_ANY = 50
"""Uses in 1,000 lines of names that stand for foreign JSON and for messages that are made at run time."""


def measure(package: Sequence[SourceFile], tests: Sequence[SourceFile]) -> list[Measure]:
    """Every measure of the package in `package` files, tested by `tests` files."""
    return [
        *_file_measures(package, tests),
        *_function_measures(package),
        *_import_measures(package),
        *name_measures(package, KEPT),
    ]


def _file_measures(package: Sequence[SourceFile], tests: Sequence[SourceFile]) -> list[Measure]:
    lines = sum(file.lines for file in package)
    everything = [*package, *tests]
    # Files of a line or two only mark a package.
    sizes = [file.lines for file in package if file.lines >= 5]
    public = sum(file.public for file in package)
    undocumented = [where for file in package for where in file.undocumented]
    documented = 100.0 * (public - len(undocumented)) / max(1, public)
    too_long = [f"{file.path}: {file.lines} lines" for file in everything if file.lines > LONGEST_FILE]
    test_lines = sum(file.lines for file in tests)
    swallowed = [where for file in package for where in file.swallowed]
    ignoring = [f"{file.path}: {file.ignores}" for file in package if file.ignores]
    ignores = sum(file.ignores for file in package)
    return [
        Measure("lines a file, median", statistics.median(sizes or [0]), 0, 150),
        Measure("lines a file, most", max((file.lines for file in everything), default=0), 0, LONGEST_FILE, too_long),
        Measure("public names with a docstring, %", documented, 95, 100, undocumented),
        Measure("Any in 1,000 lines", 1000 * sum(file.uses_of_any for file in package) / max(1, lines), 0, 5),
        Measure("aliases of Any in 1,000 lines", 1000 * _uses_of_aliases(package) / max(1, lines), 0, ALIASES_OF_ANY),
        Measure("type ignores in 1,000 lines", 1000 * ignores / max(1, lines), 0, 0.5, ignoring),
        Measure("swallowed broad excepts", len(swallowed), 0, 0, swallowed),
        Measure("test lines to code lines", test_lines / max(1, lines), 1.0, 2.0),
    ]


def _uses_of_aliases(package: Sequence[SourceFile]) -> int:
    """Uses of names that stand for `Any`, or for something made of it."""
    names, found = {"Any"}, 0
    while found < len(names):
        found = len(names)
        names |= {alias for file in package for alias, parts in file.aliases.items() if parts & names}
    return sum(file.names[name] for file in package for name in names - {"Any"})


def _function_measures(package: Sequence[SourceFile]) -> list[Measure]:
    functions = [function for file in package for function in file.functions]
    long = [function for function in functions if function.lines > LONG_FUNCTION]
    complexities = sorted(function.complexity for function in functions) or [0]
    at_95 = complexities[min(len(complexities) - 1, int(0.95 * len(complexities)))]
    untyped = [function.where for function in functions if not function.is_typed]
    bodies = [function.body for function in functions]
    return [
        Measure("body of a function, mean lines", statistics.mean(bodies or [7]), 7, 10),
        Measure("functions over 60 lines, %", 100 * len(long) / max(1, len(functions)), 0, 1, _described(long)),
        Measure("complexity, 95th percentile", at_95, 0, 6, _described([f for f in functions if f.complexity > 6])),
        Measure("complexity, worst", complexities[-1], 0, 15, _described([f for f in functions if f.complexity > 15])),
        Measure("functions not fully typed", len(untyped), 0, 0, untyped),
    ]


def _described(functions: Sequence[FunctionFacts]) -> list[str]:
    worst = sorted(functions, key=lambda function: (-function.complexity, -function.lines))
    return [f"{function.where}: {function.lines} lines, complexity {function.complexity}" for function in worst]


def _import_measures(package: Sequence[SourceFile]) -> list[Measure]:
    found = [" → ".join(cycle) for cycle in cycles(import_graph(package))]
    inside = [(file, item) for file in package for item in file.imports if item.inside_function]
    total = sum(len(file.imports) for file in package)
    # Commands import what they need when they run, so that `--help` is quick.
    outside_cli = [f"{file.path}: {item.module}" for file, item in inside if ".cli" not in file.module]
    share = 100 * len(outside_cli) / max(1, total)
    return [
        Measure("import cycles", len(found), 0, 0, found),
        Measure("own imports inside functions (not cli), %", share, 0, 3, outside_cli),
    ]
