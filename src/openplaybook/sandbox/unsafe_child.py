"""The child process of `unsafe`: sets its own limits and runs code. Uses the standard library and `inside` only, so
that any interpreter can run it."""

import json
import os
import resource
from importlib import import_module

_SPARE_ADDRESSES = 1024 * 1024 * 1024
"""What an interpreter and its libraries map without using it."""


def main(code: str, limits: str) -> None:
    """Run what the file `code` holds; never returns."""
    leave = os._exit
    with open(code, "rb") as file:
        program = json.load(file)
    _limit(json.loads(limits))
    # The package of this name lies beside us, whether or not the rest of ours is installed here.
    runtime = import_module("inside.runtime")
    leave(runtime.run(program["code"], context=program["context"]))


def _limit(limits: dict[str, float]) -> None:
    wanted = {
        resource.RLIMIT_AS: int(limits["memory_bytes"]) + _SPARE_ADDRESSES,
        resource.RLIMIT_CPU: max(1, round(limits["cpu_s"])),
        resource.RLIMIT_FSIZE: int(limits["disk_bytes"]),
        resource.RLIMIT_NOFILE: int(limits["open_files"]),
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (soft, hard))
