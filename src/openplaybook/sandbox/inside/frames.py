"""Frames on a stream: one byte of kind, the length, that many bytes. And blobs, whose length a frame has told."""

import os
import socket
import struct
from typing import Final

REQUEST, ANSWER = b"R", b"A"
"""From the client to the monitor, from there to the guest: run this; what a call of a tool gave."""
CALL, RESULT, FAILED = b"C", b"X", b"F"
"""From the monitor to the client: the guest calls a tool; the execution is over; the sandbox broke."""
STANDS, DONE = b"S", b"D"
"""From the guest to the monitor: all walls are up; the code has come to its end and the guest waits for more."""

MOST: Final = 1024 * 1024
"""Bytes of a frame at most."""
LARGEST_PROGRAM: Final = 8 * MOST
"""Bytes of a program, code and context together, at most."""
_HEAD: Final = struct.Struct("=cI")
HEAD_BYTES: Final = _HEAD.size


class BadFrame(Exception):
    """What came is no frame."""


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    """A frame, as bytes."""
    return _HEAD.pack(kind, len(payload)) + payload


def parsed(head: bytes, most: int = MOST) -> tuple[bytes, int]:
    """Kind and length of the payload. `BadFrame` when it is too long."""
    kind, length = _HEAD.unpack(head)
    if length > most:
        raise BadFrame(f"a frame of {length} bytes; at most {most}")
    return kind, length


def read_frame(stream: int, most: int = MOST) -> tuple[bytes, bytes]:
    """The next frame of a blocking stream. `EOFError`, `BadFrame`."""
    kind, length = parsed(read_exactly(stream, HEAD_BYTES), most)
    return kind, read_exactly(stream, length)


def read_exactly(stream: int, length: int) -> bytes:
    """`EOFError` when the other side leaves before."""
    parts = bytearray()
    while len(parts) < length:
        part = os.read(stream, min(length - len(parts), MOST))
        if not part:
            raise EOFError("the other side is gone")
        parts += part
    return bytes(parts)


def write_all(stream: int, *parts: bytes) -> None:
    """Write to a blocking stream."""
    for part in parts:
        left = memoryview(part)
        while left:
            left = left[os.write(stream, left) :]


class FrameInbox:
    """Puts frames together from what a stream gives that does not block."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[bytes, bytes]]:
        """The frames that are whole now. `BadFrame`."""
        self._buffer += data
        frames: list[tuple[bytes, bytes]] = []
        while len(self._buffer) >= HEAD_BYTES:
            kind, length = parsed(bytes(self._buffer[:HEAD_BYTES]))
            if len(self._buffer) < HEAD_BYTES + length:
                break
            frames.append((kind, bytes(self._buffer[HEAD_BYTES : HEAD_BYTES + length])))
            del self._buffer[: HEAD_BYTES + length]
        return frames


def receive_descriptor(stream: socket.socket) -> int:
    """The file descriptor that comes with the next message. `EOFError` when the other side is gone."""
    message, descriptors, _, _ = socket.recv_fds(stream, 1, 1, socket.MSG_CMSG_CLOEXEC)
    if not message or not descriptors:
        raise EOFError("the other side is gone")
    return descriptors[0]
