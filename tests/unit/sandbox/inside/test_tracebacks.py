"""What is told of an exception that code did not catch."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.plain_runtime import Ran
from tests.unit.sandbox.inside.forked_runtime import run

_FAILING = {
    "a plain one": "def f(x):\n    return 1 / x\n\nf(0)\n",
    "a cause": "try:\n    int('x')\nexcept ValueError as e:\n    raise KeyError('k') from e\n",
    "a context": "try:\n    int('x')\nexcept ValueError:\n    {}['k']\n",
    "a hidden context": "try:\n    int('x')\nexcept ValueError:\n    raise KeyError('k') from None\n",
    "a group": "raise ExceptionGroup('two', [ValueError(1), ExceptionGroup('in', [KeyError(2)])])\n",
    "a note": "e = ValueError('v')\ne.add_note('noted')\nraise e\n",
    "an exception without words": "class Odd(Exception):\n    def __str__(self):\n        1 / 0\nraise Odd\n",
    "not an Exception": "raise KeyboardInterrupt\n",
    "a recursion": "def f():\n    f()\nf()\n",
    "a fault of syntax": "x = 1\nif x\n    pass\n",
    "a fault of indentation": "x = 1\n  y = 2\n",
    "a fault that the parser does not see": "x = 1\nreturn x\n",
    "a name that is not there": "lenght([1])\n",
    "the library's own frames": "import json\njson.loads('{')\n",
}


@pytest.mark.parametrize("code", _FAILING.values(), ids=_FAILING.keys())
def test_it_is_what_python_says_of_a_file(code: str, tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(code)
    plain = subprocess.run([sys.executable, "-I", "-S", "code.py"], cwd=tmp_path, capture_output=True, check=False)
    as_ours = plain.stderr.decode().replace(str(tmp_path / "code.py"), "<code>")
    ran = run(code, tmp_path)
    assert ran.status == 1
    assert _words(ran.stderr) == _words(as_ours)


def _words(told: str) -> list[str]:
    """Lines, but for one whose number depends on how deep the program stood."""
    return [line for line in told.splitlines() if "more times]" not in line]


def test_a_long_one_is_shown_from_both_ends(tmp_path: Path) -> None:
    code = "def f(n):\n    return g(n)\ndef g(n):\n    return f(n - 1) if n else 1 / 0\nf(20)\n"
    told = run(code, tmp_path).stderr.splitlines()
    assert told[0] == "Traceback (most recent call last):"
    assert told[1:3] == ['  File "<code>", line 5, in <module>', "    f(20)"]
    assert "  [23 frames are left out]" in told
    assert told[-1] == "ZeroDivisionError: division by zero"
    assert sum(line.startswith('  File "<code>"') for line in told) == 20


def test_of_an_exception_that_defies_every_telling_its_type_is_told(tmp_path: Path) -> None:
    code = """
class Hostile(Exception):
    @property
    def __notes__(self):
        raise SystemExit
raise Hostile
"""
    ran = run(code, tmp_path)
    assert ran == Ran(1, "", "Hostile (its traceback cannot be written: SystemExit)\n")


def test_a_failed_await_is_told_without_the_loops_frames(tmp_path: Path) -> None:
    ran = run("async def f():\n    raise KeyError('k')\nawait f()", tmp_path)
    assert ran.stderr == (
        "Traceback (most recent call last):\n"
        '  File "<code>", line 3, in <module>\n'
        "    await f()\n"
        '  File "<code>", line 2, in f\n'
        "    raise KeyError('k')\n"
        "KeyError: 'k'\n"
    )


@pytest.mark.parametrize("code", ["\0", b"'\\ud800'".decode("unicode_escape"), "(" * 300])
def test_code_that_is_none_is_told_in_words(code: str, tmp_path: Path) -> None:
    ran = run(code, tmp_path)
    assert ran.status == 1
    assert ran.stderr.splitlines()[-1].partition(":")[0] in {"SyntaxError", "ValueError", "UnicodeEncodeError"}
    assert "inside" not in ran.stderr


def test_warnings_show_the_line(tmp_path: Path) -> None:
    ran = run("import warnings\nwarnings.warn('old')", tmp_path)
    assert ran == Ran(0, "", "<code>:2: UserWarning: old\n  warnings.warn('old')\n")


@pytest.mark.parametrize(
    ("code", "last"),
    [
        ("import pandas", "library not installed: pandas (it comes with the extra code-interpreter)"),
        (
            "from sklearn.svm import SVC",
            "library not installed: sklearn (it comes with the extra code-interpreter)",
        ),
        ("np.array([1])", "library not installed: numpy (it comes with the extra code-interpreter)"),
        ("import requests", "library not installed: requests; there is no network to install it from"),
        (
            "try:\n    import requests\nexcept ImportError as e:\n    raise RuntimeError('no web') from e",
            "library not installed: requests; there is no network to install it from",
        ),
        ("import os.nothing", "ModuleNotFoundError: No module named 'os.nothing'; 'os' is not a package"),
        ("from os import nothing", None),
    ],
)
def test_of_a_missing_library_what_to_do_is_said(code: str, last: str | None, tmp_path: Path) -> None:
    ran = run(code, tmp_path)
    assert ran.status == 1
    told = ran.stderr.splitlines()[-1]
    if last is None:
        assert told.startswith("ImportError: cannot import name 'nothing' from 'os'")
    else:
        assert told == last
