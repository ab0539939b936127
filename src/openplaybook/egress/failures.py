"""What went wrong, from aiohttp's words into ours."""

import os

import aiohttp
from yarl import URL

from openplaybook.egress.base import HttpLimits
from openplaybook.egress.errors import (
    AddressRefused,
    BadResponse,
    ConnectFailed,
    EgressError,
    NameUnknown,
    TimedOut,
)
from openplaybook.egress.metering import Overloaded


def translated(error: Exception, url: URL, limits: HttpLimits) -> EgressError:
    """The error in our words. Order matters: aiohttp's classes overlap."""
    peer = f"{url.raw_host}:{url.port}"
    match error:
        case aiohttp.ConnectionTimeoutError():
            return TimedOut(f"no connection to {peer} within {limits.connect_s:g} s", which="connect", sent=False)
        case aiohttp.SocketTimeoutError():
            return TimedOut(f"{peer} sent nothing for {limits.read_s:g} s", which="read", sent=True)
        case TimeoutError():
            return TimedOut(f"{peer} did not finish within {limits.total_s:.3g} s", which="total", sent=True)
        case aiohttp.ClientConnectorDNSError():
            return NameUnknown(f"the host name {url.raw_host} is unknown")
        case aiohttp.ClientConnectorError():
            reason = os.strerror(error.os_error.errno) if error.os_error.errno else "no connection"
            return ConnectFailed(f"{peer} cannot be reached: {reason}")
        case aiohttp.InvalidURL() | ValueError():
            return AddressRefused("the request cannot be sent as written", rule="malformed_url")
        case Overloaded():
            return BadResponse(f"{peer} sent far more next to its response body than belongs there", sent=True)
        case aiohttp.ClientResponseError():
            return BadResponse(f"{peer} sent a response that is not HTTP", sent=True)
        case _:
            return BadResponse(f"{peer} closed the connection before its response was complete", sent=True)


def without_way(error: BaseException) -> None:
    """Take from an error, and those that it came of, the functions that they passed: aiohttp's own keep their errors,
    which would have the request's body kept until the garbage collector comes."""
    chain = list[BaseException | None]([error])
    while chain:
        each = chain.pop()
        if each is not None and each.__traceback__ is not None:
            each.__traceback__ = None
            chain += [each.__context__, each.__cause__]
            if isinstance(each, aiohttp.ClientConnectorError):
                chain.append(each.os_error)
