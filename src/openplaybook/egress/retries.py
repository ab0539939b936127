"""Which exchanges are tried again, and after how long."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.egress.errors import BadResponse, ConnectFailed, EgressError, NameUnknown, TimedOut

MAX_ATTEMPTS = 3

OVERLOADED = frozenset({502, 503, 504})
"""Statuses of a service, or of a gateway before it, that cannot answer now (RFC 9110 §15.6)."""
_TOO_MANY_REQUESTS = 429
_SAYS_WHEN = frozenset({_TOO_MANY_REQUESTS, 503})

_FIRST_BACKOFF_S = 0.25
_MAX_BACKOFF_S = 4.0
_SECONDS = re.compile(r"[0-9]{1,9}")


def wait_before_retry(
    outcome: HttpResponse | EgressError, request: HttpRequest, attempt: int, jitter: float, now: datetime
) -> float | None:
    """Seconds until `request` is tried again, its try number `attempt` (from 1) having come to `outcome`; None: never.

    A service that answers 429 or 503 and says when to come back has not acted (RFC 9110 §10.2.3), nor has one that was
    not reached: these are tried again whatever the method. All else is only where the request is repeatable.
    `jitter`, from 0 to 1, spreads callers over the pause ("full jitter"), which doubles from try to try.
    """
    pause = jitter * min(_FIRST_BACKOFF_S * 2 ** (attempt - 1), _MAX_BACKOFF_S)
    if isinstance(outcome, HttpResponse):
        retry_s = retry_after(outcome, now) if outcome.status in _SAYS_WHEN else None
        if retry_s is not None:
            return retry_s
        is_passing = outcome.status in OVERLOADED or outcome.status == _TOO_MANY_REQUESTS
        return pause if is_passing and request.repeatable else None
    if not _is_passing(outcome) or (outcome.sent and not request.repeatable):
        return None
    # Most often a kept connection that the other side had just closed: a new one will do.
    return 0.0 if isinstance(outcome, BadResponse) and attempt == 1 else pause


def retry_after(response: HttpResponse, now: datetime) -> float | None:
    """Seconds to wait by the `Retry-After` header, a number or a date (RFC 9110 §10.2.3); None without a valid one."""
    text = response.header("Retry-After").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return max((at - now).total_seconds(), 0.0)


def _is_passing(error: EgressError) -> bool:
    """Whether the next try may fare better."""
    if isinstance(error, NameUnknown):
        return False
    return isinstance(error, BadResponse | ConnectFailed) or (
        isinstance(error, TimedOut) and error.which in ("connect", "read")
    )
