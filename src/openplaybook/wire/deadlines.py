"""How long a REST client says it waits."""

import math
import re
from collections.abc import Mapping

from openplaybook.wire.errors import Code, RpcError

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
