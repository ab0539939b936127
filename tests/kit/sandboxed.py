"""Tests that need a sandbox are left out, and say why, on machines that have none."""

import asyncio
from functools import cache

import pytest

from openplaybook.sandbox.base import ExecutorReport
from openplaybook.sandbox.local.probe import probe


def need_sandbox() -> None:
    """Leave the test out where this machine has no sandbox."""
    missing = _missing()
    if missing:
        pytest.skip(f"there is no sandbox on this machine: {missing}")


@cache
def _missing() -> str:
    return ExecutorReport("forkserver", asyncio.run(probe())).reason
