"""A remote executor under test, whichever it is."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.sandbox.remote.remote_executor import RemoteExecutor
from tests.kit.faults import Faults
from tests.kit.lent_machines import LentMachine


@dataclass
class Remote:
    """An executor, and what its service knows."""

    executor: RemoteExecutor
    machines: dict[str, LentMachine]
    """Those that are lent now."""
    lent: Sequence[object]
    """One entry for each that ever was."""
    faults: Faults
    execute: str
    """Part of the target of the request that runs code."""
    upload: str
