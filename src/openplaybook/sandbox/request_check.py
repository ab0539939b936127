"""Whether a request may be run at all: names of files, limits against those of the operator."""

from collections.abc import Sequence
from dataclasses import fields

from openplaybook.sandbox.base import CodeFile, ExecutionLimits, InvalidRequest, Request
from openplaybook.sandbox.inside.file_transfer import is_safe

MOST_CODE_BYTES = 4 * 1024 * 1024
_MAY_BE_NOTHING = ("processes", "files", "file_bytes", "files_bytes")


def check_request(request: Request, most: ExecutionLimits) -> None:
    """Raises `InvalidRequest` with the first fault: where it is and what is allowed."""
    size = len(request.code.encode("utf-8", "surrogatepass"))
    if size > MOST_CODE_BYTES:
        raise InvalidRequest(f"code: has {size} bytes, at most {MOST_CODE_BYTES} are allowed")
    if "\0" in request.code:
        raise InvalidRequest("code: holds a null character, which Python does not allow")
    _check_limits(request.limits, most)
    _check_files(request.files, request.limits)
    wrong = next((name for name in request.tools if not name.isidentifier()), None)
    if wrong is not None:
        raise InvalidRequest(f"tools: {wrong!r} is not a Python identifier")


def _check_limits(limits: ExecutionLimits, most: ExecutionLimits) -> None:
    for each in fields(ExecutionLimits):
        wanted, allowed = getattr(limits, each.name), getattr(most, each.name)
        if wanted > allowed:
            raise InvalidRequest(f"limits.{each.name}: {wanted:g} is more than the {allowed:g} that are allowed")
        # Not `<`: a limit that is no number is none.
        if not (wanted > 0 or (wanted == 0 and each.name in _MAY_BE_NOTHING)):
            raise InvalidRequest(f"limits.{each.name}: {wanted:g} is not above 0")


def _check_files(files: Sequence[CodeFile], limits: ExecutionLimits) -> None:
    names: set[str] = set()
    for file in files:
        if not is_safe(file.name):
            raise InvalidRequest(
                f"files: {file.name!r} is not the name of a file in the workspace; allowed are up to 255 visible "
                "characters, `/` between folders, no `..`, no leading `/`, no `\\`"
            )
        if file.name in names:
            raise InvalidRequest(f"files: {file.name!r} is given twice")
        names.add(file.name)
    _check_folders(names)
    if len(files) > limits.inodes // 2:
        raise InvalidRequest(f"files: {len(files)} are more than the {limits.inodes // 2} that are allowed")
    total = sum(len(file.data) for file in files)
    if total > limits.disk_bytes:
        raise InvalidRequest(f"files: have {total} bytes together, the workspace holds {limits.disk_bytes}")


def _check_folders(names: set[str]) -> None:
    for name in names:
        parts = name.split("/")
        folder = next((each for end in range(1, len(parts)) if (each := "/".join(parts[:end])) in names), None)
        if folder is not None:
            raise InvalidRequest(f"files: {folder!r} is both a file and the folder of {name!r}")
