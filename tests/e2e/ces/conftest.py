"""A server for the tests of apps, and Google's clients of CX Agent Studio pointed at it."""

from collections.abc import Iterator

import pytest

from tests.e2e.kit.google import TRANSPORTS, Google
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, running
from tests.e2e.kit.studio import SCRIPT, Studio, open_studio
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer

VERSIONS = ("v1", "v1beta")


@pytest.fixture(scope="session")
def studio_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that these tests share; each makes an app of its own."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "script.yaml").write_text(SCRIPT)
    with running(
        folder, "--model", f"scripted:{folder / 'script.yaml'}", OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8"
    ) as it:
        yield it


@pytest.fixture
def rest(studio_server: Server) -> Rest:
    return Rest(studio_server.http)


@pytest.fixture(scope="session", params=[(v, t) for v in VERSIONS for t in TRANSPORTS], ids="-".join)
def google(request: pytest.FixtureRequest, studio_server: Server, background: Background) -> Iterator[Google]:
    """Google's clients; a test that takes this runs once with each."""
    version, transport = request.param
    clients = Google(version, transport, studio_server, background, "ces")
    yield clients
    clients.close()


@pytest.fixture
def studio(google: Google, rest: Rest, pets: HttpPeer) -> Studio:
    """An app with tools and agents, ready to talk to with the client that the test runs with."""
    return open_studio(google, rest, pets)


@pytest.fixture(scope="session")
def beta(studio_server: Server, background: Background) -> Iterator[Google]:
    """One client, for what does not depend on the way it comes, or what v1 has not."""
    clients = Google("v1beta", "grpc", studio_server, background, "ces")
    yield clients
    clients.close()


@pytest.fixture
def beta_studio(beta: Google, rest: Rest, pets: HttpPeer) -> Studio:
    """The same app, talked to with that client."""
    return open_studio(beta, rest, pets)
