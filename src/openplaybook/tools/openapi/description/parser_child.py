"""What the process does that parses a document: it reads the text from its input and judges it within limits."""

import os
import resource
import sys
from collections.abc import Sequence
from mmap import PROT_READ, mmap
from typing import NoReturn

import orjson

from openplaybook.jsonvalues import dumps
from openplaybook.tools.openapi.description.json_text import load_json, looks_like_json
from openplaybook.tools.openapi.description.unreadable import UnreadableDocument

REFUSED = 3
"""Exit code when the text cannot be read; the output is `{message, line}`."""

_MIB = 1024 * 1024
_OBJECT, _ARRAY, _PART = 232, 88, 60
"""Bytes that an object, an array and each part of them take in CPython, the length of texts apart."""


def main(arguments: Sequence[str]) -> NoReturn:
    """Read the text from the input within `memory seconds value_memory`, and end the process.

    The output is empty for a JSON text, its value as JSON for a YAML text.
    """
    memory, seconds, value_memory = (int(argument) for argument in arguments)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    try:
        output, code = judged(_input(), memory, value_memory), 0
    except UnreadableDocument as error:
        output, code = dumps({"message": str(error), "line": error.line}), REFUSED
    except MemoryError:
        message = f"reading the document takes more than {memory // _MIB} MB of memory"
        output, code = dumps({"message": message, "line": None}), REFUSED
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()
    # The values need not be taken apart one by one.
    os._exit(code)


def _input() -> memoryview:
    """The text, from a file that need not be copied to be read; an empty one cannot be mapped."""
    number = sys.stdin.fileno()
    return memoryview(mmap(number, 0, prot=PROT_READ) if os.fstat(number).st_size else b"")


def judged(data: memoryview, memory: int, value_memory: int) -> bytes:
    """Empty for a JSON text that can be read, the JSON of a YAML text; raises `UnreadableDocument`."""
    if looks_like_json(bytes(data[:1000]).decode("utf-8", "ignore")):
        # The server reads JSON once more by itself: what does not fit here must not come there.
        resource.setrlimit(resource.RLIMIT_AS, (value_memory, memory))
        try:
            load_json(data)
        except orjson.JSONDecodeError:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        else:
            return b""
    # The YAML parsers take as long to import as the interpreter takes to start; most large documents are JSON.
    from openplaybook.tools.openapi.description.parsing import parse

    output = dumps(parse(bytes(data).decode("utf-8")))
    _weigh(output, value_memory)
    return output


def _weigh(data: bytes, value_memory: int) -> None:
    """Refuse JSON whose value takes too much memory; commas and brackets in its texts make the estimate a high one."""
    parts = _OBJECT * data.count(b"{") + _ARRAY * data.count(b"[") + _PART * data.count(b",")
    if parts + len(data) > value_memory:
        raise UnreadableDocument(f"its values take more than {value_memory // _MIB} MB of memory")
