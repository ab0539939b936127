"""The quick starts do what they say: their blocks run one page after another over one data directory, and clean up."""

import json
import shutil
import ssl
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonValue
from tests.e2e.kit.node import NODE, needs_node
from tests.e2e.kit.scrapi import STAND_IN
from tests.e2e.kit.server import Server, clean_environment, running
from tests.kit.guides import blocks, command_flags, each_block
from tests.kit.preloaded.commands import quick_python, searched
from tests.kit.sandboxed import need_sandbox

USUAL_HTTP, USUAL_GRPC = "127.0.0.1:8080", "127.0.0.1:8081"
DEMO = "projects/demo/locations/global"
STUDIO = "quickstart-cxas-scrapi.md"

needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
PYTHON = "python"
"""Stands for what runs a program of Python, which is started by the test."""
WITH_STAND_IN = ["env", f"PYTHONPATH={STAND_IN}"]
PAGES = (
    pytest.param("quickstart-python.md", "python", [PYTHON, "-"], None, id="python"),
    pytest.param("quickstart-node.md", "js", ["node", "--input-type=module", "-"], NODE, id="node", marks=needs_node),
    pytest.param("quickstart-rest.md", "sh", ["sh", "-eu"], None, id="rest", marks=needs_curl),
    pytest.param(
        "quickstart-dfcx-scrapi.md", "python", ["env", f"PYTHONPATH={STAND_IN}", PYTHON, "-"], None, id="dfcx-scrapi"
    ),
)


def printed(program: str, command: Sequence[str | Path], server: Server, folder: Path, **variables: str) -> str:
    """What a program prints that is given to the command as input, with the demo's addresses in place of the usual."""
    program = program.replace(USUAL_HTTP, server.http.removeprefix("http://")).replace(USUAL_GRPC, server.grpc)
    program = program.replace("port: 8081", f"port: {server.grpc.rsplit(':', 1)[1]}")
    program = program.replace("port: 8080", f"port: {server.http_port}")
    program = program.replace("localhost:8080", f"localhost:{server.http_port}")
    ran = subprocess.run(
        command,
        input=program,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**clean_environment(), **variables},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


class Machine:
    """A reader's machine: one folder with one data directory, and the server that a page wants over it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stack = ExitStack()
        self._demo: Server | None = None

    def demo(self) -> Server:
        """The demo, which goes on running until another server is wanted."""
        if self._demo is None:
            self.stop()
            self._demo = self._stack.enter_context(running(self.folder, command="demo"))
        return self._demo

    def serving(self, *flags: str) -> Server:
        """A server of its own, started where the demo was stopped."""
        self.stop()
        return self._stack.enter_context(running(self.folder, *flags))

    def stop(self) -> None:
        """Stop the server that runs."""
        self._demo = None
        self._stack.close()

    def files(self) -> set[str]:
        """What is in the folder, next to the servers' own."""
        return {path.name for path in self.folder.iterdir()} - {"data", "server.log"}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    made = Machine(tmp_path_factory.mktemp("machine"))
    yield made
    made.stop()


def left(server: Server, certificate: str | None = None) -> JsonValue:
    """All that quick starts could leave behind on the server: agents with what they hold, apps."""
    tls = ssl.create_default_context(cadata=certificate) if certificate else None

    def listed(path: str) -> dict[str, JsonValue]:
        with urllib.request.urlopen(f"{server.http}/{path}", context=tls, timeout=60) as response:
            return json.load(response)

    agents = listed(f"v3beta1/{DEMO}/agents")
    for agent in agents.get("agents", []):
        agent["held"] = [listed(f"v3beta1/{agent['name']}/{kind}") for kind in ("playbooks", "tools", "conversations")]
    return [agents, listed(f"v1beta/{DEMO}/apps")]


def check_page(machine: Machine, page: str, language: str, command: Sequence[str], folder: Path | None) -> None:
    """The page's blocks print what it says, and leave nothing behind."""
    demo = machine.demo()
    before = left(demo)
    program = [quick_python() if word == PYTHON else word for word in command]
    told = printed(blocks(page, language), program, demo, folder or machine.folder)
    assert told == blocks(page, "text")
    assert (left(demo), machine.files()) == (before, set())


@pytest.mark.parametrize(("page", "language", "command", "folder"), PAGES)
def test_a_quick_start_works(machine: Machine, page: str, language: str, command: list[str], folder: Path) -> None:
    check_page(machine, page, language, command, folder)


def test_the_rest_quick_start_starts_the_demo() -> None:
    assert command_flags("quickstart-rest.md", "demo") == []


@pytest.mark.parametrize("time", ["first", "second"])
def test_the_cxas_scrapi_quick_start_works(machine: Machine, tmp_path: Path, time: str) -> None:
    need_sandbox()
    make_certificate, variables, *commands = each_block(STUDIO, "sh")
    subprocess.run(["sh", "-euc", make_certificate], cwd=machine.folder, check=True)
    certificate = (machine.folder / "server.crt").read_text()
    server = machine.serving(*command_flags(STUDIO, "serve"))
    before = left(server, certificate)
    (tmp_path / "page.py").write_text(blocks(STUDIO, "python"))
    program = "".join([variables, f"python {tmp_path}/page.py\n", *commands])
    told = printed(program, ["sh", "-eu"], server, machine.folder, PATH=searched(clean_environment()["PATH"]))
    assert told == blocks(STUDIO, "text")
    assert (left(server, certificate), machine.files()) == (before, set())


@pytest.mark.parametrize(("page", "language", "command", "folder"), PAGES[::-1])
def test_a_quick_start_works_a_second_time_in_another_order(
    machine: Machine, page: str, language: str, command: list[str], folder: Path
) -> None:
    check_page(machine, page, language, command, folder)
