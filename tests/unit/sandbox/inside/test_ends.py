"""How code ends, and what is there of it then."""

from pathlib import Path

import pytest

from tests.kit.plain_runtime import Ran
from tests.unit.sandbox.inside.forked_runtime import run


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("", 0, ""),
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit(-1)", 255, ""),
        ("import sys; sys.exit(256)", 0, ""),
        ("import sys; sys.exit('no rows')", 1, "no rows\n"),
        ("raise SystemExit(True)", 1, ""),
        ("exit(4)", 4, ""),
        ("import os; os._exit(5)", 5, ""),
        ("class Evil:\n  def __str__(self): raise SystemExit(self)\nraise SystemExit(Evil())", 1, None),
    ],
)
def test_an_exit_code_is_the_one_an_interpreter_gives(code: str, status: int, said: str | None, tmp_path: Path) -> None:
    ran = run(code, tmp_path)
    expected = "Evil (it cannot be written: SystemExit)\n" if said is None else said
    assert ran == Ran(status, "", expected)


def test_threads_are_waited_for_but_daemons_are_not(tmp_path: Path) -> None:
    code = """
import threading
go = threading.Event()
def late():
    go.wait()
    print("late")
threading.Thread(target=late).start()
threading.Thread(target=threading.Event().wait, daemon=True).start()
threading.Timer(0.01, go.set).start()
print("first")
"""
    assert run(code, tmp_path) == Ran(0, "first\nlate\n", "")


def test_an_executor_that_was_never_shut_down_does_not_hold_the_end_up(tmp_path: Path) -> None:
    code = """
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(2)
print(pool.submit(int, "7").result())
"""
    assert run(code, tmp_path) == Ran(0, "7\n", "")


def test_exit_functions_run_after_the_threads_and_before_the_streams_are_flushed(tmp_path: Path) -> None:
    code = """
import atexit, threading
atexit.register(print, "last")
threading.Timer(0.01, print, ["thread"]).start()
"""
    assert run(code, tmp_path) == Ran(0, "thread\nlast\n", "")


def test_files_that_code_left_open_are_written(tmp_path: Path) -> None:
    code = """
import zipfile
text = open("a.txt", "w")
text.write("kept")
class Holder: pass
circle = Holder()
circle.itself, circle.file = circle, open("b.txt", "w")
circle.file.write("in a circle")
archive = zipfile.ZipFile("c.zip", "w")
archive.writestr("d", "inside")
raise RuntimeError("in between")
"""
    assert run(code, tmp_path).status == 1
    assert (tmp_path / "a.txt").read_text() == "kept"
    assert (tmp_path / "b.txt").read_text() == "in a circle"
    check = run("import zipfile; zipfile.ZipFile('c.zip').read('d')", tmp_path)
    assert check == Ran(0, "b'inside'", "")


@pytest.mark.parametrize(
    "breaking",
    [
        "print = len = None",
        "import builtins; builtins.print = builtins.len = builtins.isinstance = builtins.str = None",
        "import builtins; builtins.__import__ = None",
        "import sys; sys.setrecursionlimit(60)",
        "import sys; sys.modules.clear()",
        "import sys; sys.modules['__main__'] = None",
        "globals().clear()",
        "import sys, io; sys.stdout = io.StringIO()",
        "import sys; sys.stdout = None",
        "import os; os.write = os._exit = None",
    ],
)
def test_whatever_code_breaks_what_it_printed_is_there(breaking: str, tmp_path: Path) -> None:
    ran = run(f"print('before')\n{breaking}", tmp_path)
    assert (ran.status, ran.stdout) == (0, "before\n")


@pytest.mark.parametrize(
    "breaking",
    ["import sys; sys.stdout.close()", "import sys; sys.stdout.detach()", "import sys; sys.stdout = sys.stderr"],
)
def test_what_was_printed_before_stdout_was_closed_is_there(breaking: str, tmp_path: Path) -> None:
    assert run(f"print('before')\n{breaking}", tmp_path) == Ran(0, "before\n", "")


def test_a_stream_that_code_put_in_place_of_stdout_is_written(tmp_path: Path) -> None:
    assert run("import sys; sys.stdout = open('log.txt', 'w'); print('kept')", tmp_path) == Ran(0, "", "")
    assert (tmp_path / "log.txt").read_text() == "kept\n"


def test_a_limit_of_time_that_is_announced_leaves_what_was_printed(tmp_path: Path) -> None:
    code = """
import os, signal
print("so far")
os.kill(os.getpid(), signal.SIGXCPU)
while True: pass
"""
    ran = run(code, tmp_path)
    assert ran == Ran(-24, "so far\n", "")


def test_a_forked_child_shows_nothing_of_its_parents_end(tmp_path: Path) -> None:
    code = """
import os
child = os.fork()
if child:
    os.waitpid(child, 0)
"the parent's" if child else "the child's"
"""
    assert run(code, tmp_path) == Ran(0, '"the parent\'s"', "")
