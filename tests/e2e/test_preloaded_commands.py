"""The commands that tests start are those that users type: only what they import is there before."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.kit.server import clean_environment, killed
from tests.kit.preloaded.commands import COMMAND, quick_command
from tests.kit.processes import wait_until_gone


def ended(program: Path, *words: str, said: str = "", **variables: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [program, *words],
        input=said,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**clean_environment(), **variables},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--version"], ""),
        (["agents", "list", "--data-dir", "FOLDER"], ""),
        (["agents", "show"], ""),
        (["openapi", "inspect", "nowhere.yaml"], ""),
        (["secrets", "set", "projects/p/secrets/s", "--data-dir", "FOLDER"], "a value"),
    ],
)
@pytest.mark.parametrize("variables", [{}, {"PYTHONUTF8": "1"}], ids=["forked", "new"])
def test_both_commands_print_and_return_the_same(
    words: list[str], said: str, variables: Mapping[str, str], tmp_path: Path
) -> None:
    quick, real = (
        ended(program, *(str(tmp_path / name) if word == "FOLDER" else word for word in words), said=said, **variables)
        for name, program in (("quick", quick_command()), ("real", COMMAND))
    )
    assert [part.replace(str(tmp_path / "quick"), str(tmp_path / "real")) for part in quick[1:]] == list(real[1:])
    assert quick[0] == real[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_arrive(number: signal.Signals, tmp_path: Path) -> None:
    command = [quick_command(), "serve", "--data-dir", tmp_path, "--port", "0", "--grpc-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_environment()) as process:
        assert process.stdout is not None
        assert process.stdout.readline() != ""
        process.send_signal(number)
        assert process.wait(20) == 0


@pytest.mark.proof
def test_a_command_whose_starter_is_killed_dies(tmp_path: Path) -> None:
    program = f"""
import pathlib, time
from tests.e2e.kit.server import killed
with killed(pathlib.Path({str(tmp_path)!r})) as server:
    print(server.process.pid, flush=True)
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        starter.kill()
    asyncio.run(wait_until_gone({pid}))


def test_a_server_that_was_killed_tells_how_it_ended(tmp_path: Path) -> None:
    with killed(tmp_path) as server:
        assert server.process.poll() is None
        server.process.kill()
        assert (server.process.wait(20), server.process.poll()) == (-signal.SIGKILL, -signal.SIGKILL)
