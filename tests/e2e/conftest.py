"""One real server for all end-to-end tests, the services its tools call, and Google's clients pointed at it."""

import asyncio
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from openplaybook.sandbox.base import ExecutorReport
from openplaybook.sandbox.local.probe import probe
from tests.e2e.kit.google import TRANSPORTS, VERSIONS, Google
from tests.e2e.kit.pets import pets_service
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.script import OTHER_SCRIPT, SCRIPT
from tests.e2e.kit.server import Server, running
from tests.e2e.kit.shop import Shop, open_shop
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer

EGRESS = "127.0.0.0/8"


@pytest.fixture(scope="session")
def background() -> Iterator[Background]:
    loop = Background()
    loop.start()
    yield loop
    loop.stop()


@pytest.fixture(scope="session")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with the scripted model's part."""
    path = tmp_path_factory.mktemp("script") / "script.yaml"
    path.write_text(SCRIPT)
    path.with_name("other.yaml").write_text(OTHER_SCRIPT)
    return path


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, script: Path) -> Iterator[Server]:
    """The server that the tests share; each makes an agent of its own."""
    folder = tmp_path_factory.mktemp("server")
    models = ["--model", f"scripted:{script}", "--model-aliases", f"other=scripted:{script.with_name('other.yaml')}"]
    with running(folder, *models, OPENPLAYBOOK_EGRESS_ALLOW=EGRESS) as started:
        yield started


@pytest.fixture(scope="session")
def sandbox() -> None:
    """Leaves a test out where this machine has no sandbox."""
    report = ExecutorReport("forkserver", asyncio.run(probe()))
    if not report.ok:
        pytest.skip(f"there is no sandbox on this machine: {report.reason}")


@pytest.fixture
def rest(server: Server) -> Rest:
    return Rest(server.http)


@pytest.fixture
def pets(background: Background) -> Iterator[HttpPeer]:
    """The documents' pets API."""
    with background.entered(pets_service()) as peer:
        yield peer


@pytest.fixture(scope="session", params=[(v, t) for v in VERSIONS for t in TRANSPORTS], ids="-".join)
def google(request: pytest.FixtureRequest, server: Server, background: Background) -> Iterator[Google]:
    """Google's clients; a test that takes this runs once with each."""
    version, transport = request.param
    clients = Google(version, transport, server, background)
    yield clients
    clients.close()


@pytest.fixture
def shop(google: Google, pets: HttpPeer) -> Shop:
    """An agent with tools, ready to talk, made by the client that the test runs with."""
    return open_shop(google, pets)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure shows what the server logged."""
    report = yield
    if report.failed and isinstance(item, pytest.Function):
        for name, value in item.funcargs.items():
            if isinstance(value, Server):
                report.sections.append((f"log of {name}", value.log.read_text()[-5000:]))
    return report
