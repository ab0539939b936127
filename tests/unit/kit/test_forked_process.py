"""A command in a fork behaves as `subprocess.Popen` would, whenever it ends."""

import socket
import subprocess
from io import StringIO

from tests.kit.preloaded.commands import ForkedProcess


def test_a_signal_to_one_that_is_gone_before_its_status_arrives_is_no_error() -> None:
    telling, connection = socket.socketpair()
    with telling:
        gone = ForkedProcess(connection, _pid_of_nobody(), StringIO())
        gone.kill()
        assert gone.poll() is None
        telling.sendall((-9).to_bytes(4, "big", signed=True))
        assert gone.wait(30) == -9


def _pid_of_nobody() -> int:
    with subprocess.Popen(["true"]) as ended:
        return ended.pid
