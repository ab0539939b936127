"""Runs a hostile program on an executor and says what, if anything, it got away with."""

import asyncio
import base64
import json
import os
import re
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from openplaybook.sandbox.base import MIB, Ended, Execution, Request, SandboxFailed
from tests.kit.sandbox.canaries import Canaries
from tests.kit.sandbox.cases import Case
from tests.kit.sandbox.machine import descendants, descriptors, memory, mounts

RECOVERED_WITHIN_S = 2.0
_LOOK_S = 0.1
_CALM_LOOKS = 3
_SETTLED_WITHIN_S = 3.0
_OVERSHOOT = 320 * MIB
"""What two processors can fill between two looks of a monitor, the time for a close look included; besides a tenth of
the limit."""
_HARMLESS_NAME = re.compile(r"[\x00-\x1f]|(^|/)\.\.(/|$)|^/")


class Runs(Protocol):
    """The part of an executor that is judged."""

    async def execute(self, request: Request) -> Execution:
        """Run code."""
        ...

    def sweep(self) -> None:
        """End what it left running, after the judge has looked."""
        ...


@dataclass(slots=True)
class Verdict:
    """How a case came out."""

    id: str
    faults: list[str]
    """Empty: held."""
    ended: str
    exit_code: int | None
    seconds: float
    peak_mib: int
    said: str
    """The end of its output."""


@dataclass(slots=True)
class Seen:
    """What was seen on the machine while a program ran."""

    idle: int
    """Bytes of memory before."""
    peak: int = 0
    port_open: bool = False


@dataclass(slots=True)
class Judge:
    """Judges cases one after the other."""

    executor: Runs
    canaries: Canaries
    processes: bool = False
    """Whether programs may have child processes."""
    top: int = field(default_factory=os.getpid)
    """The process beneath which all is found that programs start."""
    idle: int = field(init=False)
    """Processes while nothing runs."""

    def __post_init__(self) -> None:
        self.idle = len(descendants(self.top))

    async def judge(self, case: Case) -> Verdict:
        """Run it and look. Raises what the executor raises but `SandboxFailed`, which is a fault."""
        before = mounts(), descriptors(os.getpid())
        seen = Seen(memory(descendants(self.top)))
        watching = asyncio.create_task(self._watch(case, seen))
        started = time.monotonic()
        other = asyncio.create_task(self._run(case, case.concurrent)) if case.concurrent else None
        execution = await self._run(case, case.code)
        seconds = time.monotonic() - started
        executions = [execution, *([await other] if other else [])]
        watching.cancel()
        follow_up = await self._run(case, case.follow_up) if case.follow_up else None
        faults = [fault for each in executions for fault in _disclosures(each, self.canaries.token, case)]
        faults += _result_faults(case, execution, seconds)
        faults += _follow_up_faults(case, execution, follow_up)
        if case.concurrent_stdout and not re.search(case.concurrent_stdout, executions[-1].stdout):
            faults.append(f"a neighbour was disturbed: {executions[-1]}")
        faults += await self._left_behind()
        faults += self.canaries.harm()
        faults += _watched_faults(case, seen)
        faults += await self._recovery()
        # What is closed goes with the next turn of the event loop.
        await asyncio.sleep(_LOOK_S / 10)
        if before != (mounts(), descriptors(os.getpid())):
            faults.append(f"mounts or descriptors changed: {before[1]} before, {descriptors(os.getpid())} after")
        return Verdict(
            case.id,
            faults,
            execution.ended.value,
            execution.exit_code,
            round(seconds, 3),
            max(0, seen.peak - seen.idle) // MIB,
            (execution.stdout + execution.stderr)[-300:],
        )

    async def _run(self, case: Case, code: str) -> Execution:
        request = Request(code=self.canaries.fill(code), limits=case.limits(processes=self.processes))
        try:
            return await self.executor.execute(request)
        except SandboxFailed as failed:
            return Execution(
                ended=Ended.EXIT, exit_code=None, stdout=f"\nESCAPED the sandbox broke: {failed}", stderr=""
            )

    async def _watch(self, case: Case, seen: Seen) -> None:
        while True:
            seen.peak = max(seen.peak, memory(descendants(self.top)))
            if case.guest_port_closed:
                seen.port_open |= await asyncio.to_thread(_answers, self.canaries.free_port)
            await asyncio.sleep(_LOOK_S)

    async def _left_behind(self) -> list[str]:
        deadline = time.monotonic() + _SETTLED_WITHIN_S
        calm = left = 0
        while calm < _CALM_LOOKS and time.monotonic() < deadline:
            left = len(descendants(self.top)) - self.idle
            # One look can miss a process that is just handing on to its child.
            calm = 0 if left > 0 else calm + 1
            await asyncio.sleep(_LOOK_S / 20)
        self.executor.sweep()
        return [] if calm == _CALM_LOOKS else [f"{left} processes left"]

    async def _recovery(self) -> list[str]:
        started = time.monotonic()
        after = await self.executor.execute(Request(code="print(6*7)"))
        seconds = time.monotonic() - started
        if after.stdout == "42\n" and after.succeeded and seconds <= RECOVERED_WITHIN_S:
            return []
        return [f"no recovery: {after.stdout!r} {after.error()!r} after {seconds:.1f} s"]


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 0.2).close()
    except OSError:
        return False
    return True


