"""How a program ends: as an interpreter does, though this one leaves by `os._exit` and would do none of it."""

import atexit
import contextlib
import gc
import io
import threading
from collections.abc import Callable
from typing import cast

# Neither has a public name. The first also wakes the idle threads of executors, which joining alone waits for forever.
_join_threads: Callable[[], None] = vars(threading)["_shutdown"]
_run_exit_functions: Callable[[], None] = vars(atexit)["_run_exitfuncs"]
_HOLD_BACK = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)


def end(namespace: dict[str, object]) -> None:
    """Wait for threads that are no daemons, run what was registered for the end, let go of everything that code held:
    archives that it left open get their index by that."""
    _join_threads()
    _run_exit_functions()
    # A file that is part of a circle would lose what it holds back: its layers are let go in any order.
    flush_files()
    namespace.clear()
    gc.collect()


def flush_files() -> None:
    """Write what open files hold back."""
    for held in gc.get_objects():
        # By its type: what an object of code's making says of its class runs code.
        if issubclass(type(held), _HOLD_BACK):
            # Closed or detached, it holds nothing back.
            with contextlib.suppress(ValueError):
                cast("io.TextIOWrapper", held).flush()
