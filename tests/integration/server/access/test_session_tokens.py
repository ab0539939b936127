"""A web page with a token for one conversation: it can hold that one, and do nothing else."""

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import grpc
import pytest

from openplaybook.jsonvalues import JsonObject
from tests.integration.server.conftest import Start

LOCATION = "projects/p/locations/global"
KEYS = {"editor": "key-of-the-editor-0123456789", "runtime": "key-of-the-shop-0123456789"}
AGENT: JsonObject = {"displayName": "Shop", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
HELLO: JsonObject = {"queryInput": {"text": {"text": "hello"}, "languageCode": "en"}}


class Page:
    """Requests with one credential after another."""

    def __init__(self, http: aiohttp.ClientSession, grpc_address: str) -> None:
        self._http = http
        self.grpc = grpc_address
        self.agent = ""

    @property
    def session(self) -> str:
        return f"{self.agent}/sessions/one"

    async def send(self, path: str, body: JsonObject, credential: str, method: str = "POST") -> tuple[int, JsonObject]:
        headers = {"Authorization": f"Bearer {credential}"}
        data = body if method == "POST" else None
        async with self._http.request(method, path, json=data, headers=headers) as response:
            return response.status, await response.json()

    async def token(self, **body: object) -> str:
        asked: JsonObject = {name: str(value) for name, value in body.items()}
        status, told = await self.send(f"/v3/{self.session}:createToken", asked, KEYS["runtime"])
        assert (status, told["session"]) == (200, self.session), told
        return str(told["token"])


@pytest.fixture
async def page(start: Start, tmp_path: Path) -> AsyncIterator[Page]:
    (tmp_path / "keys").write_text("".join(f"{role} the-{role} {key}\n" for role, key in KEYS.items()))
    server = await start(api_key_file=tmp_path / "keys", code_executor="off")
    async with aiohttp.ClientSession(server.http) as http:
        made = Page(http, server.grpc)
        status, agent = await made.send(f"/v3/{LOCATION}/agents", AGENT, KEYS["editor"])
        assert status == 200, agent
        made.agent = str(agent["name"])
        playbook: JsonObject = {"displayName": "desk", "goal": "Help.", "instruction": {"steps": [{"text": "Greet."}]}}
        status, stored = await made.send(f"/v3/{made.agent}/playbooks", playbook, KEYS["editor"])
        start_playbook: JsonObject = {"startPlaybook": stored["name"]}
        async with http.patch(
            f"/v3/{made.agent}?updateMask=startPlaybook",
            json=start_playbook,
            headers={"Authorization": f"Bearer {KEYS['editor']}"},
        ) as response:
            assert response.status == 200
        yield made


async def test_a_page_holds_its_conversation(page: Page) -> None:
    token = await page.token(ttl="60s")
    for version in ("v3", "v3beta1"):
        status, told = await page.send(f"/{version}/{page.session}:detectIntent", HELLO, token)
        assert status == 200, told


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v3/AGENT/sessions/two:detectIntent"),
        ("POST", "/v3/AGENT/sessions/one:createToken"),
        ("POST", "/v3/AGENT/sessions/one:fork"),
        ("GET", "/v3/AGENT/sessions/one/turns"),
        ("GET", "/v3/AGENT"),
        ("GET", "/v1/openplaybook:serverInfo"),
        ("POST", "/v3/AGENT/environments/-/sessions/one:detectIntent"),
    ],
)
async def test_it_can_do_nothing_else(page: Page, method: str, path: str) -> None:
    token = await page.token()
    status, told = await page.send(path.replace("AGENT", page.agent), HELLO, token, method)
    assert status == 403, told
    assert str(told).count(f"This token is for turns of the session {page.session} alone.") == 1


async def test_a_body_that_names_another_session_changes_nothing(page: Page) -> None:
    token = await page.token()
    other: JsonObject = {**HELLO, "session": f"{page.agent}/sessions/two"}
    await page.send(f"/v3/{page.session}:detectIntent", other, token)
    status, _ = await page.send(f"/v3/{page.agent}/sessions/two", {}, KEYS["editor"], "GET")
    assert status == 404


async def test_over_grpc_it_is_no_credential(page: Page) -> None:
    metadata = (("authorization", f"Bearer {await page.token()}"),)
    async with grpc.aio.insecure_channel(page.grpc) as channel:
        call = channel.unary_unary("/google.cloud.dialogflow.cx.v3.Sessions/DetectIntent")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(b"", metadata=metadata)
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_a_token_that_was_changed_is_refused(page: Page) -> None:
    status, told = await page.send(f"/v3/{page.session}:detectIntent", HELLO, f"{await page.token()}A")
    assert (status, "has expired, or is not of this server" in str(told)) == (401, True)


@pytest.mark.parametrize("ttl", ["0s", "-1s", "43201s"])
async def test_a_token_is_short_lived(page: Page, ttl: str) -> None:
    status, told = await page.send(f"/v3/{page.session}:createToken", {"ttl": ttl}, KEYS["runtime"])
    assert (status, "must be from 1s to 43200s" in str(told)) == (400, True)


async def test_there_is_none_for_an_agent_that_there_is_not(page: Page) -> None:
    status, _ = await page.send(f"/v3/{LOCATION}/agents/none/sessions/s:createToken", {}, KEYS["runtime"])
    assert status == 404
