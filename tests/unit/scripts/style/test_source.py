"""The facts of one Python file."""

from pathlib import Path
from textwrap import dedent

import pytest

from scripts.style.source import Import, SourceFile, read_source


def read(folder: Path, text: str, name: str = "shop/module.py") -> SourceFile:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text))
    return read_source(path, folder, "shop")


def test_a_package_is_named_without_its_init_file(tmp_path: Path) -> None:
    assert read(tmp_path, '"""Doc."""\n', "shop/till/__init__.py").module == "shop.till"


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1", 1),
        ("return 1 if a else [x for x in b if x and c]", 1),
        ("if a:\n        b()\n    elif c:\n        c()\n    else:\n        a()", 3),
        ("for x in a:\n        while b:\n            c()", 3),
        ("try:\n        a()\n    except ValueError:\n        b()\n    finally:\n        c()", 2),
        ("try:\n        a()\n    except ValueError:\n        b()\n    else:\n        c()", 3),
        ("match a:\n        case 1: pass\n        case 2: pass\n        case _: pass", 3),
        ("match a:\n        case 1: pass\n        case _ if b: pass", 3),
        ("def inner():\n        if a: pass\n    return inner", 3),
    ],
)
def test_complexity_counts_the_ways_through_a_function(tmp_path: Path, body: str, complexity: int) -> None:
    source = read(tmp_path, f"def f(a, b, c):\n    {body}\n")
    assert source.functions[0].complexity == complexity


@pytest.mark.parametrize(
    ("signature", "is_typed"),
    [
        ("def f(a: int) -> int", True),
        ("def f(self, a: int) -> int", True),
        ("def f(a) -> int", False),
        ("def f(a: int)", False),
        ("def f(*rest, **options: int) -> int", False),
    ],
)
def test_a_function_is_typed_when_arguments_and_result_are(tmp_path: Path, signature: str, is_typed: bool) -> None:
    assert read(tmp_path, f"{signature}: ...\n").functions[0].is_typed is is_typed


def test_what_is_public_wants_a_docstring(tmp_path: Path) -> None:
    source = read(
        tmp_path,
        '''
        """Module."""
        class Till:
            def open(self): ...
            def _count(self): ...
        def _hidden():
            class Inner: ...
        def sell():
            """Documented."""
        ''',
    )
    assert source.public == 4
    assert [where.split()[-1] for where in source.undocumented] == ["Till", "open"]


def test_imports_of_the_own_package_are_told_apart_by_place(tmp_path: Path) -> None:
    source = read(tmp_path, "import os\nfrom shop.till import Till\ndef f():\n    import shop.stock\n")
    assert source.imports == [Import("shop.till", "Till", False), Import("shop.stock", "", True)]


@pytest.mark.parametrize(
    ("handler", "count"),
    [
        ("except:\n    pass", 1),
        ("except Exception:\n    pass", 1),
        ("except (ValueError, BaseException):\n    pass", 1),
        ("except Exception:\n    raise", 0),
        ("except Exception as error:\n    print()", 1),
        ("except Exception as error:\n    print(error)", 0),
        ("except ValueError:\n    pass", 0),
    ],
)
def test_an_except_that_hides_every_fault_is_found(tmp_path: Path, handler: str, count: int) -> None:
    assert len(read(tmp_path, f"try:\n    pass\n{handler}\n").swallowed) == count


def test_any_and_silenced_checks_are_counted(tmp_path: Path) -> None:
    # The comment is put together so that the checker does not take it for one of this file.
    source = read(tmp_path, "import typing\nx: typing.Any = 1  # type" + ": ignore[assignment]\ny: Any\n")
    assert (source.uses_of_any, source.ignores) == (2, 1)


@pytest.mark.parametrize(
    ("name", "text", "imported"),
    [
        ("shop/till/drawer.py", "from .coins import Coin", Import("shop.till.coins", "Coin", False)),
        ("shop/till/drawer.py", "from . import coins", Import("shop.till", "coins", False)),
        ("shop/till/drawer.py", "from ..stock import count", Import("shop.stock", "count", False)),
        ("shop/till/__init__.py", "from .coins import Coin", Import("shop.till.coins", "Coin", False)),
    ],
)
def test_dots_of_an_import_count_from_the_folder_of_the_file(
    tmp_path: Path, name: str, text: str, imported: Import
) -> None:
    assert read(tmp_path, text, name).imports == [imported]
