"""Short programs of ours, run in a process of their own and asked one question."""

import asyncio
from collections.abc import Sequence

_ANSWER_S = 10.0


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
        told, complaint = await asyncio.wait_for(child.communicate(), _ANSWER_S)
    except TimeoutError as error:
        raise NoAnswer(f"gave no answer within {_ANSWER_S:g} s") from error
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
        raise NoAnswer(f"ended with status {child.returncode}: {last}".rstrip(": "))
    return told
