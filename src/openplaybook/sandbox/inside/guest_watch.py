"""Watches one execution: takes its output, passes its calls of tools on, and ends it when a limit is reached.

Afterwards the processes of a guest are killed or, where its session is kept, held still until the next execution.
"""

import os
import select
import signal
import time
from dataclasses import dataclass, field

from .execution_limits import ExecutionLimits
from .frames import ANSWER, CALL, DONE, BadFrame, FrameInbox, frame, read_frame, write_all
from .usage_meter import UsageMeter

_LOOK_S, _CLOSE_LOOK_S = 0.05, 0.01
"""Between two looks at memory and processor time; the second where memory comes near its limit."""
_LAST_WORDS_S = 0.2
"""For a guest that gets little processor time on a busy machine; one that has spoken is dead, and not waited for."""
_MANY_READS, _BREATH_S = 500, 0.001
_CHUNK = 65536
_FLOOD = 64 * 1024 * 1024
"""Bytes of output beyond the limit after which the execution is ended: throwing them away costs time too."""
_MONITOR = 1
_STILLNESS_S = 0.5
_STILL = "TtZXx"
"""States of a task that does nothing (proc_pid_stat(5))."""
_GONE = select.POLLHUP | select.POLLRDHUP | select.POLLERR


class ClientGone(Exception):
    """Nobody waits for the execution any more."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest, as its monitor holds it."""

    pid: int
    process: int
    """Its pidfd."""
    channel: int
    output: int
    errors: int
    """None of the three blocks."""


@dataclass(slots=True)
class CapturedOutput:
    """What came out of one stream, up to its limit."""

    most: int
    kept: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def take(self, data: bytes) -> None:
        """Keep what there is room for."""
        room = self.most - len(self.kept)
        self.kept += data[:room]
        self.dropped += max(0, len(data) - room)


