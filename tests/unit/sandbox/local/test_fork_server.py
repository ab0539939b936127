"""Which guests of sessions are kept, and for how long."""

import asyncio
import socket

import pytest

from openplaybook.sandbox.local.fork_server import KeptSessions
from openplaybook.sandbox.local.monitor_conversation import MonitorConversation

IDLE_S = 900.0


async def test_each_use_begins_the_time_of_a_session_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, passed = asyncio.get_running_loop(), [0.0]
    real = loop.time
    monkeypatch.setattr(loop, "time", lambda: real() + passed[0])
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        guest = await MonitorConversation.over(ours)
        kept = KeptSessions(2, IDLE_S)
        is_same: list[bool] = []
        for seconds in (0.0, 0.6 * IDLE_S, 0.6 * IDLE_S, 1.1 * IDLE_S):
            kept.put("a", guest)
            passed[0] += seconds
            for _ in range(3):
                await asyncio.sleep(0)
            is_same.append(kept.take("a") is guest)
        kept.close()
    assert is_same == [True, True, True, False]
