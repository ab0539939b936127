"""Why an HTTP exchange came to nothing.

EgressError
├── AddressRefused      the address policy forbids the URL or where it leads; nothing was sent there
├── ConnectFailed       the name is unknown, or nobody listens
├── TlsFailed           the other side could not prove who it is
├── TimedOut            no connection, no further piece, or no end in time
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


class AddressRefused(EgressError):
    """The address policy does not let this URL be reached."""

    code = "ADDRESS_REFUSED"

    def __init__(self, message: str, *, rule: str, sent: bool = False) -> None:
        super().__init__(message, sent=sent)
        self.rule = rule
        """Name of the rule, such as `loopback`, `private`, `metadata`, `scheme`."""


class ConnectFailed(EgressError):
    """No connection came about."""

    code = "CONNECTION_FAILED"


class TlsFailed(EgressError):
    """The TLS handshake failed, most often on the certificate."""

    code = "TLS_FAILED"


class TimedOut(EgressError):
    """Too slow."""

    code = "TIMEOUT"

    def __init__(self, message: str, *, which: str, sent: bool) -> None:
        super().__init__(message, sent=sent)
        self.which = which
        """`connect`, `read` or `total`."""


class BadResponse(EgressError):
    """The connection broke before the answer was whole, or the answer breaks the protocol."""

    code = "BAD_RESPONSE"


class TooManyRedirects(EgressError):
    """The other side sent us round too often."""

    code = "TOO_MANY_REDIRECTS"
