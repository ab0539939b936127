"""Short-lived tokens for one conversation each, so that a web page needs no API key.

A token is sealed with the server's key and kept nowhere: it cannot be taken back, and ends by its time.
"""

import time
from collections.abc import Callable

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.credentials.sealer import PREFIX, Sealer

_MARK = "session."
_PLACE = "session token"
_LONGEST = 2000


def is_session_token(text: str) -> bool:
    """Whether a bearer token has the form of ours; whether it is good is another question."""
    return text.startswith(_MARK)


class SessionTokens:
    """Issues tokens and reads them."""

    def __init__(self, sealer: Sealer, clock: Callable[[], float] = time.time) -> None:
        self._sealer = sealer
        self._clock = clock

    def issue(self, session: str, ttl_s: int) -> tuple[str, int]:
        """A token for a session's resource name, and when it ends, in seconds since the epoch."""
        until = int(self._clock()) + ttl_s
        sealed = self._sealer.seal(f"{until} {session}", _PLACE)
        # A bearer token has no colon (RFC 6750 §2.1).
        return _MARK + sealed.removeprefix(PREFIX).replace(":", "."), until

    def session_of(self, token: str) -> str | None:
        """The session that a token is for; None for one that is not ours, or has ended."""
        if not is_session_token(token) or len(token) > _LONGEST:
            return None
        try:
            text = self._sealer.unseal(PREFIX + token.removeprefix(_MARK).replace(".", ":", 1), _PLACE)
        except SealedValueUnreadable:
            return None
        until, _, session = text.partition(" ")
        return session if int(until) > self._clock() else None