def _disclosures(execution: Execution, token: str, case: Case) -> list[str]:
    lines = [line for line in execution.stdout.splitlines() if line.startswith("ESCAPED") or "ESCAPED " in line]
    faults = [line[:160] for line in lines if not (case.soft and "ESCAPED-shell" in line)][:3]
    texts = [execution.stdout, execution.stderr, *(each.name for each in [*execution.files, *execution.skipped])]
    blob = b"\n".join([*(text.encode("utf-8", "replace") for text in texts), *(file.data for file in execution.files)])
    if any(form in blob for form in _forms(token)):
        faults.append("the secret was disclosed")
    return faults


def _forms(token: str) -> Sequence[bytes]:
    """A secret as it is, and as code might dress it up."""
    plain = token.encode()
    return plain, plain[::-1], plain.hex().encode(), base64.b64encode(plain).rstrip(b"=")[:-1]


def _result_faults(case: Case, execution: Execution, seconds: float) -> list[str]:
    limits = case.limits(processes=False)
    written = len(execution.stdout.encode("utf-8", "replace")) + len(execution.stderr.encode("utf-8", "replace"))
    ended = execution.ended.value
    wrong: Mapping[str, bool] = {
        f"ended by {ended}": bool(case.ended_in) and ended not in case.ended_in,
        f"took {seconds:.1f} s": seconds > case.latest_s,
        f"{execution.cpu_s:.1f} s of processor time": execution.cpu_s > case.cpu_s + 1.0,
        f"exit code {execution.exit_code}": case.exit_code is not None and execution.exit_code != case.exit_code,
        f"stdout {execution.stdout[-200:]!r}": re.search(case.stdout_regex, execution.stdout) is None,
        f"{written} bytes of text": written
        > min(case.stdout_max_bytes, 4 * (limits.stdout_bytes + limits.stderr_bytes)),
        "the answer is no JSON text": not _is_text(execution),
    }
    return [fault for fault, holds in wrong.items() if holds] + _file_faults(case, execution)


def _file_faults(case: Case, execution: Execution) -> list[str]:
    unwanted = re.compile(case.files_not) if case.files_not else _HARMLESS_NAME
    names = [file.name for file in execution.files]
    faults = [f"file name {name!r}" for name in names if unwanted.search(name) or not name.isprintable()][:3]
    total, limits = sum(len(file.data) for file in execution.files), case.limits(processes=False)
    if total > min(case.files_bytes_max, limits.files_bytes) or any(
        len(file.data) > limits.file_bytes for file in execution.files
    ):
        faults.append(f"{total} bytes of files")
    if len(names) > min(case.files_max, limits.files):
        faults.append(f"{len(names)} files")
    return faults


def _is_text(execution: Execution) -> bool:
    names = [each.name for each in [*execution.files, *execution.skipped]]
    told = json.dumps([execution.stdout, execution.stderr, names], ensure_ascii=False)
    try:
        told.encode()
    except UnicodeEncodeError:
        return False
    return True


def _follow_up_faults(case: Case, execution: Execution, later: Execution | None) -> list[str]:
    if later is None:
        return []
    faults: list[str] = []
    if case.follow_up_stdout and not re.search(case.follow_up_stdout, later.stdout):
        faults.append(f"what came later: {(later.stdout + later.stderr)[-200:]!r}")
    if case.follow_up_differs and set(later.stdout.split()) & set(execution.stdout.split()):
        faults.append("the same came twice")
    return faults


def _watched_faults(case: Case, seen: Seen) -> list[str]:
    used, most = seen.peak - seen.idle, case.memory_mib * MIB * 11 // 10 + _OVERSHOOT
    faults = [f"{used // MIB} MiB of memory"] if used > most else []
    return [*faults, "a port of the guest is reachable"] if seen.port_open else faults
