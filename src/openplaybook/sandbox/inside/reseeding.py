"""What a forked interpreter would repeat: random states that were drawn before the fork."""

import functools
import os
import random
import sys


def reseed() -> None:
    """Draw each anew, of those libraries that are in memory.

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


@functools.cache
def reseed_once() -> None:
    """As `reseed`, the first time: afterwards, what code has seeded itself stays as it is."""
    reseed()
