"""One call: what its handler may know of it, how large its request may be, and how long its answer may take."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from openplaybook.wire.api import Method
from openplaybook.wire.bytes_in_flight import MESSAGE_AT_ONCE, Reservation
from openplaybook.wire.errors import Code, RpcError


@dataclass(slots=True)
class RpcContext:
    """One call."""

    method: str
    """Full name of the RPC as it was called: of the stable version where the client speaks that."""
    version: str
    """`v3`, `v3beta1`, `v1`, `v1beta`; of operations and locations over REST, the version in the path; over gRPC these
    two state none, and it is empty."""
    transport: Literal["rest", "grpc"]
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    """Request headers or gRPC metadata, keys in lower case; binary metadata is left out."""
    timeout_s: float | None = None
    """Seconds that the client waits, where it says so."""
    sent_fields: frozenset[str] | None = None
    """Over REST, the paths that the JSON body holds, nested ones too, in snake_case from the body's own root
    (`open_api_spec.text_schema`); null values count. Empty for an RPC that takes no update mask. Over gRPC `None`:
    absent and default look the same there."""
    request_bytes: int = 0
    """How many bytes the request has, as it came, decompressed."""
    answer_bytes: int = 0
    """How many bytes the answer has that a handler knows to be large, roughly; it is written elsewhere than in the
    event loop then."""
    spent_s: float = 0.0
    """Seconds of the call's time that went by before its handler could begin, while the request was read."""
    room: Reservation | None = field(default=None, repr=False)
    """The request's share of what the server holds at once; work that goes on with it after the answer keeps it."""
    warnings: list[str] = field(default_factory=list[str])
    """What `warn` was told."""
    on_delivered: list[Callable[[], None]] = field(default_factory=list["Callable[[], None]"])
    """Told, each once, when the whole answer was written to a connection that still stood; never for one that had
    gone, nor for an error."""

    @property
    def is_large(self) -> bool:
        """Whether the request is so large that work on all of it must not be done in the event loop."""
        return self.request_bytes > MESSAGE_AT_ONCE

    def warn(self, text: str) -> None:
        """Tells the client something that is no error: it goes out as an `x-openplaybook-warning` header or trailing
        metadata. Of a stream, only what is said before the first answer goes out over REST."""
        self.warnings.append(text)

    def delivered(self) -> None:
        """Tells those who asked that the answer has left."""
        for tell in self.on_delivered:
            tell()


WARNING_HEADER = "x-openplaybook-warning"


MAX_WARNINGS = 10
"""Headers of warnings in one answer. Clients take only so much: 8 kB of trailing metadata in gRPC, 100 headers in
Python's http.client."""

_MAX_WARNING = 250


def header_texts(warnings: Sequence[str]) -> list[str]:
    """The warnings as headers can carry them: printable ASCII, all else escaped; those beyond a few are counted."""
    texts = [_header_text(warning) for warning in warnings[:MAX_WARNINGS]]
    more = len(warnings) - len(texts)
    return [*texts, f"and {more} more"] if more > 0 else texts


def _header_text(text: str) -> str:
    escaped = text[:_MAX_WARNING].encode("ascii", "backslashreplace").decode("ascii")
    printable = "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in escaped)
    is_whole = len(text) <= _MAX_WARNING and len(printable) <= _MAX_WARNING
    return printable if is_whole else f"{printable[:_MAX_WARNING]}..."


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

    def allowed_s(self, requested: float | None) -> float | None:
        """Seconds that a call has whose caller asks for so many, or for none."""
        if requested is None or self.seconds is None:
            return self.seconds
        return min(requested, self.longest or self.seconds)


Limits: TypeAlias = Callable[[Method], RpcLimit]
"""The limits of every RPC."""


def unlimited(method: Method) -> RpcLimit:
    """No limit, whatever the RPC."""
    return _NONE


_NONE = RpcLimit()


def deadline_exceeded(seconds: float, requested: float | None) -> RpcError:
    """For a call that had so many seconds; `requested`: how many its caller waits, None where it does not say."""
    whose = "its own deadline" if requested is not None and requested <= seconds else "the limit of this RPC"
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
