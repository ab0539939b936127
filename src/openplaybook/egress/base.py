"""The `Transport` port: one HTTP exchange with the world, and what it may cost."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

_OTHER_METHODS = ("x-http-method", "x-http-method-override", "x-method-override")
_FRAMING = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "expect", "keep-alive"}
)
"""Headers that say where a message begins and ends, and what becomes of its connection (RFC 9112 §6 and §9)."""


@dataclass(frozen=True, slots=True)
class ClientCertificate:
    """What proves who we are in a TLS handshake (RFC 8446 §4.4.2); hashable, so that connections are kept by it."""

    certificate: bytes
    """PEM; intermediate certificates may follow."""
    private_key: bytes = field(repr=False)
    """PEM, encrypted or not."""
    passphrase: bytes = field(default=b"", repr=False)
    """Opens an encrypted private key; empty for one that is not."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to connect, whatever the URL's host resolves to."""

    address: str
    """An IP address."""
    port: int


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request, ready to be sent."""

    method: str
    """Upper case."""
    url: str
    """Absolute, percent-encoded; it is sent as it stands."""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    ca_certificates: tuple[bytes, ...] = ()
    """Certificates (PEM or DER) that are trusted for this request instead of the system's; empty: the system's."""
    client_certificate: ClientCertificate | None = None
    """Shown when the other side asks for one. Never shown to another origin after a redirect."""
    endpoints: tuple[Endpoint, ...] = ()
    """In a private network, tried in order: dialled in place of what the name resolves to. The certificate is still
    checked against the URL's host; metadata addresses stay refused. Empty: the name is resolved."""
    repeatable: bool = False
    """Whether sending it twice is as good as once, so that the transport may try again."""
    follows_redirects: bool = True
    """False for a service that may be in hostile hands and must not choose what is asked of others: then a redirect is
    the answer."""

    def with_header(self, name: str, value: str) -> "HttpRequest":
        """The same request with `name` set to `value`; an equal name is replaced, whatever its case."""
        others = tuple(header for header in self.headers if header[0].lower() != name.lower())
        return replace(self, headers=(*others, (name, value)))


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """What one exchange may cost, redirects included."""

    connect_s: float = 5.0
    """Seconds for resolving the name and opening the connection, TLS included."""
    read_s: float = 30.0
    """Seconds between two pieces of the answer."""
    total_s: float = 60.0
    max_bytes: int = 10_000_000
    """Bytes of the answer's body after decompression; what is longer is cut."""
    max_concurrent: int = 0
    """Calls to one origin that may run at once; waiting for a place counts in `total_s`. 0: the transport's own
    limit, which this can only lower."""
    caller: str = ""
    """On whose behalf, such as an agent's name: queues and circuit breakers are each caller's own, so that none can
    shut out another from a service that both call."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An answer, whatever its status."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    """Decompressed."""
    truncated: bool
    """True when the body was longer than `HttpLimits.max_bytes`; the rest was not read."""
    elapsed_s: float
    attempts: int = 1
    """How often the request was tried; redirects that were followed do not count."""

    def header(self, name: str) -> str:
        """The first header called `name` in any case; empty when there is none."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


class Transport(Protocol):
    """The one door out."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The answer to `request`; raises a subclass of `EgressError` when there is none."""
        ...

    async def aclose(self) -> None:
        """Close every connection; the transport cannot be used afterwards."""
        ...


class Resolver(Protocol):
    """Turns a host name into addresses."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """The IP addresses of `host`, in the order they should be tried; raises `OSError` when it has none."""
        ...


def is_framing(name: str) -> bool:
    """Whether a header belongs to the transport, whatever its case.

    A request with one of its own could end elsewhere than we think, and the next one on its connection, which may be
    another agent's, would be read as a part of it.
    """
    lower = name.lower()
    return lower in _FRAMING or lower.startswith("proxy-")


def overrides_method(name: str) -> bool:
    """Whether a header makes another request of ours, whatever its case: a reading one would write."""
    return name.lower() in _OTHER_METHODS
