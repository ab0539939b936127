"""The pages on authentication do what they say: their blocks run against a server, and APIs that check who calls."""

import asyncio
import os
import re
import shutil
import ssl
import sys
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trustme
from google.auth import jwt as google_jwt

from openplaybook.jsonvalues import JsonObject
from openplaybook.server.settings import Settings
from tests.e2e.kit.server import clean_environment
from tests.integration.server.conftest import running
from tests.kit.certificates import client_certificate, server_tls
from tests.kit.google_peer import GooglePeer
from tests.kit.guides import DOCS, blocks
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.oauth_server import OAuthServer

FOLDER = DOCS / "authentication"
ROBOT = "robot@shop.iam.gserviceaccount.com"

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")


_BASIC = f"Basic {b64encode(b'shop:demo-password-1234').decode()}"


@dataclass
class Scene:
    """What a page takes to be there."""

    folder: Path
    stack: AsyncExitStack
    settings: JsonObject = field(default_factory=dict[str, object])
    places: dict[str, str] = field(default_factory=dict[str, str])
    """What stands in the page → what is here."""

    async def api(self, admits: Callable[[Received], bool], tls: ssl.SSLContext | None = None) -> HttpPeer:
        """The API of the pages: it has order 3 for those it admits."""

        def reply(received: Received) -> bytes:
            return answer(b'{"orders":[3]}') if admits(received) else answer(b"{}", "401 Unauthorized")

        peer = await self.stack.enter_async_context(http_peer(reply, tls=tls))
        self.places["https://api.example.com"] = peer.url.replace("http:", "https:") if tls else peer.url
        return peer

    async def proves(self, page: str) -> None:
        """Run a page's shell blocks as one program; it must print what the page says."""
        settings: JsonObject = {
            "port": 0,
            "grpc_port": 0,
            "data_dir": self.folder / "data",
            "egress_allow": "127.0.0.1",
        }
        server = await self.stack.enter_async_context(running(Settings(**(settings | self.settings))))
        self.places["http://127.0.0.1:8080"] = server.http
        process = await asyncio.create_subprocess_exec(
            *("sh", "-eu", "-c", self._here(blocks(f"authentication/{page}.md", "sh"))),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=self.folder,
            env={
                **clean_environment(),
                "OPENPLAYBOOK_DATA_DIR": str(self.folder / "data"),
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            },
        )
        said, complained = await process.communicate()
        assert (said.decode(), process.returncode) == (self._here(blocks(f"authentication/{page}.md", "text")), 0), (
            complained.decode()
        )

    def _here(self, text: str) -> str:
        for there, here in self.places.items():
            text = text.replace(there, here)
        return text


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    async with AsyncExitStack() as stack:
        yield Scene(tmp_path, stack)


def has(name: str, value: str) -> Callable[[Received], bool]:
    return lambda received: received.header(name) == value


async def test_the_page_on_api_keys(scene: Scene) -> None:
    by_header, by_cookie = has("X-Api-Key", "demo-key-1234"), has("Cookie", "api_session=demo-key-1234")
    await scene.api(lambda it: by_header(it) or by_cookie(it) or it.target == "/orders?api_key=demo-key-1234")
    await scene.proves("api-key")


async def test_the_page_on_bearer_tokens(scene: Scene) -> None:
    await scene.api(has("Authorization", "Bearer demo-token-1234"))
    await scene.proves("bearer-token")


async def test_the_page_on_http_basic(scene: Scene) -> None:
    await scene.api(has("Authorization", _BASIC))
    await scene.proves("basic")


async def test_the_page_on_oauth_client_credentials(scene: Scene) -> None:
    oauth = OAuthServer("shop", "demo-secret-1234", scopes=frozenset({"orders.read"}))
    endpoint = await scene.stack.enter_async_context(http_peer(oauth.reply))
    scene.places["https://auth.example.com"] = endpoint.url
    await scene.api(oauth.admits)
    await scene.proves("oauth-client-credentials")
    assert oauth.tokens == {"access-token-1": {"orders.read"}}


async def test_the_page_on_service_agents(scene: Scene) -> None:
    seen: list[JsonObject] = []

    def admits(received: Received) -> bool:
        token = (received.header("Authorization") or "").removeprefix("Bearer ")
        seen.append(dict(google_jwt.decode(token, verify=False)))
        return True

    api = await scene.api(admits)
    await scene.proves("service-agent")
    (claims,) = seen
    assert (claims["aud"], claims["email"]) == (api.url, "service-demo@127.0.0.1")
    assert set(claims) == {"iss", "aud", "sub", "email", "email_verified", "agent", "iat", "exp"}


async def test_the_page_on_service_accounts(scene: Scene) -> None:
    google = GooglePeer()
    google.url = (await scene.stack.enter_async_context(http_peer(google.reply))).url
    scene.settings["service_accounts"] = f"{ROBOT}={google.key_file(scene.folder, ROBOT)}"
    await scene.api(has("Authorization", "Bearer access-1"))
    await scene.proves("service-account")


async def test_the_page_on_the_descriptions_own_security(scene: Scene) -> None:
    by_key, by_login = has("X-Api-Key", "demo-key-1234"), has("Authorization", _BASIC)
    await scene.api(lambda received: by_key(received) and by_login(received))
    await scene.proves("security-schemes")


async def test_the_page_on_tls(scene: Scene) -> None:
    ours, clients = trustme.CA(), trustme.CA()
    certificate = client_certificate(clients)
    (scene.folder / "client.crt").write_bytes(certificate.certificate)
    (scene.folder / "client.key").write_bytes(certificate.private_key)
    (scene.folder / "ca.pem").write_bytes(ours.cert_pem.bytes())
    await scene.api(lambda _: True, server_tls(ours, "127.0.0.1", clients_of=clients))
    await scene.proves("mutual-tls")


async def test_the_page_on_private_networks(scene: Scene) -> None:
    peer = await scene.api(has("Host", "orders.internal"))
    service = "projects/demo/locations/global/namespaces/shop/services/orders"
    scene.settings |= {"service_directory": f"{service}=127.0.0.1:{peer.port}", "egress_allow": ""}
    await scene.proves("private-network")


def test_every_page_is_listed_and_leads_somewhere() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (FOLDER / "README.md").read_text()))
    assert listed == {path.name for path in FOLDER.glob("*.md")} - {"README.md"}
