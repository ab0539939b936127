"""Tests that need a sandbox are left out, and say why, on machines that have none; and what sandboxes start with."""

import asyncio
from functools import cache

import pytest

from openplaybook.sandbox.base import ExecutorReport
from openplaybook.sandbox.local.local_settings import PRELOAD
from openplaybook.sandbox.local.probe import probe
from tests.kit.thoroughness import IS_WHOLE

ALL_LIBRARIES = ",".join(PRELOAD)
"""What `code_preload` is by default: for tests whose code works with these libraries."""
FEW_LIBRARIES = ALL_LIBRARIES if IS_WHOLE else "json"
"""What it is for other tests: importing those libraries, for each agent, is nearly all that the start of one costs."""


def need_sandbox() -> None:
    """Leave the test out where this machine has no sandbox."""
    missing = _missing()
    if missing:
        pytest.skip(f"there is no sandbox on this machine: {missing}")


@cache
def _missing() -> str:
    return ExecutorReport("forkserver", asyncio.run(probe())).reason
