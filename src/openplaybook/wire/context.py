"""What a handler may know of the call it answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from openplaybook.wire.aside import MESSAGE_AT_ONCE
from openplaybook.wire.bytes_in_flight import Reservation


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
