"""Foreign texts, read in child processes: one that would cost too much ends a child, and not the server.

YAML is always read there, since its parsers recurse in C; JSON is read here, by a parser that does not, up to a size.
"""

from collections.abc import Generator, Hashable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from json import JSONDecodeError
from threading import Semaphore
from typing import Final, TypeAlias, cast

from openplaybook.documents.encoded_text import EncodedText, ReadTexts, encoded
from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.json_text import load_json, load_judged_json, looks_like_json
from openplaybook.documents.line_search import lines_of
from openplaybook.documents.parser_child import FIND_LINES, READ, REFUSED, RESTATE, task
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps, loads
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import ExitReason, WorkEnded, WorkersBusy, WorkTimedOut

_MB = 1_000_000
_MIB = 1024 * 1024
_LARGE = 15 * _MB
"""Characters of a JSON text from which sharing equal parts costs less than having them."""
_SMALL = _MB
"""Bytes of a text that is read beside others; larger ones are read one at a time."""
_SMALL_MEMORY = 512 * _MIB
_SMALL_VALUE_MEMORY = 128 * _MIB
_GROWN = 96 * _MIB
_LEAST_S, _S_PER_MB = 3.0, 4.0
"""Time to read a text, several times of what honest ones take."""
_CLOCK, _LONGEST_CLOCK_S = 4.0, 25.0
"""How much more time it has on the clock than on a processor, and how much at most: others compute too."""
_PATIENCE_S = 20.0
"""How long a text waits for its turn."""
_MAX_LINES_HERE = 200_000
"""Characters of JSON in which lines are searched here."""
_Known: TypeAlias = dict[Hashable, JsonValue]


@dataclass(frozen=True, slots=True)
class ParserLimits:
    """What reading one document may cost."""

    max_in_process: int = 5 * _MB
    """Characters of JSON; what is longer is parsed in a process of its own, and YAML always."""
    max_text: int = 60 * _MB
    """Bytes of text."""
    memory: int = 1024 * _MIB
    """Bytes that the process may take."""
    value_memory: int = 400 * _MIB
    """Bytes that the process may take for what the server then holds: the text, its value, the interpreter."""
    seconds: int = 20
    """Of its time on a processor; a text of few megabytes has less. On the clock it has some times as much."""

    def time_for(self, size: int) -> float:
        """Seconds on a processor for a text of that many bytes."""
        return min(float(self.seconds), _LEAST_S + _S_PER_MB * size / _MB)


_LIMITS = ParserLimits()
_ONE_LARGE: Final = Semaphore()
_READ: Final = ReadTexts()


def read_text(
    text: str, limits: ParserLimits = _LIMITS, *, is_foreign: bool = False, known: EncodedText | None = None
) -> JsonValue:
    """The value of a JSON or YAML text, every key a string. Blocks: not for the event loop.

    JSON of some megabytes that does not come from outside is read here, all else in a child process. `known` is the
    text in UTF-8, where somebody has it already. Raises `UnreadableDocument`, and `WorkersBusy` or `WorkTimedOut` when
    too much waits to be read.
    """
    text = text.removeprefix("\ufeff")
    if not text or text.isspace():
        raise UnreadableDocument("the text is empty")
    if not is_foreign and len(text) <= limits.max_in_process and looks_like_json(text):
        try:
            return load_json(text if known is None else memoryview(encoded(text, known).data))
        except JSONDecodeError:
            # It may be YAML in flow style; what is wrong with it otherwise, the child tells too.
            return parse_apart(text, limits, known)
    return parse_apart(text, limits, known)


def parse_apart(text: str, limits: ParserLimits, known: EncodedText | None = None) -> JsonValue:
    """The value of a JSON or YAML text, every key a string; raises `UnreadableDocument`.

    A child process judges the text. JSON is then read here from the text itself, YAML from the JSON that the process
    made of it: nothing that comes from the process is trusted to be more than JSON. What it made is kept for a while.
    """
    sent = encoded(text, known)
    data = _data_of(sent, limits)
    with _in_turn(len(data)):
        read = _answer(READ, sent, limits) or data
        # Not from the text itself: its UTF-8 would be made once more, and kept with it.
        value = load_judged_json(memoryview(read))
        return with_equal_parts_shared(value) if len(read) > _LARGE else value


def with_equal_parts_shared(value: JsonValue) -> JsonValue:
    """`value` with one object for all parts that are equal, member order included. Takes a second for 40 MB.

    Large descriptions that were generated repeat themselves for most of their length. Changes `value` itself, so that
    never two whole copies exist.
    """
    return _shared(value, {}) if isinstance(value, dict | list) else value


def _shared(value: JsonValue, known: _Known) -> JsonValue:
    items = cast(JsonObject, value).items() if isinstance(value, dict) else enumerate(cast(list[JsonValue], value))
    parts: list[Hashable] = [isinstance(value, dict)]
    for key, item in items:
        if isinstance(item, dict | list):
            item = _shared(item, known)
        elif isinstance(item, str):
            item = known.setdefault(item, item)
        else:
            # By their spelling: 1, 1.0 and true are equal.
            parts.append((key, repr(item)))
            continue
        value[key] = item
        # What is equal is one object by now, and stays alive in `known`.
        parts.append((key, id(item)))
    return known.setdefault(tuple(parts), value)


