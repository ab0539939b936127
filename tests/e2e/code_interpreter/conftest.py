"""One server for all conversations with the code interpreter, and a service whose answers they use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import dumps
from tests.e2e.code_interpreter.analyst import make_analyst, reports_service
from tests.e2e.code_interpreter.conversations import CONVERSATIONS
from tests.e2e.code_interpreter.script import script_of
from tests.e2e.conftest import EGRESS
from tests.e2e.kit.google import Google
from tests.e2e.kit.server import Server, running
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer
from tests.kit.sandboxed import ALL_LIBRARIES, need_sandbox


@pytest.fixture(scope="session")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with the scripted model's part. Where this machine has no sandbox, its tests are left out."""
    need_sandbox()
    path = tmp_path_factory.mktemp("script") / "script.json"
    path.write_bytes(dumps(script_of(CONVERSATIONS)))
    return path


@pytest.fixture(scope="session")
def interpreter(tmp_path_factory: pytest.TempPathFactory, script: Path) -> Iterator[Server]:
    """A server whose model writes the code of the conversations."""
    folder = tmp_path_factory.mktemp("interpreter")
    settings = {"OPENPLAYBOOK_EGRESS_ALLOW": EGRESS, "OPENPLAYBOOK_CODE_PRELOAD": ALL_LIBRARIES}
    with running(folder, "--model", f"scripted:{script}", **settings) as started:
        yield started


@pytest.fixture(scope="session")
def reports(background: Background) -> Iterator[HttpPeer]:
    with background.entered(reports_service()) as peer:
        yield peer


@pytest.fixture(scope="session")
def agent(interpreter: Server, background: Background, reports: HttpPeer) -> Iterator[str]:
    """Name of the agent of all conversations: whose code it is, is whose warm interpreter it has."""
    clients = Google("v3", "grpc", interpreter, background)
    yield make_analyst(clients, reports)
    clients.close()
