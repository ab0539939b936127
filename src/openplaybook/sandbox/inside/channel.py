"""Calls of tools, from the guest to the monitor and on to the client that has them."""

import json
from typing import Protocol, cast

from .frames import ANSWER, CALL, MOST, BadFrame, frame, read_frame, write_all


class CallFailed(Exception):
    """The call was made, and failed as the message says."""


class ToolChannel(Protocol):
    """Where `tools.NAME(…)` leads."""

    def ask(self, name: str, arguments: object) -> object:
        """Make a call; arguments and answer are JSON values. Raises `CallFailed`."""
        ...


class SocketChannel:
    """Over the socket to the monitor; one call at a time."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def ask(self, name: str, arguments: object) -> object:
        """The client's answer."""
        payload = json.dumps({"name": name, "arguments": arguments}).encode()
        if len(payload) > MOST:
            raise CallFailed(f"the arguments of {name} are {len(payload)} bytes of JSON; at most {MOST} are sent")
        write_all(self._descriptor, frame(CALL, payload))
        kind, answer = read_frame(self._descriptor)
        if kind != ANSWER:
            raise BadFrame(f"{kind!r} in place of an answer")
        told = cast("dict[str, object]", json.loads(answer))
        if "failed" in told:
            raise CallFailed(told["failed"])
        return told["result"]
