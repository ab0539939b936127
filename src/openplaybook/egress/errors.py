"""Why an HTTP exchange came to nothing.

EgressError
├── AddressRefused      the address policy forbids the URL or where it leads; nothing was sent there
├── CircuitOpen         the service failed too often just now, so it was not asked
├── ConnectFailed       nobody listens
│   └── NameUnknown     the host name has no address
├── TlsFailed           one of the two sides could not prove who it is
├── TimedOut            no place in the queue, no connection, no further piece, or no end in time
├── BadResponse         the connection broke, or the answer is not HTTP
└── TooManyRedirects    more redirects than are followed
"""

from typing import ClassVar


class EgressError(Exception):
    """There is no answer. The message is safe to show: it holds no header and no query string."""

    code: ClassVar[str] = "EGRESS_FAILED"

    def __init__(self, message: str, *, sent: bool = False) -> None:
        super().__init__(message)
        self.sent = sent
        """Whether the other side may have got the request and acted on it."""
        self.attempts = 1
        """How often it was tried."""
        self.elapsed_s = 0.0
        """How long all tries took together."""


class AddressRefused(EgressError):
    """The address policy does not let this URL be reached."""

    code = "ADDRESS_REFUSED"

    def __init__(self, message: str, *, rule: str, sent: bool = False) -> None:
        super().__init__(message, sent=sent)
        self.rule = rule
        """Name of the rule, such as `loopback`, `private`, `metadata`, `scheme`."""


class CircuitOpen(EgressError):
    """The service is given a pause."""

    code = "CIRCUIT_OPEN"


class ConnectFailed(EgressError):
    """No connection came about."""

    code = "CONNECTION_FAILED"


class NameUnknown(ConnectFailed):
    """The host name has no address."""


class TlsFailed(EgressError):
    """The TLS handshake failed, most often on a certificate."""

    code = "TLS_FAILED"


class TimedOut(EgressError):
    """Too slow."""

    code = "TIMEOUT"

    def __init__(self, message: str, *, which: str, sent: bool) -> None:
        super().__init__(message, sent=sent)
        self.which = which
        """`queue`, `connect`, `read` or `total`."""


class BadResponse(EgressError):
    """The connection broke before the answer was whole, or the answer breaks the protocol."""

    code = "BAD_RESPONSE"


class TooManyRedirects(EgressError):
    """The other side sent us round too often."""

    code = "TOO_MANY_REDIRECTS"
