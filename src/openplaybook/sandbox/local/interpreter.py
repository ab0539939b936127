"""The interpreter whose libraries code gets: whether it starts, and what of the modules imported ahead it has."""

import json
from collections.abc import Sequence

from openplaybook.sandbox.base import Layer, SandboxUnavailable
from openplaybook.sandbox.local.interpreters import NoAnswer, answer_of

_NAME = "interpreter"
_CHECK = """
import sys
if sys.version_info < (3, 11):
    sys.exit("it is Python %d.%d, and code needs 3.11 or newer" % sys.version_info[:2])
"""
_ASK = (
    "import json, platform, sys; from importlib.util import find_spec; "
    "print(json.dumps([platform.python_version(), [name for name in sys.argv[1:] if find_spec(name) is None]]))"
)


async def interpreter(python: str, preload: Sequence[str]) -> Layer:
    """As it is here; takes about 0.05 s. A module of `preload` that is not there is told, and is no fault."""
    # To find a submodule its package would be imported.
    packages = dict.fromkeys(name.partition(".")[0] for name in preload)
    try:
        version, missing = json.loads(await asked(python, _ASK, *filter(None, packages)))
    except SandboxUnavailable as error:
        return Layer(_NAME, False, str(error), remedy="name a Python that code is to use, 3.11 or newer")
    lacking = f", without {', '.join(missing)} of code_preload" if missing else ""
    return Layer(_NAME, True, f"Python {version}{lacking}")


async def asked(python: str, program: str, *arguments: str) -> bytes:
    """What a short program prints in this interpreter. `SandboxUnavailable` when it does not run."""
    try:
        return await answer_of((python, "-I", "-c", _CHECK + program, *arguments))
    except NoAnswer as error:
        raise SandboxUnavailable(f"code_python: {python} {error}") from error
