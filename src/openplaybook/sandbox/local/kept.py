"""Sessions whose guests are kept between executions."""

import asyncio

from openplaybook.sandbox.local.monitor_conversation import MonitorConversation


class KeptSessions:
    """By name, the least recently used first; each ends when nobody asks for it for a while."""

    def __init__(self, most: int, idle_s: float) -> None:
        self._most, self._idle_s = most, idle_s
        self._held: dict[str, tuple[MonitorConversation, asyncio.TimerHandle]] = {}

    def take(self, session: str) -> MonitorConversation | None:
        """The guest of a session, which is the caller's now; None when there is none, or no more."""
        conversation, timer = self._held.pop(session, (None, None))
        if timer is not None:
            timer.cancel()
        if conversation is None or conversation.is_open:
            return conversation
        # Its monitor is gone; our end of the socket is not.
        conversation.close()
        return None

    def put(self, session: str, conversation: MonitorConversation) -> None:
        """Keep a guest for the next execution of a session."""
        self._end(session)
        timer = asyncio.get_running_loop().call_later(self._idle_s, self._end, session)
        self._held[session] = conversation, timer
        while len(self._held) > self._most:
            self._end(next(iter(self._held)))

    def close(self) -> None:
        """End all of them."""
        for session in list(self._held):
            self._end(session)

    def _end(self, session: str) -> None:
        conversation = self.take(session)
        if conversation is not None:
            conversation.close()
