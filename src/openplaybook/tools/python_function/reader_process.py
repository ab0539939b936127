"""Reading long code in a process of its own, within a time: signatures, and the names of functions.

Python's parser takes the square of an f-string's length, and lets nothing else run meanwhile.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.python_function.signature import (
    Signature,
    functions,
    parse,
    read_signature,
    refuse_long,
)
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import WorkEnded, WorkTimedOut

_MIB = 1024 * 1024
AT_ONCE = 4_000
"""Characters of code that are read where they are met: some milliseconds."""
_SECONDS = 3.0
_PATIENCE = 10.0
_KEPT = 64
"""Signatures of long code that are remembered: it is read when it is saved, and again for the agents that have it."""

READERS = ChildProcesses(f"{__name__}:read", most=2, memory=512 * _MIB, max_answer=16 * _MIB)
"""Processes that read code."""


def signature_of(code: str, name: str, path: str) -> Signature:
    """As `read_signature`; blocks where the code is long. Raises `InvalidTool`, also for what takes too long, and
    `WorkersBusy` or `WorkTimedOut` where there was no place for it."""
    if len(code) <= AT_ONCE:
        return read_signature(code, name, path)
    refuse_long(code, f"{path}.pythonCode")
    return _signature_apart(code, name, path)


def names_of(code: str, path: str) -> Sequence[str]:
    """The names of the functions that code at the JSON path `path` defines; blocks and raises as `signature_of`."""
    if len(code) <= AT_ONCE:
        return tuple(functions(parse(code, path)))
    refuse_long(code, path)
    return _names_apart(code, path)


@lru_cache(maxsize=_KEPT)
def _signature_apart(code: str, name: str, path: str) -> Signature:
    return Signature(**_answer([code, name, path], f"{path}.pythonCode"))


@lru_cache(maxsize=_KEPT)
def _names_apart(code: str, path: str) -> Sequence[str]:
    return tuple(as_list(_answer([code, path], path)["names"]))


def _answer(job: list[JsonValue], path: str) -> JsonObject:
    try:
        answer = as_object(json.loads(READERS.run(json.dumps(job).encode(), seconds=_SECONDS, patience=_PATIENCE)))
    except WorkTimedOut as error:
        if not error.was_begun:
            raise
        raise _unread(path) from error
    except WorkEnded as error:
        raise _unread(path) from error
    if "problems" in answer:
        raise InvalidTool([Problem(**as_object(each)) for each in as_list(answer["problems"])])
    return answer


def _unread(path: str) -> InvalidTool:
    message = f"is not read: that takes more than {_SECONDS:g} s, or too much memory; make it shorter or simpler"
    return InvalidTool([Problem(path, message)])


def read(job: bytearray) -> bytes:
    """What a process does: give the signature of a function, or the names of all."""
    try:
        return json.dumps(_read(*as_list(json.loads(job)))).encode()
    except InvalidTool as error:
        return json.dumps({"problems": [asdict(problem) for problem in error.problems]}).encode()


def _read(code: str, *named: str) -> JsonObject:
    if len(named) == 1:
        return {"names": [*functions(parse(code, named[0]))]}
    return asdict(read_signature(code, *named))
