"""From what an operator says to the executor that it means."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from openplaybook.egress.base import Transport
from openplaybook.sandbox.base import DEFAULT_LIMITS, ExecutionLimits, Executor
from openplaybook.sandbox.local.executor import LocalExecutor
from openplaybook.sandbox.local.local_settings import DEFAULT_SCHEDULE, PRELOAD, LocalSettings, default_concurrency
from openplaybook.sandbox.unsafe_executor import UnsafeExecutor

AUTO, OFF = "auto", "off"
KINDS = (AUTO, "forkserver", OFF, "unsafe-subprocess", "kubernetes", "e2b")
"""What an executor may be named. `auto` is the fork server; where a wall is missing, a server starts all the same, and
says why it runs no code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorSettings:
    """What decides where and how code is run."""

    kind: str = AUTO
    """One of `KINDS`."""
    python: str = sys.executable
    preload: Sequence[str] = PRELOAD
    limits: ExecutionLimits = DEFAULT_LIMITS
    concurrency: int = 0
    """Executions at once; 0: twice the CPUs, at least 4."""
    keeps_sessions: bool = False
    interpreters: int = DEFAULT_SCHEDULE.tenants
    """Warm interpreters, one a tenant."""
    ready: int = 2
    """Sandboxes that wait for code, a tenant."""
    kubernetes: str = ""
    e2b: str = ""


def create_executor(
    settings: ExecutorSettings, environment: Mapping[str, str], transport: Transport
) -> Executor | None:
    """The executor that is named; None for `off`. Starts nothing.

    `transport` leads to whatever place the operator has named; only remote executors use it.
    Raises `ValueError` for a setting that cannot be used.
    """
    if settings.kind == OFF:
        return None
    if settings.kind in ("kubernetes", "e2b"):
        return _remote(settings, environment, transport)
    if settings.kind == "unsafe-subprocess":
        concurrency = settings.concurrency or default_concurrency()
        return UnsafeExecutor(settings.limits, python=settings.python, concurrency=concurrency)
    if settings.kind not in KINDS:
        raise ValueError(f"must be one of {', '.join(KINDS)}")
    local = LocalSettings(
        python=settings.python,
        preload=settings.preload,
        ready=settings.ready,
        limits=settings.limits,
        concurrency=settings.concurrency,
        keeps_sessions=settings.keeps_sessions,
        schedule=replace(DEFAULT_SCHEDULE, tenants=settings.interpreters),
    )
    return LocalExecutor(local)


def _remote(settings: ExecutorSettings, environment: Mapping[str, str], transport: Transport) -> Executor:
    # Most servers need neither.
    from openplaybook.sandbox.remote.vendors import e2b_executor, kubernetes_executor

    create, text = kubernetes_executor, settings.kubernetes
    if settings.kind == "e2b":
        create, text = e2b_executor, settings.e2b
    return create(
        text,
        environment,
        limits=settings.limits,
        keeps_sessions=settings.keeps_sessions,
        concurrency=settings.concurrency,
        transport=transport,
    )
