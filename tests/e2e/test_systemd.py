"""The server as a system service: what it tells the service manager, and the unit that starts it."""

import os
import re
import shutil
import signal
import socket
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from openplaybook.server.lifecycle import tell_service_manager
from openplaybook.server.settings import Settings
from tests.e2e.kit.server import clean_environment, killed
from tests.kit.preloaded.commands import COMMAND

UNIT = Path(__file__).parents[2] / "deploy" / "systemd" / "openplaybook.service"


@pytest.fixture
def manager() -> socket.socket:
    """The socket that a service manager listens on."""
    return socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)


def test_the_manager_hears_when_the_server_is_ready_and_when_it_stops(tmp_path: Path, manager: socket.socket) -> None:
    with manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(20)
        with killed(tmp_path, NOTIFY_SOCKET=str(tmp_path / "notify")) as server:
            assert manager.recv(100) == b"READY=1"
            server.process.terminate()
            assert manager.recv(100) == b"STOPPING=1"
            assert server.process.wait(20) == 0


def test_an_abstract_address_begins_with_an_at_sign(manager: socket.socket, tmp_path: Path) -> None:
    name = f"openplaybook-test-{tmp_path.name}"
    with manager:
        manager.bind(f"\0{name}")
        tell_service_manager("READY=1", {"NOTIFY_SOCKET": f"@{name}"})
        assert manager.recv(100) == b"READY=1"


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, []),
        ({"NOTIFY_SOCKET": ""}, []),
        ({"NOTIFY_SOCKET": "/nowhere/notify"}, ["the service manager at /nowhere/notify does not listen"]),
    ],
)
def test_without_a_manager_nothing_is_told_but_to_the_log(
    environment: dict[str, str], told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    tell_service_manager("READY=1", environment)
    assert [record.getMessage() for record in caplog.records] == told


def test_the_unit_sets_only_what_is_a_setting() -> None:
    named = set(re.findall(r"\bOPENPLAYBOOK_([A-Z_]+)=", UNIT.read_text()))
    assert {name.lower() for name in named} - {field.name for field in fields(Settings)} == set()


@pytest.mark.parametrize(("is_at_terminal", "status"), [(False, 0), (True, -signal.SIGHUP)])
def test_a_reload_never_ends_a_service_and_a_closed_window_ends_a_server_in_it(
    tmp_path: Path, is_at_terminal: bool, status: int
) -> None:
    ends = os.openpty()
    # A test run that is itself to outlive its window (nohup) would hand that down.
    inherited = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(
            [COMMAND, "serve", "--data-dir", tmp_path / "data", "--port", "0", "--grpc-port", "0"],
            stdin=ends[1] if is_at_terminal else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=clean_environment(),
        ) as process,
    ):
        signal.signal(signal.SIGHUP, inherited)
        assert process.stdout is not None
        while "Data" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGHUP)
        if not is_at_terminal:
            process.terminate()
        assert process.wait(20) == status
    for end in ends:
        os.close(end)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")
def test_the_unit_passes_systemds_own_check(tmp_path: Path) -> None:
    # The check wants the command to be there.
    checked = tmp_path / UNIT.name
    checked.write_text(UNIT.read_text().replace("/opt/openplaybook/bin/openplaybook", str(COMMAND)))
    done = subprocess.run(["systemd-analyze", "verify", checked], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
