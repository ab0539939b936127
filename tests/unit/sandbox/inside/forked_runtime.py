"""Runs code as `tests.kit.plain_runtime` does, but in forks of one interpreter that has imported what takes long."""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import openplaybook.sandbox
from tests.kit.plain_runtime import Ran

_ABOVE_INSIDE = Path(openplaybook.sandbox.__file__).parent

_BENEATH = ("numpy", "pandas", "matplotlib.figure", "matplotlib.backends.backend_agg")
"""What the libraries that the runtime watches for need. Those themselves are imported by each fork, as code does."""

_TEMPLATE = """
import gc, importlib, json, os, signal, sys
leave, write = os._exit, os.write
asking, answering = int(sys.argv[1]), int(sys.argv[2])
sys.path.insert(0, sys.argv[3])
from inside import library_warmup, runtime, tool_calls
class Echo:
    def ask(self, name, arguments):
        if name == "fails":
            raise tool_calls.CallFailed("no such pet")
        return {"name": name, "arguments": arguments}
for name in sys.argv[4:]:
    importlib.import_module(name)
gc.collect()
gc.freeze()
while True:
    asked = b""
    while not asked.endswith(b"\\n"):
        asked += os.read(asking, 1 << 20) or leave(0)
    child = os.fork()
    if not child:
        break
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(60)
    status = os.waitpid(child, 0)[1]
    signal.alarm(0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    write(answering, b"%d\\n" % os.waitstatus_to_exitcode(status))
os.close(asking)
os.close(answering)
told = json.loads(asked)
os.chdir(told["folder"])
for stream, path in ((1, told["stdout"]), (2, told["stderr"])):
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    os.dup2(file, stream)
    os.close(file)
if told["preload"] is not None:
    library_warmup.warm(told["preload"])
namespace = runtime.new_namespace() if told["kept"] else None
tools = Echo() if told["tools"] else None
for code in told["codes"]:
    status = runtime.run(
        code, namespace=namespace, tools=tools, tool_names=told["tools"], context=told["context"]
    )
    if told["kept"]:
        write(1, b"|")
leave(status)
"""


class _Template:
    """An interpreter that never runs code itself; each of its forks does so once."""

    def __init__(self, flags: Iterable[str], libraries: Iterable[str]) -> None:
        self._folder = TemporaryDirectory()
        asked, self._asking = os.pipe()
        self._answers, answering = os.pipe()
        program = ["-c", _TEMPLATE, str(asked), str(answering), str(_ABOVE_INSIDE), *libraries]
        self._process = subprocess.Popen(
            [sys.executable, "-I", *flags, *program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(asked, answering),
            # A process with threads cannot be forked.
            env={"LC_ALL": "C.UTF-8", "MPLCONFIGDIR": self._folder.name, "OPENBLAS_NUM_THREADS": "1"},
        )
        os.close(asked)
        os.close(answering)
        atexit.register(self._end)

    def run(self, told: dict[str, object]) -> Ran:
        stdout, stderr = (Path(self._folder.name, name) for name in ("stdout", "stderr"))
        os.write(self._asking, json.dumps({**told, "stdout": str(stdout), "stderr": str(stderr)}).encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            piece = os.read(self._answers, 100)
            assert piece, "the template ended"
            answer += piece
        return Ran(int(answer), stdout.read_bytes().decode(), stderr.read_bytes().decode())

    def _end(self) -> None:
        os.close(self._asking)
        self._process.wait(10)
        os.close(self._answers)
        self._folder.cleanup()


@cache
def _bare() -> _Template:
    return _Template(["-S"], [])


@cache
def _with_libraries() -> _Template:
    return _Template([], _BENEATH)


def run(
    code: str, folder: Path, *later: str, kept: bool = False, tools: Sequence[str] = (), context: object = None
) -> Ran:
    """Run code with no library but the standard one; the arguments mean what they mean to `plain_runtime.run`."""
    told = {"codes": [code, *later], "kept": kept, "tools": [*tools], "context": context, "preload": None}
    return _bare().run({**told, "folder": str(folder)})


def run_with_libraries(
    code: str, folder: Path, *later: str, kept: bool = False, preload: Sequence[str] | None = None
) -> Ran:
    """Run code where numpy and pandas, and most of matplotlib, were imported already."""
    told = {"codes": [code, *later], "kept": kept, "tools": [], "context": None, "preload": preload}
    return _with_libraries().run({**told, "folder": str(folder)})
