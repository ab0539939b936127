"""The pages on authentication do what they say: their blocks run against a server, and APIs that check who calls."""

import asyncio
import os
import re
import shutil
import ssl
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trustme
from google.auth import jwt as google_jwt

from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.server.settings import Settings
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import clean_environment
from tests.integration.server.conftest import running
from tests.kit.certificates import client_certificate, server_tls
from tests.kit.google_peer import GooglePeer
from tests.kit.guides import DOCS, blocks, command_flags
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.oauth_server import OAuthServer
from tests.kit.preloaded.commands import searched

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

    async def runs(self, page: str) -> None:
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
            *("sh", "-eu", "-c", self._here(blocks(page, "sh"))),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=self.folder,
            env={
                **clean_environment(),
                "OPENPLAYBOOK_DATA_DIR": str(self.folder / "data"),
                "PATH": searched(os.environ["PATH"]),
            },
        )
        said, complained = await process.communicate()
        assert (said.decode(), process.returncode) == (self._here(blocks(page, "text")), 0), complained.decode()

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
    await scene.runs("authentication/api-key.md")


async def test_the_page_on_bearer_tokens(scene: Scene) -> None:
    page = "authentication/bearer-token.md"
    await scene.api(has("Authorization", "Bearer demo-token-1234"))
    await scene.runs(page)
    sent = loads(blocks(page, "json").replace("…", "demo-token-1234"))
    sent["queryInput"] = {"text": {"text": "list the orders"}, "languageCode": "en"}
    rest = Rest(scene.places["http://127.0.0.1:8080"])
    said = await asyncio.to_thread(_said_to_a_desk, rest, sent)
    [call] = [
        action["toolUse"] for action in said["generativeInfo"]["actionTracingInfo"]["actions"] if "toolUse" in action
    ]
    assert call["outputActionParameters"] == {"200": {"orders": [3]}}
    assert "demo-token-1234" not in str(said)


def _said_to_a_desk(rest: Rest, sent: JsonObject) -> JsonObject:
    """The result of a turn with the page's agent, which gets a playbook."""
    [agent] = rest("GET", "v3beta1/projects/demo/locations/global/agents")["agents"]
    desk = {"displayName": "Desk", "goal": "Orders.", "instruction": {"steps": [{"text": "Use ${TOOL: orders}."}]}}
    playbook = rest("POST", f"v3beta1/{agent['name']}/playbooks", desk)
    rest("PATCH", f"v3beta1/{agent['name']}?updateMask=startPlaybook", {"startPlaybook": playbook["name"]})
    return rest("POST", f"v3beta1/{agent['name']}/sessions/s:detectIntent", sent)["queryResult"]


async def test_the_page_on_http_basic(scene: Scene) -> None:
    await scene.api(has("Authorization", _BASIC))
    await scene.runs("authentication/basic.md")


async def test_the_page_on_oauth_client_credentials(scene: Scene) -> None:
    oauth = OAuthServer("shop", "demo-secret-1234", scopes=frozenset({"orders.read"}))
    endpoint = await scene.stack.enter_async_context(http_peer(oauth.reply))
    scene.places["https://auth.example.com"] = endpoint.url
    await scene.api(oauth.admits)
    await scene.runs("authentication/oauth-client-credentials.md")
    assert oauth.tokens == {"access-token-1": {"orders.read"}}


async def test_the_page_on_service_agents(scene: Scene) -> None:
    seen: list[JsonObject] = []

    def admits(received: Received) -> bool:
        token = (received.header("Authorization") or "").removeprefix("Bearer ")
        seen.append(dict(google_jwt.decode(token, verify=False)))
        return True

    api = await scene.api(admits)
    await scene.runs("authentication/service-agent.md")
    (claims,) = seen
    assert (claims["aud"], claims["email"]) == (api.url, "service-demo@127.0.0.1")
    assert set(claims) == {"iss", "aud", "sub", "email", "email_verified", "agent", "iat", "exp"}


async def test_the_page_on_service_accounts(scene: Scene) -> None:
    google = GooglePeer()
    google.url = (await scene.stack.enter_async_context(http_peer(google.reply))).url
    page = "authentication/service-account.md"
    option, accounts = command_flags(page, "serve")
    assert option == "--service-accounts"
    key = google.key_file(scene.folder, ROBOT)
    scene.settings["service_accounts"] = accounts.replace("/etc/openplaybook/robot.json", str(key))
    await scene.api(has("Authorization", "Bearer access-1"))
    await scene.runs(page)


async def test_the_page_on_the_descriptions_own_security(scene: Scene) -> None:
    by_key, by_login = has("X-Api-Key", "demo-key-1234"), has("Authorization", _BASIC)
    await scene.api(lambda received: by_key(received) and by_login(received))
    await scene.runs("authentication/security-schemes.md")


async def test_the_page_on_tls(scene: Scene) -> None:
    ours, clients = trustme.CA(), trustme.CA()
    certificate = client_certificate(clients)
    (scene.folder / "client.crt").write_bytes(certificate.certificate)
    (scene.folder / "client.key").write_bytes(certificate.private_key)
    (scene.folder / "ca.pem").write_bytes(ours.cert_pem.bytes())
    await scene.api(lambda _: True, server_tls(ours, "127.0.0.1", clients_of=clients))
    await scene.runs("authentication/mutual-tls.md")


async def test_the_page_on_private_networks(scene: Scene) -> None:
    peer = await scene.api(has("Host", "orders.internal"))
    page = "authentication/private-network.md"
    option, service = command_flags(page, "serve")
    assert option == "--service-directory"
    service = service.replace("10.0.0.5:8443", f"127.0.0.1:{peer.port}")
    scene.settings |= {"service_directory": service, "egress_allow": ""}
    await scene.runs(page)


def test_every_page_is_listed_and_leads_somewhere() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (FOLDER / "README.md").read_text()))
    assert listed == {path.name for path in FOLDER.glob("*.md")} - {"README.md"}
