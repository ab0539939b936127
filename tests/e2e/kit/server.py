"""The real server in a process of its own."""

import os
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.kit.canary import check_left
from tests.faults.faults import VARIABLE
from tests.kit.preloaded.commands import ForkedProcess, start
from tests.kit.sandboxed import FEW_LIBRARIES

_DRAIN_S = 40
"""More than a server gives to what is under way, 25 seconds, such as a browser's last request."""
_LAST_FACT = {"serve": "Data", "demo": "Pets"}


@dataclass(frozen=True)
class Server:
    """A server that takes requests."""

    http: str
    """Base URL."""
    grpc: str
    """`host:port`."""
    facts: Mapping[str, str]
    """What it printed about itself, such as `Model`; `Agent` for the demo."""
    log: Path
    process: "subprocess.Popen[str] | ForkedProcess"

    @property
    def http_port(self) -> int:
        return int(self.http.rsplit(":", 1)[1])


@contextmanager
def running(folder: Path, *arguments: str, command: str = "serve", **variables: str) -> Generator[Server]:
    """A server on free ports, its data and its log in `folder`; told to stop at the end, which it must heed.

    `variables` are environment variables; of the test's own environment none that concerns the server is kept.
    """
    with killed(folder, *arguments, command=command, **variables) as server:
        yield server
        server.process.terminate()
        status = server.process.wait(_DRAIN_S)
        assert status == 0, f"the server ended with {status}:\n{server.log.read_text()}"


@contextmanager
def killed(
    folder: Path, *arguments: str, command: str = "serve", fault: str = "", **variables: str
) -> Generator[Server]:
    """A server like `running`, killed at the end, or by a fault of `tests.faults`: it finishes nothing."""
    if fault:
        variables = {**variables, VARIABLE: fault}
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "server.log"
    flags = ["--data-dir", str(folder / "data"), "--port", "0", "--grpc-port", "0"]
    with log.open("w") as written:
        process = start(
            [command, *flags, *arguments],
            module="tests.faults" if fault else "",
            cwd=folder,
            # Searches by words give the same from the first moment on; whoever wants vectors says so.
            environment={"OPENPLAYBOOK_EMBEDDINGS": "none", **clean_environment(), **variables},
            errors=written,
        )
    try:
        facts = _read_facts(process, log, last=_LAST_FACT[command])
        yield Server(facts["REST"], facts["gRPC"], facts, log, process)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    check_left(folder)


def clean_environment() -> dict[str, str]:
    """This process's environment without settings, keys of providers and proxies, in which sandboxes start soon."""
    ours = ("OPENPLAYBOOK_", "OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "OTEL_")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(ours) and not name.lower().endswith("_proxy")
    }
    return {**kept, "OPENPLAYBOOK_CODE_PRELOAD": FEW_LIBRARIES}


def _read_facts(process: "subprocess.Popen[str] | ForkedProcess", log: Path, *, last: str) -> Mapping[str, str]:
    """The lines of two columns that a ready server prints, up to the one named `last`."""
    assert process.stdout is not None
    facts: dict[str, str] = {}
    for line in process.stdout:
        if line.startswith("  ") and len(words := line.split(maxsplit=1)) == 2:
            facts[words[0]] = words[1].strip()
        if last in facts:
            return facts
    raise AssertionError(f"the server did not start:\n{log.read_text()}")