class GuestWatch:
    """One execution of a guest, from the request on. `ended` and the rest hold when `run` returns."""

    def __init__(
        self, guest: Guest, client: int, limits: ExecutionLimits, meter: UsageMeter, *, tools: bool, kept: bool
    ) -> None:
        self.ended = ""
        """A value of `Ended`."""
        self.waits_for_more = False
        """The guest came to the end of the code and lives on, with `exit_code`."""
        self.exit_code: int | None = None
        self.streams = {
            guest.output: CapturedOutput(limits.stdout_bytes),
            guest.errors: CapturedOutput(limits.stderr_bytes),
        }
        self.misused = ""
        """What the guest did to the channel that no runtime does."""
        self._guest, self._client, self._limits, self._meter = guest, client, limits, meter
        self._tools, self._kept = tools, kept
        self._open = True
        self._dead = False
        self._reads = 0
        self._asking = False
        self._inbox = FrameInbox()
        self._outbox = memoryview(b"")
        self._poll = select.poll()
        for descriptor in (guest.process, guest.channel, guest.output, guest.errors):
            self._poll.register(descriptor, select.POLLIN)
        self._poll.register(client, select.POLLIN | select.POLLRDHUP)

    def run(self, request: bytes, deadline: float) -> None:
        """Give the guest its request and stay until it is over. `ClientGone`."""
        self._send(request)
        look = time.monotonic() + _LOOK_S
        while not self.ended:
            now = time.monotonic()
            if now >= deadline:
                self.ended = "time"
                break
            if now >= look:
                self.ended = self._meter.exceeded(self._limits)
                look = now + (_CLOSE_LOOK_S if self._meter.pressed else _LOOK_S)
            else:
                self._turn(min(look, deadline) - now)
        if self.ended in ("time", "cpu"):
            self._warn()

    def _warn(self) -> None:
        """Let a runtime that still listens write out what was printed."""
        os.kill(self._guest.pid, signal.SIGXCPU)
        until = time.monotonic() + _LAST_WORDS_S
        while not self._dead and (left := until - time.monotonic()) > 0:
            self._turn(left)

    def drain(self) -> None:
        """Take what is left in the pipes; whoever wrote there is dead or stopped."""
        for descriptor, captured in self.streams.items():
            while data := _read(descriptor):
                captured.take(data)

    def _turn(self, seconds: float) -> None:
        for descriptor, events in self._poll.poll(seconds * 1000 + 1):
            if descriptor in self.streams:
                self._take_output(descriptor)
            elif descriptor == self._guest.channel:
                self._talk(events)
            elif descriptor == self._client:
                self._hear(events)
            else:
                self._dead = True
                self.ended = self.ended or "exit"

    def _take_output(self, descriptor: int) -> None:
        data = _read(descriptor)
        if data is None:
            return
        if not data:
            self._poll.unregister(descriptor)
            return
        captured = self.streams[descriptor]
        captured.take(data)
        self._reads += 1
        if self._reads > _MANY_READS and len(data) < _CHUNK // 16:
            # Byte by byte, a guest would have its monitor burn as much as itself.
            time.sleep(_BREATH_S)
        if captured.dropped > _FLOOD:
            self.ended = self.ended or "output"

    def _hear(self, events: int) -> None:
        if events & _GONE:
            raise ClientGone
        try:
            kind, payload = read_frame(self._client)
        except EOFError:
            raise ClientGone from None
        if kind != ANSWER or not self._asking:
            raise BadFrame("the client speaks out of turn")
        self._asking = False
        self._send(frame(ANSWER, payload))

    def _talk(self, events: int) -> None:
        if events & select.POLLOUT:
            self._send(b"")
        if not events & (select.POLLIN | _GONE):
            return
        data = _read(self._guest.channel)
        if data is None:
            return
        if not data:
            # Closed by a guest that has no use for it; its end is seen elsewhere.
            self._poll.unregister(self._guest.channel)
            self._open = False
            return
        try:
            for kind, payload in self._inbox.feed(data):
                self._listen(kind, payload)
        except (BadFrame, ValueError) as wrong:
            self.misused = str(wrong) or "no frame"
            self.ended = "cancelled"

    def _listen(self, kind: bytes, payload: bytes) -> None:
        if kind == CALL and self._tools and not self._asking:
            self._asking = True
            write_all(self._client, frame(CALL, payload))
        elif kind == DONE and self._kept and not self._asking:
            self.exit_code = int(payload) & 0xFF
            self.waits_for_more = True
            self.ended = self.ended or "exit"
        else:
            raise BadFrame("the code spoke out of turn in the channel of its tools")

    def _send(self, data: bytes) -> None:
        """To a guest that may not read: never waits."""
        if not self._open:
            return
        self._outbox = memoryview(bytes(self._outbox) + data)
        try:
            while self._outbox:
                self._outbox = self._outbox[os.write(self._guest.channel, self._outbox) :]
        except (BlockingIOError, ConnectionError):
            # Full: later. Closed: the guest is dying, which is seen elsewhere.
            pass
        self._poll.modify(self._guest.channel, select.POLLIN | (select.POLLOUT if self._outbox else 0))


def _read(descriptor: int) -> bytes | None:
    """What there is; empty at the end of the stream; None where nothing is there now."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except ConnectionError:
        return b""


def kill_all() -> None:
    """All but this process, which is pid 1 here."""
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return


def stop_all(guest: int) -> bool:
    """Stop every process of this pid namespace but this one; False when they cannot be brought to a stand."""
    until = time.monotonic() + _STILLNESS_S
    while time.monotonic() < until:
        # Again each time: a fork may have been on its way.
        os.kill(-1, signal.SIGSTOP)
        if not os.path.isdir(f"/proc/{guest}"):
            return False
        # Twice: while the first look went on, one that was not looked at yet may have woken one that was, by its end.
        if _all_still() and _all_still():
            return True
        select.select([], [], [], 0.0005)
    return False


def _all_still() -> bool:
    return all(_is_still(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != _MONITOR)


def _is_still(process: str) -> bool:
    try:
        tasks = os.listdir(f"/proc/{process}/task")
        return all(_state(f"/proc/{process}/task/{task}/stat") in _STILL for task in tasks)
    except (FileNotFoundError, ProcessLookupError):
        return True


def _state(path: str) -> str:
    with open(path, encoding="ascii", errors="replace") as status:
        return status.read().rpartition(")")[2].split()[0]
