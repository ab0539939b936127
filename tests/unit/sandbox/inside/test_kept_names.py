"""Code that goes on with what earlier code has made."""

from pathlib import Path

from tests.kit.plain_runtime import Ran
from tests.unit.sandbox.inside.forked_runtime import run


def test_names_and_open_files_and_modules_stay(tmp_path: Path) -> None:
    first = "import json\nx = 1\ndef double(y):\n    return 2 * y\nlog = open('log.txt', 'w')\nlog.write('one,')"
    second = "log.write('two')\njson.dumps(double(x + 3))"
    assert run(first, tmp_path, second, kept=True) == Ran(0, "4|'8'|", "")
    assert (tmp_path / "log.txt").read_text() == "one,two"


def test_a_file_that_is_left_open_is_whole_after_each_code(tmp_path: Path) -> None:
    second = "open('log.txt').read()"
    assert run("log = open('log.txt', 'w')\nlog.write('one');", tmp_path, second, kept=True) == Ran(0, "|'one'|", "")


def test_an_exit_ends_the_code_and_not_the_names(tmp_path: Path) -> None:
    assert run("x = 5\nimport sys\nsys.exit(3)", tmp_path, "x", kept=True) == Ran(0, "|5|", "")


def test_a_traceback_shows_the_lines_of_the_code_that_made_the_function(tmp_path: Path) -> None:
    ran = run("def f():\n    return 1 / 0", tmp_path, "# other\n# lines\nf()", kept=True)
    assert ran.stderr == (
        "Traceback (most recent call last):\n"
        '  File "<code 2>", line 3, in <module>\n'
        "    f()\n"
        '  File "<code>", line 2, in f\n'
        "    return 1 / 0\n"
        "           ~~^~~\n"
        "ZeroDivisionError: division by zero\n"
    )


def test_whatever_earlier_code_did_to_the_interpreter_later_code_runs(tmp_path: Path) -> None:
    first = "import builtins, sys\nsys.stdout.close()\nbuiltins.print = None\nsys.setrecursionlimit(80)"
    second = "def f(n):\n    return n and f(n - 1)\nprint(f(200))"
    assert run(first, tmp_path, second, kept=True) == Ran(0, "|0\n|", "")


def test_executors_go_on(tmp_path: Path) -> None:
    first = (
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(1)\npool.submit(int, 3).result()"
    )
    assert run(first, tmp_path, "pool.submit(int, '4').result()", kept=True) == Ran(0, "3|4|", "")


def test_tools_are_those_of_the_newest_request(tmp_path: Path) -> None:
    ran = run("tools.find()['name']", tmp_path, "keep = tools", "dir(keep)", kept=True, tools=["find"])
    assert ran == Ran(0, "'find'||['find']|", "")


def test_what_code_has_seeded_goes_on(tmp_path: Path) -> None:
    first = "import random\nrandom.seed(1)\none = random.Random(1)\n[one.random() for _ in '12'][0] == random.random()"
    assert run(first, tmp_path, "random.random() == 0.8474337369372327", kept=True) == Ran(0, "True|True|", "")
