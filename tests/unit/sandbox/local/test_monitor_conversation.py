"""What is believed of a monitor that may have been taken over."""

import json
import socket

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import DEFAULT_LIMITS, Request, SandboxFailed
from openplaybook.sandbox.inside import frames
from openplaybook.sandbox.local.monitor_conversation import MonitorConversation

HEAD: JsonObject = {
    "ended": "exit", "exit_code": 0, "kept": False, "stdout": 0, "stderr": 0, "files": [], "skipped": [],
    "dropped": 0, "cpu_s": 0.0, "wall_s": 0.0,
}  # fmt: skip


@pytest.mark.parametrize(
    "forged",
    [
        {"files": [["../../etc/passwd", 0]]},
        {"files": [["/etc/passwd", 0]]},
        {"files": [["a", -1]]},
        {"files": [["a", DEFAULT_LIMITS.files_bytes + 1]]},
        {"stdout": DEFAULT_LIMITS.stdout_bytes + 1},
        {"stderr": -1},
        {"ended": "well"},
        {"files": [["a"]]},
    ],
)
async def test_a_result_that_no_monitor_gives_is_none(forged: JsonObject) -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        conversation = await MonitorConversation.over(ours)
        theirs.sendall(frames.frame(frames.RESULT, json.dumps({**HEAD, **forged}).encode()))
        with pytest.raises(SandboxFailed, match="something that is not a result"):
            await conversation.run(Request(code=""), None, fresh=True)
        conversation.close()


async def test_the_end_of_a_monitor_is_known_before_the_event_loop_hears_of_it() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    conversation = await MonitorConversation.over(ours)
    was_open = conversation.is_open

    theirs.close()

    assert (was_open, conversation.is_open) == (True, False)
    conversation.close()
