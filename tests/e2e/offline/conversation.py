"""The demo from start to stop, and a conversation with it through Google's client; prints what it saw as JSON.

With the argument `isolated` the process is taken to be in a network namespace of its own, where not even loopback is
up yet. The other argument is a folder for the demo's data.
"""

import fcntl
import json
import socket
import struct
import sys
from pathlib import Path

import grpc
from google.cloud import dialogflowcx_v3 as cx

from tests.e2e.kit.server import running
from tests.e2e.kit.shop import said, tool_calls

_SIOCSIFFLAGS = 0x8914
_IFF_UP = 0x1


def raise_loopback() -> None:
    """Bring `lo` up (Linux, netdevice(7))."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def main(folder: Path, *, isolated: bool) -> None:
    """Hold the conversation."""
    if isolated:
        raise_loopback()
    with running(folder, command="demo") as server, grpc.insecure_channel(server.grpc) as channel:
        sessions = cx.SessionsClient(transport=cx.SessionsClient.get_transport_class("grpc")(channel=channel))
        session = f"{server.facts['Agent']}/sessions/1"

        def turn(**given: object) -> cx.DetectIntentResponse:
            query = {**given, "language_code": "en"}
            return sessions.detect_intent(request={"session": session, "query_input": query})

        answered = turn(text={"text": "show me pet 3"})
        asked = turn(text={"text": "I need a shelter near 94043"})
        [call] = tool_calls(asked)
        result = {"name": "Paws", "street": "1 Main St", "distance_km": 2.5}
        resumed = turn(tool_call_result={"tool": call["tool"], "action": call["action"], "output_parameters": result})
        seen = {
            "interfaces": [name for _, name in socket.if_nameindex()],
            "model": server.facts["Model"],
            "answered": said(answered),
            "asked": [call["action"], call["inputParameters"]],
            "resumed": said(resumed),
        }
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]), isolated="isolated" in sys.argv[2:])
