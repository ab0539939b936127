"""HTTP Digest against a service that checks each proof, its nonce and how often that was used."""

import hashlib
import re
from dataclasses import dataclass, field

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Failure, Success
from tests.kit.calling import call, tools
from tests.kit.http_peer import Received, answer, http_peer
from tests.kit.openapi import json_body, operation

OK = Success({"200": {}})
SCHEMES: JsonObject = {"securitySchemes": {"it": {"type": "http", "scheme": "digest"}}}


@dataclass
class DigestService:
    """Nonces are good for `lives` requests; then they are stale."""

    password: str = "pass:word"
    lives: int = 100
    nonces: int = 0
    uses: list[int] = field(default_factory=list[int])
    """Counts of the present nonce, as they came."""

    def reply(self, received: Received) -> bytes:
        header = received.header("Authorization") or ""
        sent = {name: quoted or plain for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\w+))', header)}
        if not header or sent["nonce"] != f"nonce{self.nonces}" or len(self.uses) >= self.lives:
            return self._ask(stale=bool(header))
        assert int(sent["nc"], 16) not in self.uses, "a count may not come twice"
        self.uses.append(int(sent["nc"], 16))
        assert sent["uri"] == received.target
        return answer() if sent["response"] == self._proof(received, sent) else self._ask(stale=False)

    def _ask(self, *, stale: bool) -> bytes:
        self.nonces += 1
        self.uses.clear()
        asked = f'Digest realm="it", qop="auth", algorithm=SHA-256, nonce="nonce{self.nonces}"'
        return answer(b"{}", "401 Unauthorized", WWW_Authenticate=asked + (", stale=true" if stale else ""))

    def _proof(self, received: Received, sent: dict[str, str]) -> str:
        def hashed(*parts: str) -> str:
            return hashlib.sha256(":".join(parts).encode()).hexdigest()

        secret, asked = hashed("user", "it", self.password), hashed(received.method, received.target)
        return hashed(secret, sent["nonce"], sent["nc"], sent["cnonce"], "auth", asked)


def configured(url: str, document: JsonObject) -> tuple[JsonObject, list[JsonObject]]:
    basic = {"basicAuthConfig": {"username": "user", "password": "pass:word"}}
    served = {**document, "servers": [{"url": url}], "components": SCHEMES, "security": [{"it": []}]}
    return served, [{"scheme": "it", "authentication": basic}]


@pytest.mark.parametrize("document", [operation(path="/a b?x"), operation(body=json_body({}))])
async def test_a_password_is_proved_once_challenged_and_then_without_asking(document: JsonObject) -> None:
    service = DigestService()
    async with http_peer(service.reply) as peer, tools() as built:
        served, entries = configured(peer.url, document)
        tool = built.build(served, securitySchemeAuthentications=entries)
        body = {"a": 1} if tool.actions()[0].input_schema["properties"] else None
        sent = [await (call(tool, requestBody=body) if body else call(tool)) for _ in range(3)]
        assert sent == [OK] * 3
        assert (len(peer.requests), service.uses) == (4, [1, 2, 3])
        assert all("pass:word" not in str(request) for request in peer.requests)


async def test_a_nonce_that_has_become_stale_is_replaced_within_the_call() -> None:
    service = DigestService(lives=2)
    async with http_peer(service.reply) as peer, tools() as built:
        served, entries = configured(peer.url, operation())
        tool = built.build(served, securitySchemeAuthentications=entries)
        assert [await call(tool) for _ in range(5)] == [OK] * 5
        assert service.nonces == 3


async def test_a_wrong_password_is_tried_once_a_call() -> None:
    service = DigestService(password="another")
    async with http_peer(service.reply) as peer, tools() as built:
        served, entries = configured(peer.url, operation())
        outcome = await call(built.build(served, securitySchemeAuthentications=entries))
        assert isinstance(outcome, Failure)
        assert outcome.message.endswith("(sent was the user name user with a proof of its password)")
        assert len(peer.requests) == 2
