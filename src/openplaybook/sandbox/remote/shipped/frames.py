"""Documents, and descriptors with them, between the monitor and the guest."""

import json
import socket
from collections.abc import Mapping, Sequence

_HEAD = 4
_MAX_DESCRIPTORS = 4


def send(channel: socket.socket, document: Mapping[str, object], descriptors: Sequence[int] = ()) -> None:
    """Send a JSON object; raises `OSError` when the other side is gone."""
    text = json.dumps(document).encode()
    socket.send_fds(channel, [len(text).to_bytes(_HEAD, "big")], descriptors)
    channel.sendall(text)


def receive(channel: socket.socket) -> tuple[dict[str, object], Sequence[int]]:
    """The next JSON object and the descriptors that came with it; raises `EOFError` when the other side is gone."""
    head, descriptors, _, _ = socket.recv_fds(channel, _HEAD, _MAX_DESCRIPTORS)
    if not head:
        raise EOFError
    head += _exactly(channel, _HEAD - len(head))
    return json.loads(_exactly(channel, int.from_bytes(head, "big"))), descriptors


def _exactly(channel: socket.socket, size: int) -> bytes:
    pieces: list[bytes] = []
    while size:
        piece = channel.recv(min(size, 1 << 20))
        if not piece:
            raise EOFError
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)
