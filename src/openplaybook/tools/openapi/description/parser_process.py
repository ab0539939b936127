"""Parsing in a process of its own: a text that would cost too much ends that process, and not the server."""

import subprocess
import sys
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from openplaybook.jsonvalues import JsonValue, as_object, loads
from openplaybook.tools.openapi.description.json_text import load_judged_json
from openplaybook.tools.openapi.description.parser_child import REFUSED, main
from openplaybook.tools.openapi.description.parsing import is_heavy, parse
from openplaybook.tools.openapi.description.sharing import with_equal_parts_shared
from openplaybook.tools.openapi.description.unreadable import UnreadableDocument

_MB = 1_000_000
_MIB = 1024 * 1024
_LARGE = 15 * _MB
"""Characters of a JSON text from which sharing equal parts costs less than having them."""
_PIECE = _MB // 4
_PROGRAM = f"import sys; sys.path = sys.argv[4:]; from {main.__module__} import main; main(sys.argv[1:4])"


@dataclass(frozen=True, slots=True)
class ParserLimits:
    """What reading one document may cost."""

    max_in_process: int = 5 * _MB
    """Characters of JSON; what is longer is parsed in a process of its own. YAML goes there earlier."""
    max_text: int = 60 * _MB
    """Bytes of text."""
    memory: int = 1024 * _MIB
    """Bytes that the process may take."""
    value_memory: int = 400 * _MIB
    """Bytes that the process may take for what the server then holds: the text, its value, the interpreter."""
    seconds: int = 20
    """Of its time on the clock, and on a processor."""


_LIMITS = ParserLimits()


def read_text(text: str, limits: ParserLimits = _LIMITS, *, is_foreign: bool = False) -> JsonValue:
    """The value of a JSON or YAML text: one that is large, or comes from outside, is parsed in a process of its own.

    Raises `UnreadableDocument`.
    """
    text = text.removeprefix("\ufeff")
    if is_foreign or is_heavy(text, limits.max_in_process):
        return parse_apart(text, limits)
    return parse(text)


def parse_apart(text: str, limits: ParserLimits) -> JsonValue:
    """The value of a JSON or YAML text, every key a string; raises `UnreadableDocument`.

    The process judges the text. JSON is then read here from the text itself, YAML from the JSON that the process made
    of it: nothing that comes from the process is trusted to be more than JSON.
    """
    # A file, since a pipe is written in thousands of small pieces, and a copy in memory is one more.
    with TemporaryFile() as file:
        for start in range(0, len(text), _PIECE):
            file.write(text[start : start + _PIECE].encode("utf-8", "surrogatepass"))
        if file.tell() > limits.max_text:
            raise UnreadableDocument(f"the text has more than {limits.max_text // _MB} MB")
        file.seek(0)
        answer = _run(file, limits)
        if not answer and not text.isascii():
            file.seek(0)
            answer = file.read()
    value = load_judged_json(answer or text)
    return with_equal_parts_shared(value) if len(answer or text) > _LARGE else value


def _run(file: IO[bytes], limits: ParserLimits) -> bytes:
    """The JSON that the process wrote, empty where the text in the file is JSON itself."""
    numbers = [str(number) for number in (limits.memory, limits.seconds, limits.value_memory)]
    # Isolated and without site-packages' start-up files, it starts in 20 ms and sees nothing of our surroundings.
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, *numbers, *filter(None, sys.path)]
    try:
        done = subprocess.run(command, stdin=file, capture_output=True, timeout=limits.seconds, env={}, check=False)
    except subprocess.TimeoutExpired as error:
        raise UnreadableDocument(f"reading the document takes more than {limits.seconds} s") from error
    if done.returncode == REFUSED:
        refusal = as_object(loads(done.stdout))
        raise UnreadableDocument(str(refusal["message"]), refusal["line"])
    if done.returncode != 0:
        raise UnreadableDocument(
            f"reading the document ends the parser, which may take {limits.memory // _MIB} MB of memory, "
            f"{limits.value_memory // _MIB} MB of it for JSON, and {limits.seconds} s"
        )
    return done.stdout
