"""Judging in a process of its own what would keep others waiting, within a time and a size."""

from collections.abc import Awaitable, Sequence
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.judge import HEAD, travelling
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import WorkEnded, WorkError, WorkersBusy

_MIB = 1024 * 1024
_SECONDS = 2.0
_PATIENCE = 4.0
_MAX_BYTES = 16 * _MIB
"""Of a value as it travels."""

JUDGES = ChildProcesses("openplaybook.tools.schema.judge:judge", most=2, memory=512 * _MIB, max_answer=_MIB)
"""Processes that judge values by schemas."""

Packed: TypeAlias = tuple[bytes, bytes]
"""A schema as it travels: what stands before it, and itself."""


def packed(schema: JsonObject, *, has_formats: bool) -> Packed:
    """A schema as it travels. Raises `InvalidSchema`."""
    try:
        text = travelling(schema)
    except ValueError as error:
        raise InvalidSchema("is nested too deeply, or contains what is not JSON") from error
    return HEAD.pack(has_formats, len(text)), text


def problems(schema: Packed, value: JsonValue) -> Sequence[str]:
    """What is wrong with a value, or why it is not judged. Blocks. Raises `InvalidSchema`."""
    try:
        text = travelling(value)
    except ValueError:
        return ("the value is nested too deeply to check",)
    if len(text) > _MAX_BYTES:
        return (f"the value was not checked: it is larger than {_MAX_BYTES // _MIB} MiB",)
    try:
        return _answer((*schema, text))
    except WorkError as error:
        return (_not_judged(error),)


async def told(judged: Awaitable[Sequence[str]]) -> Sequence[str]:
    """What comes of judging beside the loop; where there is no place for it or no time, a sentence that says so."""
    try:
        return await judged
    except WorkError as error:
        return (_not_judged(error),)


def check(schema: Packed) -> None:
    """Compile a schema. Blocks. Raises `InvalidSchema`, also where that takes too long."""
    try:
        _answer(schema)
    except WorkersBusy as error:
        raise InvalidSchema(f"is not checked now: {error}") from error
    except WorkError as error:
        raise InvalidSchema(f"takes more than {_SECONDS:g} s, or too much memory, to be compiled") from error


def _answer(pieces: Sequence[bytes]) -> Sequence[str]:
    answer = as_object(loads(JUDGES.run(pieces, seconds=_SECONDS, patience=_PATIENCE)))
    if "invalid" in answer:
        raise InvalidSchema(str(answer["invalid"]))
    return tuple(map(str, as_list(answer.get("problems"))))


def _not_judged(error: WorkError) -> str:
    if isinstance(error, WorkersBusy):
        return "the value was not checked: too many checks are waiting; try again"
    if isinstance(error, WorkEnded):
        return "the value was not checked: its schema takes too much time or memory"
    return f"the value was not checked: its schema takes more than {_SECONDS:g} s"
