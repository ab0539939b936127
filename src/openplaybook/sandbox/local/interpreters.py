"""Interpreters in processes of their own: short programs of ours that print one answer, and a look at the interpreter
whose libraries code gets."""

import asyncio
import json
from collections.abc import Sequence

from openplaybook.sandbox.base import Layer, SandboxUnavailable

_ANSWER_S = 10.0
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


class NoAnswer(Exception):
    """The child gave none; the message says why, as what follows its name in a sentence."""


async def answer_of(command: Sequence[str], *, environment: dict[str, str] | None = None) -> bytes:
    """What a child prints. Raises `NoAnswer` where it does not start, takes longer than ten seconds, or fails.

    `environment` None: that of this process.
    """
    try:
        child = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
        )
    except OSError as error:
        raise NoAnswer(f"does not start: {error.strerror}") from error
    try:
        output, complaint = await asyncio.wait_for(child.communicate(), _ANSWER_S)
    except TimeoutError as error:
        raise NoAnswer(f"gave no answer within {_ANSWER_S:g} s") from error
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
        raise NoAnswer(f"ended with status {child.returncode}: {last}".rstrip(": "))
    return output


async def interpreter(python: str, preload: Sequence[str]) -> Layer:
    """As it is here; takes about 0.05 s. A module of `preload` that is not there is told, and is no fault."""
    # To find a submodule its package would be imported.
    packages = dict.fromkeys(name.partition(".")[0] for name in preload)
    try:
        version, missing = json.loads(await program_output(python, _ASK, *filter(None, packages)))
    except SandboxUnavailable as error:
        return Layer(_NAME, False, str(error), remedy="name a Python that code is to use, 3.11 or newer")
    lacking = f", without {', '.join(missing)} of code_preload" if missing else ""
    return Layer(_NAME, True, f"Python {version}{lacking}")


async def program_output(python: str, program: str, *arguments: str) -> bytes:
    """What a short program prints in this interpreter. `SandboxUnavailable` when it does not run."""
    try:
        return await answer_of((python, "-I", "-c", _CHECK + program, *arguments))
    except NoAnswer as error:
        raise SandboxUnavailable(f"code_python: {python} {error}") from error
