"""Names over a whole tree, and files that are half an idea."""

from pathlib import Path

import pytest

from scripts.style.limits import measure
from scripts.style.measures import Measure
from scripts.style.names import name_measures, slivers
from scripts.style.source import Import, SourceFile, read_source


def module(name: str, *imports: str, lines: int = 100, classes: tuple[str, ...] = ()) -> SourceFile:
    path = Path("/".join(name.split(".")) + ".py")
    found = [Import(imported, "", False) for imported in imports]
    return SourceFile(path, name, lines, imports=found, public_classes=list(classes))


def measured(name: str, *files: SourceFile) -> Measure:
    return next(item for item in name_measures(files, {}) if item.name == name)


def test_modules_that_share_a_file_name_are_counted_each() -> None:
    found = measured("modules that share a file name, %", module("a.x"), module("b.x"), module("b.y"), module("b.z"))
    assert (found.value, found.places) == (50.0, ["x: a.x, b.x"])


def test_a_public_class_name_stands_once_in_the_package() -> None:
    twice = (module("a", classes=("Place", "Once")), module("b", classes=("Place",)))
    found = measured("public class names used twice", *twice)
    assert (found.value, found.holds, found.places) == (1, False, ["Place: a, b"])


def test_private_classes_and_those_within_others_may_share_names(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class _Hidden: ...\nclass Shown:\n    class Inner: ...\n")
    assert read_source(tmp_path / "a.py", tmp_path, "shop").public_classes == ["Shown"]


@pytest.mark.parametrize(("name", "is_gerund"), [("settling", True), ("spelling", False), ("header_encoding", False)])
def test_a_gerund_is_no_name_but_some_nouns_end_like_one(name: str, is_gerund: bool) -> None:
    assert measured("modules called by a gerund", module(f"a.{name}")).value == int(is_gerund)


def test_a_folder_holds_forty_modules() -> None:
    found = measured("modules of a folder, most", *(module(f"a.m{number}") for number in range(41)))
    assert (found.value, found.holds, found.places) == (41, False, ["a: 41"])


def test_a_small_module_with_one_importer_is_a_sliver() -> None:
    files = [module("a.main", "a.small"), module("a.small", lines=59)]
    assert list(slivers(files, {})) == [("a.small", "a.main")]


def test_a_module_with_two_importers_or_a_whole_idea_or_a_reason_is_none() -> None:
    two = [module("a.main", "a.small"), module("a.other", "a.small"), module("a.small", lines=59)]
    long = [module("a.main", "a.long"), module("a.long", lines=60)]
    kept = [module("a.main", "a.small"), module("a.small", lines=5)]
    port = [module("a.main", "a.base"), module("a.base", lines=5)]
    assert [list(slivers(files, {"a.small": "an adapter"})) for files in (two, long, kept, port)] == [[], [], [], []]


def test_a_reason_that_outlived_its_module_is_told() -> None:
    files = [module("a.main", "a.small", "a.grown"), module("a.small", lines=5), module("a.grown", lines=60)]
    kept = {"a.small": "an adapter", "a.grown": "an adapter", "a.gone": "an adapter"}
    found = {item.name: item for item in name_measures(files, kept)}["small modules kept for nothing"]
    assert (found.value, found.places) == (2, ["a.gone", "a.grown"])


def test_names_that_stand_for_any_are_counted_through_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "Value: TypeAlias = Any\nObject: TypeAlias = dict[str, Value]\nPlain: TypeAlias = dict[str, str]\n"
        "def read(text: str) -> Object:\n    found: Value = {}\n    other: Plain = {}\n    return found or other\n"
    )
    source = read_source(tmp_path / "a.py", tmp_path, "shop")
    found = next(item for item in measure([source], []) if item.name == "aliases of Any in 1,000 lines")
    assert found.value == 1000 * 3 / 7


def test_the_body_of_a_function_leaves_its_docstring_out(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('def read() -> int:\n    """The\n    number."""\n    return 1\n')
    (function,) = read_source(tmp_path / "a.py", tmp_path, "shop").functions
    assert (function.lines, function.body) == (4, 2)