def json_of(text: str, limits: ParserLimits, known: EncodedText | None = None) -> bytes | bytearray:
    """A text as JSON in UTF-8: itself, or what a child process made of its YAML; judged there, and not read here.
    Blocks.

    Raises `UnreadableDocument`, and `WorkersBusy` or `WorkTimedOut` when too much waits to be read.
    """
    text = text.removeprefix("\ufeff")
    if not text or text.isspace():
        raise UnreadableDocument("the text is empty")
    sent = encoded(text, known)
    data = _data_of(sent, limits)
    with _in_turn(len(data)):
        return _answer(READ, sent, limits) or data


def yaml_as_json(text: str) -> bytes:
    """The JSON of a YAML text, in which nothing is lost: what JSON has no form for is refused. Blocks.

    Raises `UnreadableDocument`, and `WorkersBusy` or `WorkTimedOut` when too much waits to be read.
    """
    sent = EncodedText(text)
    with _in_turn(len(_data_of(sent, _LIMITS))):
        return _answer(RESTATE, sent, _LIMITS)


def find_lines(text: str, wanted: Iterable[str]) -> dict[str, int]:
    """The lines of the members at some paths, and of what leads to them, as far as the text can be read in time."""
    if looks_like_json(text) and len(text) <= _MAX_LINES_HERE:
        return lines_of(text, wanted)
    data = _data_of(EncodedText(text), _LIMITS)
    try:
        order = dumps({"do": FIND_LINES, "wanted": sorted(wanted)}) + b"\n"
        answer = _ordered(order, data, _LIMITS)
    except UnreadableDocument:
        return {}
    return {path: int(line) for path, line in as_object(loads(answer)).items()}


def _data_of(text: EncodedText, limits: ParserLimits) -> bytearray:
    """The UTF-8 of a text; raises `UnreadableDocument` for one that is too long."""
    if len(text.text) > limits.max_text or len(text.data) > limits.max_text:
        raise UnreadableDocument(f"the text is larger than {limits.max_text // _MB} MB")
    return text.data


@contextmanager
def _in_turn(size: int) -> Generator[None]:
    """Large texts are read one at a time, what the server makes of them included."""
    if size <= _SMALL:
        yield
        return
    if not _ONE_LARGE.acquire(timeout=_PATIENCE_S):
        raise WorkersBusy("other large documents are being read; try again in 5 s", 5.0)
    try:
        yield
    finally:
        _ONE_LARGE.release()


def _answer(what: str, text: EncodedText, limits: ParserLimits) -> bytes:
    """A child's answer about a text, or what it answered before; raises `UnreadableDocument`."""
    value_memory = limits.value_memory if len(text.data) > _SMALL else min(limits.value_memory, _SMALL_VALUE_MEMORY)
    order = dumps({"do": what, "value_memory": value_memory}) + b"\n"
    digest = sha256(order + text.digest).digest()
    answer = _READ.get(digest)
    if answer is None:
        answer = _ordered(order, text.data, limits)
        _READ.keep(digest, answer)
    return answer


def _ordered(order: bytes, data: bytearray, limits: ParserLimits) -> bytes:
    """A child's answer to an order about a text; raises `UnreadableDocument`."""
    size = len(data)
    seconds = limits.time_for(size)
    memory = limits.memory if size > _SMALL else min(limits.memory, _SMALL_MEMORY)
    try:
        children = _children(memory, is_large=size > _SMALL)
        clock = min(_LONGEST_CLOCK_S, seconds * _CLOCK)
        answer = children.run([order, data], seconds=clock, patience=_PATIENCE_S, processor_seconds=seconds)
    except WorkTimedOut as error:
        if not error.was_begun:
            raise
        raise _too_long(seconds) from error
    except WorkEnded as error:
        if error.ending is ExitReason.PROCESSOR_TIME:
            raise _too_long(seconds) from error
        raise UnreadableDocument(
            f"reading the document ends the parser, which may take {memory // _MIB} MB of memory, "
            f"{limits.value_memory // _MIB} MB of it for JSON, and {seconds:.3g} s"
        ) from error
    if answer[:1] == REFUSED:
        refusal = as_object(loads(answer[1:]))
        raise UnreadableDocument(str(refusal["message"]), refusal["line"])
    return answer[1:]


def _too_long(seconds: float) -> UnreadableDocument:
    return UnreadableDocument(f"reading the document takes more than {seconds:.3g} s")


@lru_cache(8)
def _children(memory: int, *, is_large: bool) -> ChildProcesses:
    name = f"{task.__module__}:{task.__name__}"
    return ChildProcesses(name, most=1 if is_large else 2, memory=memory, waiting=16, grown=_GROWN)
