"""Limits over a whole tree."""

import itertools
from pathlib import Path

from scripts.style.graph import cycles, import_graph
from scripts.style.limits import measure
from scripts.style.measures import Measure
from scripts.style.source import FunctionFacts, Import, SourceFile


def module(name: str, *imports: Import, lines: int = 10) -> SourceFile:
    return SourceFile(Path(f"{name}.py"), name, lines, imports=list(imports))


def found(measures: list[Measure], name: str) -> Measure:
    return next(item for item in measures if item.name == name)


def test_a_cycle_is_found_also_through_an_import_in_a_function() -> None:
    files = [
        module("a", Import("b", "", False)),
        module("b", Import("c", "", True)),
        module("c", Import("a", "x", False)),
    ]
    assert [set(cycle) for cycle in cycles(import_graph(files))] == [{"a", "b", "c"}]


def test_a_cycle_is_told_in_the_direction_of_import() -> None:
    files = [
        module("a", Import("b", "", False)),
        module("b", Import("c", "", False)),
        module("c", Import("a", "", False)),
    ]
    (cycle,) = cycles(import_graph(files))
    assert all(target in import_graph(files)[module] for module, target in itertools.pairwise(cycle))


def test_importing_a_submodule_from_its_package_is_an_edge_to_the_submodule() -> None:
    files = [module("a"), module("a.b"), module("c", Import("a", "b", False), Import("a", "name", False))]
    assert import_graph(files)["c"] == {"a.b", "a"}


def test_a_tree_without_cycles_has_none() -> None:
    assert list(cycles(import_graph([module("a", Import("b", "", False)), module("b")]))) == []


def test_a_file_over_the_limit_is_named_also_among_tests() -> None:
    longest = found(measure([module("a")], [module("tests.b", lines=401)]), "lines a file, most")
    assert (longest.value, longest.holds, longest.places) == (401, False, ["tests.b.py: 401 lines"])


def test_too_few_and_too_many_tests_are_both_outside() -> None:
    for lines, holds in ((9, False), (10, True), (20, True), (21, False)):
        assert found(measure([module("a")], [module("t", lines=lines)]), "test lines to code lines").holds is holds


def test_the_worst_functions_come_first() -> None:
    source = module("a")
    source.functions = [FunctionFacts("easy", 5, 1, 5, True), FunctionFacts("hard", 50, 16, 50, True)]
    worst = found(measure([source], []), "complexity, worst")
    assert (worst.value, worst.holds, worst.places) == (16, False, ["hard: 50 lines, complexity 16"])


def test_commands_may_import_inside_functions() -> None:
    lazy = Import("b", "", True)
    name = "own imports inside functions (not cli), %"
    assert found(measure([module("shop.cli.serve", lazy)], []), name).value == 0
    assert found(measure([module("shop.server", lazy)], []), name).value == 100
