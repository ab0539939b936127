"""Judging in a process of its own, within a time and a size, what keeps others waiting; and what that process does."""

import marshal
import time
from collections.abc import Awaitable, Sequence
from functools import lru_cache
from struct import Struct
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, is_deep, loads
from openplaybook.tools.schema.checked_formats import FORMATS
from openplaybook.tools.schema.compilation import Compiled, compile_schema
from openplaybook.tools.schema.effort import MAX_DEPTH, TOLD_AT_ONCE, checks, measure
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.expansion import cost_of
from openplaybook.tools.schema.faults import FaultSearch, at_once
from openplaybook.tools.schema.patterns import backtracking_patterns, gives_up
from openplaybook.tools.schema.sentences import GIVEN_UP, sentences
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import WorkEnded, WorkError, WorkersBusy

_MIB = 1024 * 1024
_SECONDS = 2.0
_PATIENCE = 4.0
_MAX_BYTES = 16 * _MIB
"""Of a value as it travels."""

JUDGES = ChildProcesses("openplaybook.tools.schema.judge_process:judge", most=2, memory=512 * _MIB, max_answer=_MIB)
"""Processes that judge values by schemas."""

Packed: TypeAlias = tuple[bytes, bytes]
"""A schema as it travels: what stands before it, and itself."""
HEAD = Struct("!?Q")
"""Before a job: whether formats are checked, and the bytes of the schema. The value follows, or nothing."""

_KEPT = 16
_SEARCH_S = 1.0
"""For finding out what is wrong with a large value, when it is known not to fit."""
_DEEP = f"the value is nested more than {MAX_DEPTH} levels"


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


async def reported(judged: Awaitable[Sequence[str]]) -> Sequence[str]:
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


def travelling(value: JsonValue) -> bytes:
    """A schema or value on its way to `judge`. `ValueError` for one that is nested too deeply, or no JSON."""
    try:
        return marshal.dumps(value)
    except ValueError:
        pass  # it may hold a `Decimal`, which the fast form lacks
    try:
        return marshal.dumps(dumps(value))
    except TypeError as error:
        raise ValueError(str(error)) from error


def _arrived(data: bytes | memoryview) -> JsonValue:
    value: JsonValue = marshal.loads(data)
    return loads(value) if isinstance(value, bytes) else value


def judge(job: bytearray) -> bytes:
    """The answer to a job as JSON: `{"problems": [...]}`, or `{"invalid": "..."}` when the schema cannot be used."""
    has_formats, size = HEAD.unpack_from(job)
    view = memoryview(job)
    try:
        judged_by = _judge(has_formats, bytes(view[HEAD.size : HEAD.size + size]))
    except InvalidSchema as error:
        return dumps({"invalid": str(error)})
    text = view[HEAD.size + size :]
    return dumps({"problems": judged_by.problems(_arrived(text)) if text else ()})


class _Judge:
    """A schema, compiled for values that may take long."""

    def __init__(self, schema: JsonObject, *, has_formats: bool) -> None:
        self._schema = schema
        self._cost = cost_of(schema)
        self._formats = FORMATS if has_formats else None
        self._compiled = self._compile_part(schema)

    def problems(self, value: JsonValue) -> tuple[str, ...]:
        """As `Validator.problems`."""
        if is_deep(value, MAX_DEPTH):
            return (_DEEP,)
        is_valid = self._compiled.is_valid(value)
        if self._cost.gives_up_unheard and gives_up(backtracking_patterns(self._schema), value):
            return (f"the value {GIVEN_UP}",)
        if is_valid:
            return ()
        size = measure(value)
        if size is not None and checks(self._cost, size) <= TOLD_AT_ONCE:
            return sentences(at_once(self._compiled, value), self._schema, value)
        search = FaultSearch(self._schema, self._compile_part, time.monotonic() + _SEARCH_S)
        messages = sentences(search.faults(value), self._schema, value)
        return messages or ("the value does not fit its schema",)

    def _compile_part(self, schema: JsonObject) -> Compiled:
        return compile_schema(schema, self._formats, self._cost, patient=True)


@lru_cache(maxsize=_KEPT)
def _judge(has_formats: bool, text: bytes) -> _Judge:
    return _Judge(_arrived(text), has_formats=has_formats)
