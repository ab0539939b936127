"""A request as an archive that a machine can run, and the result that it leaves (`shipped.archive_run`)."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files

from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads
from openplaybook.sandbox.base import CodeFile, Ended, Execution, ExecutionLimits, Request, Skipped
from openplaybook.sandbox.inside.file_transfer import is_safe
from openplaybook.sandbox.remote.base import MachineLost

_MAX_HEAD = 1024 * 1024
"""Longest first line of a result."""
_MOST_SKIPPED, _LONGEST_SHOWN = 20, 120
"""Files of which it is told that they are left out, and characters of what is told."""
_LONGEST_S = 1e6
_MAIN = "from sandbox.remote.shipped.archive_run import main\n\nmain()\n"


def packed(request: Request, *, keep: bool) -> bytes:
    """The archive of a request; with `keep` its variables stay for the next one of the machine."""
    job = {
        "code": request.code,
        "context": request.context,
        "keep": keep,
        "limits": asdict(request.limits),
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("__main__.py", _MAIN)
        for name, source in _sources().items():
            archive.writestr(name, source)
        archive.writestr("job.json", json.dumps(job))
        for file in request.files:
            archive.writestr(f"files/{file.name}", file.data)
    return written.getvalue()


def largest_result(limits: ExecutionLimits) -> int:
    """Bytes that a result has at most."""
    return _MAX_HEAD + limits.stdout_bytes + limits.stderr_bytes + limits.files_bytes


def unpacked(result: bytes, limits: ExecutionLimits) -> Execution:
    """What a result tells. It was written where the code ran, so nothing in it is believed unseen.

    Raises `MachineLost` for one that is not as `shipped.archive_run` writes it.
    """
    line = result[:_MAX_HEAD].partition(b"\n")[0]
    try:
        return _execution(as_object(loads(line)), memoryview(result)[len(line) + 1 :], limits)
    except (ValueError, KeyError, TypeError) as error:
        raise MachineLost("the sandbox left something that is not a result") from error


def _execution(head: JsonObject, content: memoryview, limits: ExecutionLimits) -> Execution:
    ended, exit_code = Ended(head["ended"]), head["exit_code"]
    if ended is Ended.EXIT:
        exit_code = _number(exit_code, -255, 255)
    names = [(_name(name), size) for name, size in as_list(head["files"])]
    sizes = [
        _number(head["stdout"], 0, limits.stdout_bytes),
        _number(head["stderr"], 0, limits.stderr_bytes),
        *(_number(size, 0, limits.file_bytes) for _, size in names),
    ]
    if sum(sizes) != len(content) or len(names) > limits.files or sum(sizes[2:]) > limits.files_bytes:
        raise ValueError("sizes")
    stdout, stderr, *data = _cut(content, sizes)
    return Execution(
        ended=ended,
        exit_code=exit_code if ended is Ended.EXIT else None,
        stdout=stdout.decode(errors="replace"),
        stderr=stderr.decode(errors="replace"),
        files=tuple(CodeFile(name, part) for (name, _), part in zip(names, data, strict=True)),
        skipped=tuple(
            Skipped(_shown(name), _shown(reason)) for name, reason in as_list(head["skipped"])[:_MOST_SKIPPED]
        ),
        dropped=_number(head["dropped"], 0, 2**62),
        fresh=bool(head["fresh"]),
        cpu_s=_seconds(head["cpu_s"]),
        wall_s=_seconds(head["wall_s"]),
    )


def _cut(content: memoryview, sizes: Sequence[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield bytes(content[start : start + size])
        start += size


def _number(value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError("number")
    return value


def _seconds(value: object) -> float:
    if not isinstance(value, int | float) or not 0 <= value <= _LONGEST_S:
        raise ValueError("seconds")
    return float(value)


def _shown(value: object) -> str:
    text = _text(value)[:_LONGEST_SHOWN]
    return text if text.isprintable() else ascii(text)[1:-1]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text")
    return value


def _name(value: object) -> str:
    name = _text(value)
    if not is_safe(name):
        raise ValueError("name")
    return name


@cache
def _sources() -> Mapping[str, bytes]:
    """Our code that runs on the machine, by its place in the archive."""
    sandbox = files("openplaybook.sandbox")
    sources_by_name = {"sandbox/__init__.py": b"", "sandbox/remote/__init__.py": b""}
    for name in ("inside", "remote/shipped"):
        folder = sandbox.joinpath(name)
        sources = (each for each in folder.iterdir() if each.name.endswith(".py"))
        sources_by_name |= {f"sandbox/{name}/{source.name}": source.read_bytes() for source in sources}
    return sources_by_name
