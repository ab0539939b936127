"""Which files a traced turn is said to run through."""

from pathlib import Path
from types import CodeType

from scripts.warm_way import Way, long_functions, way_of

_SOURCE = '''
def named(value):
    """Words do not count."""
    return value


def worked(value):
    if value:
        return value


@property
def decorated(value):
    value += 1
    return value


def holder():
    def held():
        return 1
'''


def _functions(path: Path, source: str) -> list[CodeType]:
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)
    return [part for part in compile(source, str(path), "exec").co_consts if isinstance(part, CodeType)]


def test_a_function_is_long_when_it_has_more_than_one_statement_beside_its_docstring() -> None:
    assert long_functions(_SOURCE) == {7, 12, 18}


def test_a_file_counts_when_a_long_function_of_it_ran(tmp_path: Path) -> None:
    short = _functions(tmp_path / "room" / "short.py", "def f(): return 1\n")
    long = _functions(tmp_path / "room" / "long.py", "def f():\n    one = 1\n    return one\n")
    assert way_of([*short, *long], tmp_path) == Way(["room/long.py"], ["room/short.py"])


def test_files_of_others_do_not_count(tmp_path: Path) -> None:
    theirs = _functions(tmp_path / "theirs" / "long.py", "def f():\n    one = 1\n    return one\n")
    assert way_of(theirs, tmp_path / "ours") == Way([], [])


def test_files_are_counted_by_room() -> None:
    way = Way(["jsonvalues.py", "wire/codec/json_parser.py", "wire/rest.py"], ["wire/messages.py"])
    assert way.rooms == {"wire": 2, "jsonvalues.py": 1}
    assert way.report().endswith("3 files")
