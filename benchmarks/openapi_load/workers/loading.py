"""What every worker does: loads the document whose file is its argument, and says what that took.

Prints `{"tools", "bytes", "cpu_s", "growth_mb"}`: how many tools there are, the bytes of their declarations, the CPU of
a load (user and system, child processes included; the mean of several after the first where one is short), and by how
much the first one raised the memory of this process at its peak. Imports nothing but the standard library, since it
runs in the environments of the peers too.
"""

import gc
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

_ENOUGH_S, _MOST_LOADS = 0.5, 100
"""CPU after which a load is not repeated any more; the clock of child processes ticks in hundredths of a second."""


def work(load: Callable[[str], Sequence[str]]) -> None:
    """Measure `load`, which turns a text into the declarations of its tools, each as JSON."""
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    gc.collect()
    before = _resident_mb()
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here (proc(5))
    first, tools, size = _timed(load, text)
    growth = _peak_mb() - before
    used: list[float] = []
    while first + sum(used) < _ENOUGH_S and len(used) < _MOST_LOADS:
        gc.collect()
        # No two texts are equal, so that nothing is remembered of an earlier one.
        used.append(_timed(load, text + "\n" * (len(used) + 1))[0])
    mean = sum(used) / len(used) if used else first
    print(json.dumps({"tools": tools, "bytes": size, "cpu_s": mean, "growth_mb": growth}))


def _timed(load: Callable[[str], Sequence[str]], text: str) -> tuple[float, int, int]:
    begun = _cpu_s()
    declarations = load(text)
    return _cpu_s() - begun, len(declarations), sum(map(len, declarations))


def _cpu_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _resident_mb() -> float:
    return _status("VmRSS:")


def _peak_mb() -> float:
    return _status("VmHWM:")


def _status(name: str) -> float:
    return int(Path("/proc/self/status").read_text().partition(name)[2].split()[0]) / 1024
