"""What a case may attack: an agent and an app of its own on the server, its two ports, and a hostile API on loopback.

Every answer is remembered with the RPC that gave it, so that it can be judged by that RPC's deadline.
"""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from grpc import Compression

from benchmarks.hostile.exchange import Reply, call, each, one, send, sliced
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, loads
from openplaybook.wire.api import load_api
from openplaybook.wire.messages import message_class
from openplaybook.wire.router import Router

PATIENCE_S = 45.0
"""How long an attacker waits for an answer: longer than the deadline of whatever is saved, read or imported."""
LOCATION = "projects/hostile/locations/global"
_POLL_S = 0.05
_OPERATION_S = 15.0
"""Operations may run for ten minutes."""


@dataclass(frozen=True, slots=True)
class Told:
    """One answer."""

    rpc: str
    """Full name; empty for what is no RPC's."""
    status: str
    seconds: float
    """From the first byte of the request."""
    text: str
    waited_s: float | None
    """From the last byte of the request; None where that was never sent."""


@dataclass
class Prey:
    """The server under attack, as one case sees it."""

    http: int
    grpc: int
    service: str
    """Base URL of the hostile API."""
    told: list[Told] = field(default_factory=list[Told])
    agent: str = ""
    playbook: str = ""
    app: str = ""
    desk: str = ""
    """The app's agent."""
    _router: Router | None = None

    async def settle(self) -> None:
        """Make the agent and the app; `RuntimeError` when the server will not."""
        agent: JsonObject = {"displayName": "hostile", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
        self.agent = (await self.made(f"/v3/{LOCATION}/agents", agent))["name"]
        playbook: JsonObject = {"displayName": "start", "goal": "Help.", "instruction": {"steps": [{"text": "Help."}]}}
        self.playbook = (await self.made(f"/v3/{self.agent}/playbooks", playbook))["name"]
        await self.rest("PATCH", f"/v3/{self.agent}?updateMask=startPlaybook", {"startPlaybook": self.playbook})
        name = f"a{uuid.uuid4().hex}"
        await self.made(f"/v1beta/{LOCATION}/apps?appId={name}", {"displayName": "hostile"})
        self.app = f"{LOCATION}/apps/{name}"
        desk: JsonObject = {"displayName": "desk", "instruction": "Help.", "llmAgent": {}}
        self.desk = (await self.made(f"/v1beta/{self.app}/agents", desk))["name"]
        await self.rest("PATCH", f"/v1beta/{self.app}?updateMask=rootAgent", {"rootAgent": self.desk})
        self.told.clear()

    async def made(self, path: str, body: JsonObject) -> JsonObject:
        """What a POST that has to succeed answers; `RuntimeError` when it does not."""
        reply = await self.rest("POST", path, body)
        if reply.status != "200":
            raise RuntimeError(f"POST {path} was answered {reply.status}: {reply.text}")
        return as_object(_beginning(reply.text))

    async def rest(
        self,
        method: str,
        path: str,
        body: JsonValue | bytes = b"",
        headers: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> Reply:
        """Send a whole request; a body that is no bytes is sent as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self.raw(
            method, path, each(sliced(data)), {"Content-Length": str(len(data)), **(headers or {})}, patience_s
        )

    async def raw(
        self,
        method: str,
        path: str,
        body: AsyncIterable[bytes | memoryview],
        headers: Mapping[str, str],
        patience_s: float = PATIENCE_S,
    ) -> Reply:
        """Send a request whose body comes as it comes."""
        return self._noted(self._rpc(method, path), await self._sent(method, path, body, headers, patience_s))

    async def _sent(
        self,
        method: str,
        path: str,
        body: AsyncIterable[bytes | memoryview] | None = None,
        headers: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> Reply:
        lines = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{lines}\r\n"
        return await send(self.http, head.encode("utf-8", "surrogateescape"), body or each([]), patience_s)

    async def rpc(
        self,
        name: str,
        request: JsonObject | bytes,
        *,
        compression: Compression = Compression.NoCompression,
        metadata: Iterable[tuple[str, str]] = (),
        patience_s: float = PATIENCE_S,
    ) -> Reply:
        """Call an RPC over gRPC with a request given as JSON or as bytes."""
        return await self.stream(name, one(self.written(name, request)), compression, metadata, patience_s)

    async def stream(
        self,
        name: str,
        requests: AsyncIterable[bytes],
        compression: Compression = Compression.NoCompression,
        metadata: Iterable[tuple[str, str]] = (),
        patience_s: float = PATIENCE_S,
    ) -> Reply:
        """Call an RPC over gRPC with a stream of requests."""
        path = load_api().methods[name].path
        return self._noted(name, await call(self.grpc, path, requests, patience_s, compression, metadata))

    def written(self, name: str, request: JsonObject | bytes) -> bytes:
        """The bytes of an RPC's request."""
        if isinstance(request, bytes):
            return request
        method = load_api().methods[name]
        return load_api().codec.from_json(request, message_class(method.input)()).SerializeToString()

    def session(self) -> str:
        """The name of a new session of the agent."""
        return f"{self.agent}/sessions/{uuid.uuid4()}"

    async def says(self, text: str, **params: JsonValue) -> Reply:
        """A turn of the agent."""
        body: JsonObject = {"queryInput": {"text": {"text": text}, "languageCode": "en"}, **params}
        return await self.rest("POST", f"/v3/{self.session()}:detectIntent", body)

    async def asks(self, text: str, **config: JsonValue) -> Reply:
        """A turn of the app."""
        session = f"{self.app}/sessions/{uuid.uuid4()}"
        body: JsonObject = {"config": {"session": session, **config}, "inputs": [{"text": text}]}
        return await self.rest("POST", f"/v1beta/{session}:runSession", body)

    async def saves(self, schema: str | bytes) -> Reply:
        """CreateTool with an OpenAPI document."""
        text = schema.decode() if isinstance(schema, bytes) else schema
        tool: JsonObject = {
            "displayName": f"t{uuid.uuid4().hex}",
            "description": "Hostile.",
            "openApiSpec": {"textSchema": text},
        }
        return await self.rest("POST", f"/v3/{self.agent}/tools", tool)

    async def keeps(self, schema: str) -> Reply:
        """CreateToolset with an OpenAPI document."""
        toolset: JsonObject = {"displayName": f"t{uuid.uuid4().hex}", "openApiToolset": {"openApiSchema": schema}}
        return await self.rest("POST", f"/v1beta/{self.app}/toolsets", toolset)

    async def executes(self, schema: str, action: str, arguments: JsonObject) -> Reply:
        """CreateTool, and one action of the tool where that went well; the last answer."""
        saved = await self.saves(schema)
        if saved.status != "200":
            return saved
        body: JsonObject = {"action": action, "inputParameters": arguments}
        return await self.rest("POST", f"/v3/{_beginning(saved.text)['name']}:execute", body)

    async def ends(self, begun: Reply, version: str) -> None:
        """Wait a while for the operation that an answer names; what came of it is noted as one more answer."""
        name = begun.text.partition('"name":"')[2].partition('"')[0]
        if begun.status != "200" or "/operations/" not in name:
            return
        path, since = f"/{version}/{name}", time.monotonic()
        while time.monotonic() - since < _OPERATION_S:
            reply = await self._sent("GET", path)
            if reply.status != "200" or reply.is_done:
                taken = time.monotonic() - since
                self.told.append(Told("", reply.status, taken, reply.text, taken))
                return
            await asyncio.sleep(_POLL_S)
        taken = time.monotonic() - since
        self.told.append(Told("", "UNDER WAY", taken, f"{name} has not ended", taken))

    async def together(self, count: int, attack: Callable[[], Awaitable[object]]) -> None:
        """The same so many times at once."""
        await asyncio.gather(*(attack() for _ in range(count)))

    def _rpc(self, method: str, path: str) -> str:
        if self._router is None:
            self._router = Router(load_api().methods.values())
        found = self._router.match(method, path.partition("?")[0])
        return found.route.method.full_name if found is not None else ""

    def _noted(self, rpc: str, reply: Reply) -> Reply:
        waited = None if reply.sent_s is None else max(reply.seconds - reply.sent_s, 0.0)
        self.told.append(Told(rpc, reply.status, reply.seconds, reply.text, waited))
        return reply


def _beginning(text: str) -> JsonValue:
    """What the beginning of an answer says, which may have been cut off; only its name is of use then."""
    try:
        return loads(text)
    except ValueError:
        _, _, rest = text.partition('"name":"')
        return {"name": rest.partition('"')[0]}
