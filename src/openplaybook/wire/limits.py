"""What one call of an RPC may cost: how large its request may be, and how long its answer may take.

Over REST, headers say how long a client waits.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.wire.api import Method
from openplaybook.wire.errors import Code, RpcError


@dataclass(frozen=True, slots=True, kw_only=True)
class RpcLimit:
    """The limits of one RPC."""

    body: int | None = None
    """Most bytes of a request, decompressed: of a REST body, of a message over gRPC. None: what the port takes."""
    seconds: float | None = None
    """Until its answer is complete, counted from the whole request, for a caller that asks for no time; None: no limit.
    For a stream with requests of its own it is None."""
    longest: float | None = None
    """The most that a caller's own deadline may ask for; None: `seconds`, which it can only shorten."""
    is_cancelled: bool = True
    """Whether what is not done by then is given up. A turn that has acted is not: it ends by its own rules."""

    def allowed_s(self, asked: float | None) -> float | None:
        """Seconds that a call has whose caller asks for so many, or for none."""
        if asked is None or self.seconds is None:
            return self.seconds
        return min(asked, self.longest or self.seconds)


Limits: TypeAlias = Callable[[Method], RpcLimit]
"""The limits of every RPC."""


def unlimited(method: Method) -> RpcLimit:
    """No limit, whatever the RPC."""
    return _NONE


_NONE = RpcLimit()


def deadline_exceeded(seconds: float, asked: float | None) -> RpcError:
    """For a call that had so many seconds; `asked`: how many its caller said that it waits, None where it did not."""
    whose = "its own deadline" if asked is not None and asked <= seconds else "the limit of this RPC"
    return RpcError(Code.DEADLINE_EXCEEDED, f"The response was not ready within {seconds:g} s, {whose}.")


_UNITS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_GRPC_TIMEOUT = re.compile(r"([0-9]{1,8})([HMSmun])")


def timeout_of(headers: Mapping[str, str]) -> float | None:
    """Seconds from `x-server-timeout` (a number) or `grpc-timeout` (`10S`, gRPC over HTTP/2); `None` without either.

    INVALID_ARGUMENT when the header is neither."""
    seconds = headers.get("x-server-timeout")
    if seconds is not None:
        return _seconds(seconds)
    timeout = headers.get("grpc-timeout")
    if timeout is None:
        return None
    found = _GRPC_TIMEOUT.fullmatch(timeout)
    if found is None:
        raise RpcError(
            Code.INVALID_ARGUMENT, "The header grpc-timeout must be digits and a unit of H, M, S, m, u or n."
        )
    return int(found[1]) * _UNITS[found[2]]


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds) or seconds < 0:
        raise RpcError(Code.INVALID_ARGUMENT, "The header x-server-timeout must be a number of seconds.")
    return seconds
