"""What went wrong, in our words."""

import os

from yarl import URL

from openplaybook.egress.base import HttpLimits
from openplaybook.egress.errors import AddressRefused, BadResponse, ConnectFailed, EgressError, TimedOut
from openplaybook.egress.http_connection import BodyUnreadable, ExcessiveOverhead, NotHttp, PeerSilent
from openplaybook.egress.http_pool import ConnectTooSlow, Unreachable


def translated(error: Exception, url: URL, limits: HttpLimits) -> EgressError:
    """The error in our words."""
    peer = f"{url.raw_host}:{url.port}"
    match error:
        case EgressError():
            return error
        case ConnectTooSlow():
            return TimedOut(f"no connection to {peer} within {limits.connect_s:g} s", which="connect", sent=False)
        case PeerSilent():
            return TimedOut(f"{peer} sent nothing for {limits.read_s:g} s", which="read", sent=True)
        case TimeoutError():
            return TimedOut(f"{peer} did not finish within {limits.total_s:.3g} s", which="total", sent=True)
        case Unreachable(__cause__=OSError(errno=int(number))) if number:
            return ConnectFailed(f"{peer} cannot be reached: {os.strerror(number)}")
        case Unreachable():
            return ConnectFailed(f"{peer} cannot be reached: no connection")
        case ValueError():
            return AddressRefused("the request cannot be sent as written", rule="malformed_url")
        case ExcessiveOverhead():
            return BadResponse(f"{peer} sent far more next to its response body than belongs there", sent=True)
        case NotHttp():
            return BadResponse(f"{peer} sent a response that is not HTTP", sent=True)
        case BodyUnreadable():
            return BadResponse(f"{peer} sent a response whose body cannot be read: it is broken", sent=True)
        case _:
            return BadResponse(f"{peer} closed the connection before its response was complete", sent=True)


def without_way(error: BaseException) -> None:
    """Take from an error, and those that it came of, the functions that they passed: what keeps the error would keep
    the request's body with them, until the garbage collector comes."""
    chain = list[BaseException | None]([error])
    while chain:
        each = chain.pop()
        if each is not None and each.__traceback__ is not None:
            each.__traceback__ = None
            chain += [each.__context__, each.__cause__]
