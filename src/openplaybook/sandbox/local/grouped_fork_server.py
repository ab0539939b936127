"""A fork server as the executor's settings say, in a control group of its own where there can be one."""

import logging
from dataclasses import dataclass, replace

from openplaybook.sandbox.base import Execution, Request, ToolCaller
from openplaybook.sandbox.local.cgroup import ControlGroup, find_tree
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig
from openplaybook.sandbox.local.local_settings import LocalSettings
from openplaybook.sandbox.local.warm_servers import WarmServer

_MIB = 1024 * 1024
_WARM_BYTES = 512 * _MIB
"""What a warm interpreter itself may take, in a control group."""
_ATTENDANTS = 8
"""Processes beside each execution, in a control group: its monitor, a guest that waits, what ends."""
_LOG = logging.getLogger("openplaybook.sandbox")


async def start(settings: LocalSettings, concurrency: int) -> WarmServer:
    """For so many executions at once. Raises `SandboxUnavailable`."""
    config = ForkServerConfig(python=settings.python, preload=settings.preload, ready=settings.ready)
    sessions = config.sessions if settings.keeps_sessions else 0
    group = _group(settings, concurrency + sessions)
    if group is None:
        return await ForkServer.start(config)
    try:
        server = await ForkServer.start(replace(config, cgroup=str(group.folder)))
    except BaseException:
        await group.remove()
        raise
    return _InGroup(server, group)


def _group(settings: LocalSettings, executions: int) -> ControlGroup | None:
    """In addition to all that the sandbox does itself; without one nothing is missing."""
    tree = find_tree().folder
    if tree is None:
        return None
    limits = settings.limits
    try:
        return ControlGroup.make(
            tree,
            memory_bytes=_WARM_BYTES + executions * limits.memory_bytes,
            processes=executions * (limits.threads + _ATTENDANTS),
        )
    except OSError as error:
        _LOG.warning("no control group for code: %s", error)
        return None


@dataclass(frozen=True, slots=True)
class _InGroup:
    """A fork server whose control group goes with it."""

    server: WarmServer
    group: ControlGroup

    @property
    def alive(self) -> bool:
        return self.server.alive

    @property
    def executions(self) -> int:
        return self.server.executions

    @property
    def started_at(self) -> float:
        return self.server.started_at

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        return await self.server.execute(request, caller)

    async def dies(self, within_s: float) -> bool:
        return await self.server.dies(within_s)

    async def aclose(self) -> None:
        try:
            await self.server.aclose()
        finally:
            await self.group.remove()
