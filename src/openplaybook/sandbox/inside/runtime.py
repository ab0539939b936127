"""Runs code, and says of it what an interpreter would: this is all that code meets of us.

Needs no sandbox and trusts none: whatever code does to the interpreter harms the report of that code alone.
"""

import atexit
import builtins
import contextlib
import functools
import gc
import io
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from types import FrameType, ModuleType
from typing import cast

from . import compiled_code, figures, libraries, tool_calls, tracebacks
from .standard_streams import StandardStreams, tell
from .tool_calls import ToolChannel

_ABOVE_US = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_RECURSION_LIMIT = sys.getrecursionlimit()
_workspace = functools.cache(os.getcwd)
"""Where the first code began: later code may begin elsewhere, or in a folder that is gone."""
# Neither has a public name. The first also wakes the idle threads of executors, which joining alone waits for forever.
_join_threads: Callable[[], None] = vars(threading)["_shutdown"]
_run_exit_functions: Callable[[], None] = vars(atexit)["_run_exitfuncs"]
_HOLD_BACK = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)

_REHEARSED = """
import math
numbers = [number * 2 for number in (1, 2)]
def text(number):
    return f"{number:.2f}"
print(*map(text, numbers), sep="", end="", file=__import__("io").StringIO())
print(end="")
"""


def get_ready() -> None:
    """Do in a forked interpreter, before there is code, what it would have to do first: draw random states anew, and
    touch the memory that any program touches, which is copied from what was shared by that."""
    _reseed_once()
    run(_REHEARSED, namespace=new_namespace())
    compiled_code.forget()


_REHEARSED_TABLES = """
frame = pd.DataFrame({"number": [1, 2], "text": ["a", "b"]})
frame.groupby("text").number.sum()
shown = repr(frame)
"""


def rehearse_tables() -> None:
    """As `get_ready`, for programs of tables where their library is warm: for a guest that waits with nothing to do."""
    if "pandas" in sys.modules:
        run(_REHEARSED_TABLES, namespace=new_namespace())
        compiled_code.forget()


def new_namespace() -> dict[str, object]:
    """The names of a new `__main__`, those of `libraries.BOUND` among them."""
    main = ModuleType("__main__")
    sys.modules["__main__"] = main
    namespace = vars(main)
    namespace["__builtins__"] = builtins
    libraries.bind(namespace)
    return namespace


def run(
    code: str,
    *,
    namespace: dict[str, object] | None = None,
    tools: ToolChannel | None = None,
    tool_names: Sequence[str] = (),
    context: object = None,
) -> int:
    """Run code in the current folder, over the file descriptors 0, 1 and 2, and give its exit code, 0 to 255.

    Uncaught exceptions go to stderr; the value of a last expression goes to stdout where nothing was printed; figures
    that are open become files. Without a namespace, the program is taken to its end: threads, exit functions and open
    files as an interpreter does it. With one (of `new_namespace`), what it has made stays for the next code.

    `tool_names` are callable as `tools.NAME`, by way of `tools`; `context`, where it holds anything, is `context`.
    """
    names = new_namespace() if namespace is None else namespace
    tool_calls.bind(names, tools, tool_names, context)
    built_in = dict(builtins.__dict__)
    process = os.getpid()
    streams = StandardStreams()
    _set_up(streams)
    value_text = ""

    def body() -> None:
        nonlocal value_text
        value = compiled_code.compiled(code).run(names)
        streams.flush()
        if streams.is_silent:
            value_text = compiled_code.value_text(value)

    def end() -> None:
        if namespace is None:
            _end(names)
        else:
            _flush_files()

    status = _status(body)
    _restore(built_in)
    # A child that code has forked comes by here too; what is shown is its parent's to show.
    is_parent = os.getpid() == process
    parts = (figures.PICTURES.write_figures, end, streams.flush) if is_parent else (end, streams.flush)
    for part in parts:
        # A failure at the end does not hide the first one.
        status = _status(part) or status
    if is_parent and streams.is_silent:
        tell(1, value_text)
    return status


def reseed() -> None:
    """Draw anew, of those libraries that are in memory, the random states that a forked interpreter would repeat.

    What asks the system each time (`secrets`, `uuid4`, `numpy.random.default_rng`) needs nothing. The seed of `hash` is
    the interpreter's for as long as it lives.
    """
    random.seed()
    modules = sys.modules
    if (numpy := modules.get("numpy.random")) is not None:
        numpy.seed()
    if (sympy := modules.get("sympy.core.random")) is not None:
        sympy.seed(None)
    if (tempfile := modules.get("tempfile")) is not None:
        vars(tempfile)["_name_sequence"] = None
    if (uuid := modules.get("uuid")) is not None:
        vars(uuid).update(_node=None, _last_timestamp=None)
    if (processes := modules.get("multiprocessing.process")) is not None:
        processes.current_process().authkey = os.urandom(32)


_reseed_once = functools.cache(reseed)
"""The first time only: afterwards, what code has seeded itself stays as it is."""


def _set_up(streams: StandardStreams) -> None:
    """Make the interpreter what code expects, and not what warmed it or earlier code has left."""
    sys.argv = [compiled_code.FILE]
    folder = _workspace()
    sys.path[:] = [folder, *(path for path in sys.path if path not in ("", folder, _ABOVE_US))]
    builtins.__dict__.setdefault("exit", sys.exit)
    builtins.__dict__.setdefault("quit", sys.exit)
    figures.watch()
    figures.PICTURES.write_into(folder)
    _reseed_once()
    gc.enable()

    def flush_and_die(number: int, _: FrameType | None) -> None:
        try:
            streams.flush()
        finally:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    # A limit of time is announced by it, so that what was printed so far is not lost.
    if (announced := getattr(signal, "SIGXCPU", None)) is not None:
        signal.signal(announced, flush_and_die)


def _restore(built_in: Mapping[str, object]) -> None:
    """Take back what code may have done to what everything stands on."""
    builtins.__dict__.update(built_in)
    sys.settrace(None)
    sys.setprofile(None)
    sys.setrecursionlimit(_RECURSION_LIMIT)


def _status(part: Callable[[], None]) -> int:
    """Do a part of the program: the exit code that an interpreter would end with after it."""
    try:
        part()
    except SystemExit as left:
        return _exit_code(left.code)
    except BaseException as error:  # noqa: BLE001 (code may raise anything; all of it is told)
        tell(2, tracebacks.described(error))
        return 1
    return 0


def _exit_code(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    tell(2, f"{tracebacks.worded(code)}\n")
    return 1


def _end(namespace: dict[str, object]) -> None:
    """End as an interpreter does, though this one leaves by `os._exit` and would do none of it.

    Wait for threads that are no daemons, run what was registered for the end, let go of everything that code held:
    archives that it left open get their index by that.
    """
    _join_threads()
    _run_exit_functions()
    # A file that is part of a circle would lose what it holds back: its layers are let go in any order.
    _flush_files()
    namespace.clear()
    gc.collect()


def _flush_files() -> None:
    """Write what open files hold back."""
    for each in gc.get_objects():
        # By its type: what an object of code's making says of its class runs code.
        if issubclass(type(each), _HOLD_BACK):
            # Closed or detached, it holds nothing back.
            with contextlib.suppress(ValueError):
                cast("io.TextIOWrapper", each).flush()
