"""Makes an interpreter warm before it forks: what most code needs stands in memory, once, and is shared."""

import contextlib
import functools
import gc
import importlib
import io
import os
import sys
import warnings
from collections.abc import Mapping, Sequence

from . import figures


def warm(preload: Sequence[str]) -> Sequence[str]:
    """Import libraries and use them once, so that their own late imports and caches are there too.

    Leaves no thread, no file and no open descriptor. A library that is not installed is skipped. Gives those that are
    there. Libraries of numbers are told to use one thread, since a process with threads cannot be forked.
    """
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    # pandas imports pyarrow where it is installed, whose allocator starts a thread for itself.
    os.environ.setdefault("JE_ARROW_MALLOC_CONF", "background_thread:false")
    os.environ.setdefault("MPLBACKEND", "agg")
    figures.watch()
    there = [name for name in ("asyncio", *preload) if _imported(name)]
    with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings(record=True):
        for name, use in _USES.items():
            if name in sys.modules:
                exec(compile(use, "<use>", "exec"), {})
    _let_go_of_fonts()
    gc.collect()
    return there


def _let_go_of_fonts() -> None:
    """Empty the caches that hold fonts: a font keeps its file open, and a guest closes what it did not open."""
    for each in gc.get_objects():
        if type(each) is _CACHE and getattr(each, "__name__", "") in ("_get_font", "_parse_cached"):
            each.cache_clear()


def _imported(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


_CACHE: type = type(functools.lru_cache(int))

_USES: Mapping[str, str] = {
    "numpy": """
import numpy as np
np.linalg.inv(np.eye(2))
repr(np.random.default_rng(1).normal(size=3))
""",
    "pandas": """
import io
import pandas as pd
frame = pd.read_csv(io.StringIO("day,kind,units\\n2024-01-03,a,1\\n2024-02-03,b,2\\n"), parse_dates=["day"])
frame.groupby("kind").units.sum()
frame.groupby(frame.day.dt.month).agg({"units": ["mean", "max"]})
frame.merge(frame, on="kind").sort_values("day_x").pivot_table(index="kind", values="units_x")
frame.describe().to_string()
frame.to_csv(io.StringIO())
repr(frame)
""",
    "matplotlib.pyplot": """
import io
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.plot([1, 10, 100], [1, 2, 3], marker="o", label="a")
axes.bar([1, 2], [1, 2])
axes.set_xscale("log")
axes.set(title="$x^2$", xlabel="x", ylabel="y")
axes.legend()
axes.grid()
figure.tight_layout()
figure.savefig(io.BytesIO(), bbox_inches="tight")
plt.close("all")
""",
}
"""Short programs as callers write them, by the library they use."""
