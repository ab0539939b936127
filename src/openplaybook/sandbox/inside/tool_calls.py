"""`tools`, `async_tools` and `context`, as code sees them: the names of CES Python tools.

Calls go from the guest to the monitor and on to the client that has the tools.
"""

import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
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
        document = cast("dict[str, object]", json.loads(answer))
        if "failed" in document:
            raise CallFailed(document["failed"])
        return document["result"]


class ToolError(Exception):
    """A call of a tool failed."""

    __module__ = "__main__"  # Where code finds it; tracebacks leave that out.


class ToolResult:
    """What a tool answered: `.json()` gives it as it is, and else it behaves as it."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def json(self) -> object:
        """The answer: a dict, list, text, number, bool or None."""
        return self._value

    def __getattr__(self, name: str) -> object:
        return getattr(self._value, name)

    def __getitem__(self, key: str | int | slice) -> object:
        return cast("dict[object, object]", self._value)[key]

    def __iter__(self) -> Iterator[object]:
        return iter(cast("list[object]", self._value))

    def __len__(self) -> int:
        return len(cast("list[object]", self._value))

    def __contains__(self, item: object) -> bool:
        return item in cast("list[object]", self._value)

    def __eq__(self, other: object) -> bool:
        return self._value == (other.json() if isinstance(other, ToolResult) else other)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return repr(self._value)


class Tools:
    """`tools`: a call is `tools.NAME({…})` or `tools.NAME(key=value)`, and gives a `ToolResult`.

    Raises `ToolError` where the tool failed, TypeError or ValueError for arguments that are not JSON.
    """

    def __init__(self, channel: ToolChannel, names: Sequence[str]) -> None:
        self._channel = channel
        self._names = tuple(names)
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name not in self._names:
            raise AttributeError(f"there is no tool {name!r}; there are: {', '.join(self._names) or 'none'}", name=name)

        def call(arguments: Mapping[str, object] | None = None, /, **named: object) -> object:
            return self._call(name, arguments, named)

        call.__name__ = call.__qualname__ = name
        return call

    # Names of tools may have a `-`.
    __getitem__ = __getattr__

    def __dir__(self) -> Sequence[str]:
        return self._names

    def _call(self, name: str, arguments: Mapping[str, object] | None, named: Mapping[str, object]) -> ToolResult:
        try:
            document = json.loads(json.dumps({**(arguments or {}), **named}, allow_nan=False))
        except (TypeError, ValueError) as fault:
            raise type(fault)(f"tools.{name} takes an object of arguments, all JSON: {fault}") from None
        with self._lock:
            try:
                return ToolResult(self._channel.ask(name, document))
            except CallFailed as failure:
                reason = str(failure)
        raise ToolError(reason)


class AsyncTools(Tools):
    """`async_tools`: as `tools`, to be awaited.

    Calls are made in the order in which they are awaited, and one at a time: where code is run again after a crash,
    they are known by their order.
    """

    def __getattr__(self, name: str) -> Callable[..., Awaitable[object]]:
        make = super().__getattr__(name)

        async def call(arguments: Mapping[str, object] | None = None, /, **named: object) -> object:
            return make(arguments, **named)

        call.__name__ = call.__qualname__ = name
        return call

    __getitem__ = __getattr__


class Context(Mapping[str, object]):
    """`context`: read by item or by attribute, and so is what is in it."""

    __slots__ = ("_values",)
    _values: Mapping[str, object]

    def __init__(self, values: Mapping[str, object]) -> None:
        object.__setattr__(self, "_values", values)

    def __getitem__(self, key: str) -> object:
        return _read_only(self._values[key])

    def __getattr__(self, name: str) -> object:
        if name in self._values:
            return self[name]
        raise AttributeError(f"context has no {name!r}; it has: {', '.join(self._values) or 'nothing'}", name=name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"context cannot be changed, {name!r} neither", name=name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> Sequence[str]:
        return list(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


def _read_only(value: object) -> object:
    if isinstance(value, dict):
        return Context(cast("dict[str, object]", value))
    if isinstance(value, list):
        return tuple(_read_only(each) for each in cast("list[object]", value))
    return value


def bind(namespace: dict[str, object], channel: ToolChannel | None, names: Sequence[str], context: object) -> None:
    """Bind what the request has; what an earlier one of the session had and this one has not is gone."""
    bindings: dict[str, object] = {}
    if channel is not None:
        bindings |= {"tools": Tools(channel, names), "async_tools": AsyncTools(channel, names), "ToolError": ToolError}
    if context:
        bindings["context"] = _read_only(context)
    for name, kind in (("tools", Tools), ("async_tools", AsyncTools), ("context", Context)):
        if name not in bindings and isinstance(namespace.get(name), kind):
            del namespace[name]
    namespace |= bindings
