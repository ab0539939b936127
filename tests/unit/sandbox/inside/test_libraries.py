"""Figures, images, random numbers: what the runtime does about libraries, and how it makes them warm."""

from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.kit.plain_runtime import Ran, run
from tests.unit.sandbox.inside.forked_runtime import run_with_libraries

# Only looked for: what imports all of them is slower for it, and this process has no use for them.
_MISSING = [name for name in ("numpy", "pandas", "matplotlib", "PIL", "sympy") if find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(_MISSING), reason=f"not installed: {_MISSING}")

_PNG = b"\x89PNG\r\n\x1a\n"


def _files(folder: Path) -> dict[str, bool]:
    """Names in a folder, and whether each is a PNG."""
    return {path.name: path.read_bytes().startswith(_PNG) for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def workspaces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the workspaces stand, and beside them what the libraries cache: a list of fonts takes long to make."""
    return tmp_path_factory.mktemp("workspaces")


@pytest.fixture
def workspace(workspaces: Path) -> Path:
    """A folder of its own."""
    return Path(mkdtemp(dir=workspaces))


def test_figures_become_files_when_they_are_shown_and_at_the_end(workspace: Path) -> None:
    code = """
import os
plt.plot([1, 2])
plt.show()
print(sorted(os.listdir()), plt.get_fignums())
plt.plot([2, 1])
plt.show(block=False)
plt.figure()
plt.bar([1], [1])
os.chdir("/")
"""
    assert run(code, workspace, bare=False) == Ran(0, "['figure_1.png'] []\n", "")
    assert _files(workspace) == {"figure_1.png": True, "figure_2.png": True, "figure_3.png": True}


@pytest.mark.proof
def test_a_figure_that_was_saved_or_is_empty_or_closed_is_not_written(workspace: Path) -> None:
    code = """
import io
from matplotlib.pyplot import show
plt.plot([1])
plt.savefig("own.png")
plt.figure().add_subplot().plot([1])
plt.gcf().canvas.print_png(io.BytesIO())
plt.savefig(io.BytesIO())
plt.figure()
plt.close(plt.subplots()[0])
show()
"""
    assert run_with_libraries(code, workspace, preload=["matplotlib.pyplot"]) == Ran(0, "", "")
    assert _files(workspace) == {"own.png": True}


def test_a_figure_takes_no_name_that_is_taken(workspace: Path) -> None:
    (workspace / "figure_1.png").write_bytes(b"theirs")
    assert run_with_libraries("plt.plot([1])", workspace) == Ran(0, "", "")
    assert _files(workspace) == {"figure_1.png": False, "figure_2.png": True}


def test_figures_are_there_though_the_code_failed(workspace: Path) -> None:
    ran = run_with_libraries("plt.plot([1])\n1 / 0", workspace)
    assert (ran.status, ran.stderr.splitlines()[-1]) == (1, "ZeroDivisionError: division by zero")
    assert _files(workspace) == {"figure_1.png": True}


def test_a_figure_that_cannot_be_drawn_is_a_failure_of_the_code(workspace: Path) -> None:
    ran = run_with_libraries("plt.plot([1])\nplt.title('$x_{$')", workspace)
    assert ran.status == 1
    assert "Expected end_group" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "code",
    [
        "plt.plot([1, 2])",
        "plt.title('t')",
        "plt.subplots(2, 2)",
        "plt.hist([1, 2, 2])",
        "plt.boxplot([1, 2])",
        "import pandas as pd\npd.DataFrame({'a': [1, 2]}).plot()",
        "import pandas as pd\npd.DataFrame({'a': [1, 2]}).hist()",
    ],
)
def test_what_drawing_gives_back_is_not_shown(code: str, workspace: Path) -> None:
    assert run_with_libraries(code, workspace) == Ran(0, "", "")


def test_the_value_of_other_libraries_is_shown(workspace: Path) -> None:
    code = "pd.DataFrame({'a': [1, 2]}).a.sum(), np.array([None, 'x'])"
    assert run_with_libraries(code, workspace) == Ran(0, "(np.int64(3), array([None, 'x'], dtype=object))", "")


def test_later_code_draws_on_a_figure_of_its_own_and_into_the_same_folder(workspace: Path) -> None:
    first = "import os\nplt.plot([1, 2])\nos.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')"
    ran = run_with_libraries(first, workspace, "plt.plot([2, 1])\nlen(plt.gca().lines)", kept=True)
    assert ran == Ran(0, "|1|", "")
    assert _files(workspace) == {"figure_1.png": True, "figure_2.png": True}


def test_images_that_are_shown_become_files(workspace: Path) -> None:
    code = """
from PIL import Image
for mode in ("RGB", "CMYK", "F"):
    Image.new(mode, (2, 2)).show()
Image.new("1", (2, 2)).show(title="t")
"""
    assert run_with_libraries(code, workspace) == Ran(0, "", "")
    assert _files(workspace) == {f"image_{number}.png": True for number in range(1, 5)}


_RANDOM = """
import os, random, sys, tempfile, multiprocessing
from sympy.core.random import rng
drawn = (random.random(), np.random.rand(), rng.random(), next(tempfile._get_candidate_names()),
         multiprocessing.current_process().authkey.hex())
print(*drawn)
"""


def test_what_is_random_differs_from_fork_to_fork(workspace: Path) -> None:
    code = f"""
import os, random, tempfile, multiprocessing.process, sympy, numpy
from inside import runtime
next(tempfile._get_candidate_names())
for _ in range(2):
    child = os.fork()
    if not child:
        runtime.reseed()
        exec({_RANDOM!r})
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
"""
    ran = run(code, workspace, bare=False, preload=["numpy"])
    one, other = (line.split() for line in ran.stdout.splitlines())
    assert [mine for mine, theirs in zip(one, other, strict=True) if mine == theirs] == []


def test_a_warm_interpreter_has_what_is_there_and_leaves_nothing_behind(workspace: Path) -> None:
    code = """
import gc, os, sys
links = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if fd not in "012"
         and os.path.exists(f"/proc/self/fd/{fd}")]
print(links)
print(len(os.listdir("/proc/self/task")), os.listdir(), plt.get_fignums())
print({"numpy", "pandas", "matplotlib.pyplot", "asyncio"} <= set(sys.modules))
"""
    preload = ["numpy", "no_such_library", "pandas", "matplotlib.pyplot"]
    assert run(code, workspace, bare=False, preload=preload) == Ran(0, "[]\n1 [] []\nTrue\n", "")


def test_getting_ready_says_nothing_and_leaves_nothing_to_code(workspace: Path) -> None:
    code = """
import linecache, os, sys
from inside import runtime
before = set(os.listdir("/proc/self/fd"))
runtime.get_ready()
runtime.rehearse_tables()
linecache.cache["<code>"] = (0, None, [], "")
assert "frame" not in globals() and "numbers" not in globals()
print(sorted(set(os.listdir("/proc/self/fd")) - before), os.listdir())
"""
    assert run(code, workspace, bare=False, preload=["pandas"]) == Ran(0, "[] []\n", "")
