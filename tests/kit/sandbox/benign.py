"""Programs that a sandbox must run well: one that refuses everything would pass every hostile one."""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from openplaybook.sandbox.base import CodeFile, Execution, ExecutionLimits, Request
from tests.kit.sandbox.cases import CORPUS

_BEGINS = {
    "png": b"\x89PNG",
    "jpg": b"\xff\xd8",
    "pdf": b"%PDF",
    "xlsx": b"PK",
    "zip": b"PK",
    "sqlite": b"SQLite",
    "svg": b"<?xml",
}
_WALL_S = 20.0


class _Runs(Protocol):
    async def execute(self, request: Request) -> Execution: ...


@dataclass(frozen=True, slots=True)
class Expected:
    """A file that must come back."""

    name: str
    kind: str = ""
    min_bytes: int = 1
    regex: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A program and what must come of it."""

    id: str
    code: str = field(repr=False)
    files: Sequence[tuple[str, str]] = ()
    """Names and base64."""
    stdout: str | None = None
    stdout_regex: str = ""
    expected: Sequence[Expected] = ()


def tasks() -> Sequence[Task]:
    """Those of the corpus."""
    lines = (Path(CORPUS) / "sandbox/benign.jsonl").read_text(encoding="utf-8").splitlines()
    return [_read(line) for line in lines]


def _read(line: str) -> Task:
    told = json.loads(line)
    files = [
        (file["name"], file.get("content_base64") or base64.b64encode(file["content"].encode()).decode())
        for file in told.get("files", [])
    ]
    return Task(
        id=told["id"],
        code=told["code"],
        files=files,
        stdout=told.get("stdout"),
        stdout_regex=told.get("stdout_regex", ""),
        expected=[Expected(**each) for each in told.get("expect_files", [])],
    )


def read_tasks(text: str) -> Sequence[Task]:
    """Tasks from the JSON that `dataclasses.asdict` gives."""
    told = json.loads(text)
    for each in told:
        each["expected"] = [Expected(**file) for file in each["expected"]]
    return [Task(**each) for each in told]


async def faults(executor: _Runs, task: Task, *, processes: bool) -> list[str]:
    """What is wrong with how a task came out; empty when nothing is."""
    limits = ExecutionLimits(wall_s=_WALL_S, cpu_s=_WALL_S, processes=24 if processes else 0)
    files = [CodeFile(name, base64.b64decode(data)) for name, data in task.files]
    execution = await executor.execute(Request(code=task.code, files=files, limits=limits))
    found = {file.name: file.data for file in execution.files}
    wrong = [] if execution.succeeded else [execution.error()]
    if task.stdout is not None and execution.stdout != task.stdout:
        wrong.append(f"stdout {execution.stdout[:300]!r}")
    if not re.search(task.stdout_regex, execution.stdout):
        wrong.append(f"stdout {execution.stdout[:300]!r} lacks {task.stdout_regex!r}")
    return wrong + [f"file {each.name}" for each in task.expected if not _is_there(each, found)]


def _is_there(expected: Expected, found: dict[str, bytes]) -> bool:
    data = found.get(expected.name)
    return (
        data is not None
        and len(data) >= expected.min_bytes
        and data.startswith(_BEGINS.get(expected.kind, b""))
        and re.search(expected.regex, data.decode("utf-8", "replace")) is not None
    )
