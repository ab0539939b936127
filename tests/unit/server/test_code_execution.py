"""From the server's settings to limits, an executor, and what is counted of it."""

import asyncio
import sys
from pathlib import Path

import pytest

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.sandbox.base import (
    DEFAULT_LIMITS,
    Ended,
    Execution,
    ExecutionLimits,
    ExecutorReport,
    InvalidRequest,
    Request,
    SandboxFailed,
    SandboxUnavailable,
    ToolCaller,
)
from openplaybook.sandbox.local.executor import LocalExecutor
from openplaybook.sandbox.local.local_settings import PRELOAD
from openplaybook.sandbox.unsafe_executor import UnsafeExecutor
from openplaybook.server.code_execution import CodeExecution, MeasuredExecutor, executor_of, executor_settings
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.transports import LateTransport
from openplaybook.telemetry.metrics import Metrics

NOWHERE = LateTransport(AddressPolicy())


def test_without_settings_code_has_the_default_limits_and_the_servers_own_libraries() -> None:
    told = executor_settings(Settings())
    assert (told.kind, told.python, tuple(told.preload)) == ("auto", sys.executable, PRELOAD)
    assert (told.limits, told.keeps_sessions, told.concurrency) == (DEFAULT_LIMITS, False, 0)


def test_settings_become_limits() -> None:
    settings = Settings(
        code_timeout=120,
        code_memory_mb=64,
        code_processes=40,
        code_interpreters=9,
        code_sessions="conversation",
        code_preload=" numpy , sympy",
        code_python=Path("/opt/python"),
    )
    told = executor_settings(settings)
    limits = told.limits
    assert (limits.wall_s, limits.cpu_s, limits.memory_bytes) == (120.0, 120.0, 64 * 1024 * 1024)
    assert (limits.processes, limits.threads, told.keeps_sessions) == (40, 80, True)
    assert told.interpreters == 9
    assert (told.python, told.preload) == ("/opt/python", ["numpy", "sympy"])


@pytest.mark.parametrize(
    ("kind", "made"),
    [
        ("auto", LocalExecutor),
        ("forkserver", LocalExecutor),
        ("off", type(None)),
        ("unsafe-subprocess", UnsafeExecutor),
    ],
)
def test_each_kind_is_made_and_starts_nothing(kind: str, made: type) -> None:
    assert type(executor_of(Settings(code_executor=kind), {}, NOWHERE)) is made


def test_a_setting_that_an_executor_cannot_use_is_named() -> None:
    with pytest.raises(SettingsError, match=r"^code_executor=kubernetes: "):
        executor_of(Settings(code_executor="kubernetes", code_kubernetes="no-namespace"), {}, NOWHERE)


class Peer:
    """An executor whose answers are given."""

    limits: ExecutionLimits = DEFAULT_LIMITS
    keeps_sessions = True

    def __init__(self, *answers: Execution | BaseException) -> None:
        self.answers = list(answers)
        self.reports = 0

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def prepare(self, tenant: str = "") -> None:
        raise AssertionError("nobody asked for it")

    async def report(self) -> ExecutorReport:
        self.reports += 1
        await asyncio.sleep(0)
        return ExecutorReport("peer", [], note="as told")

    async def aclose(self) -> None:
        self.answers.clear()


def ended(how: Ended, exit_code: int | None = None) -> Execution:
    return Execution(ended=how, exit_code=exit_code, stdout="", stderr="")


async def test_executions_are_counted_by_how_they_ended() -> None:
    peer = Peer(
        ended(Ended.EXIT, 0),
        ended(Ended.EXIT, 1),
        ended(Ended.MEMORY),
        ended(Ended.TIME),
        InvalidRequest(),
        SandboxUnavailable(),
        SandboxFailed(),
        asyncio.CancelledError(),
        RuntimeError(),
    )
    metrics = Metrics()
    executor = MeasuredExecutor(peer, metrics)
    assert (executor.limits, executor.keeps_sessions) == (DEFAULT_LIMITS, True)
    while peer.answers:
        await asyncio.wait([asyncio.create_task(executor.execute(Request(code="")))])
    lines = metrics.render()[0].decode().splitlines()
    outcomes = ("OK", "FAILED", "MEMORY", "TIME", "INVALID", "UNAVAILABLE", "SANDBOX_FAILED", "CANCELLED", "FAULT")
    expected = {f'openplaybook_code_executions_total{{outcome="{outcome}"}} 1.0' for outcome in outcomes}
    assert {line for line in lines if line.startswith("openplaybook_code_executions_total{")} == expected
    assert "openplaybook_code_seconds_count 9.0" in lines


async def test_health_asks_at_most_every_half_minute() -> None:
    peer = Peer()
    code = CodeExecution(peer, Metrics())
    told = await asyncio.gather(code.health(), code.health())
    assert [*told, await code.health()] == [{"executor": "peer", "ok": True, "reason": "as told"}] * 3
    assert peer.reports == 1


async def test_where_code_is_switched_off_health_says_so() -> None:
    code = CodeExecution(None, Metrics())
    async with code.running():
        assert await code.health() == {"executor": "off", "ok": False, "reason": "switched off by code_executor"}
    assert code.executor is None
