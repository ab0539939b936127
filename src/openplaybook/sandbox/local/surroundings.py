"""What of this machine a sandbox shows: an interpreter, its environment, the system's libraries."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from openplaybook.sandbox.inside.root import PROGRAMS
from openplaybook.sandbox.local.interpreter import asked

INSIDE = Path(__file__).parent.parent / "inside"
"""The code that runs beyond the wall."""
_SYSTEM = ("/lib", "/lib64", "/lib32", "/bin", "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/mime.types")
_SYSTEM_PREFIXES = ("/usr", "/usr/local")
_PARTS = ("bin", "lib", "lib64", "lib32", "share", "pyvenv.cfg")
"""Of a prefix; what else lies there, such as a project around its virtual environment, is nobody's business."""
_ENVIRONMENT = f"{PROGRAMS}/environment"
_ASK = "import json, sys; print(json.dumps([sys.prefix, sys.base_prefix, sys.executable]))"


@dataclass(frozen=True, slots=True)
class SandboxSurroundings:
    """As the launcher wants it."""

    python: str
    """The interpreter, as the sandbox shows it."""
    shown: list[list[str]]
    """Sources and targets."""

    @property
    def readable(self) -> list[str]:
        """What a guest may read."""
        return [target for _, target in self.shown]


async def surroundings(python: str) -> SandboxSurroundings:
    """Of an interpreter. `SandboxUnavailable` when it does not run."""
    own = python == sys.executable
    return _of(*((sys.prefix, sys.base_prefix, sys.executable) if own else json.loads(await asked(python, _ASK))))


def _of(prefix: str, base: str, executable: str) -> SandboxSurroundings:
    shown = [[path, path] for path in _SYSTEM if os.path.lexists(path)]
    # The base by its name in pyvenv.cfg, and by that which links to programs may have.
    own = dict.fromkeys([*_SYSTEM_PREFIXES, base, os.path.realpath(base)])
    prefixes = {path: path for path in own}
    if prefix not in prefixes:
        # A virtual environment may lie anywhere; it is shown at a place of its own.
        prefixes[prefix] = _ENVIRONMENT
        executable = f"{_ENVIRONMENT}/{os.path.relpath(executable, prefix)}"
    for source, target in prefixes.items():
        shown += [[f"{source}/{part}", f"{target}/{part}"] for part in _PARTS if os.path.lexists(f"{source}/{part}")]
    return SandboxSurroundings(executable, [*shown, [str(INSIDE), f"{PROGRAMS}/inside"]])
