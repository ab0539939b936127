"""E2B's platform, and the two services in its sandboxes, on loopback.

Each request is checked against E2B's OpenAPI documents and its SDK; one that they would not take fails the test.
Written from these, not copied. A sandbox's `/home/user` is a folder of the test.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from tests.kit.faults import Faults
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.lent_machines import LentMachine, uploaded

KEY = "e2b_0123456789abcdef"
HOME = "/home/user"
_NEW = {
    "templateID": str,
    "timeout": int,
    "autoPause": bool,
    "secure": bool,
    "allow_internet_access": bool,
    "network": dict,
    "metadata": dict,
    "envVars": dict,
}


@dataclass
class FakeE2b:
    """The platform; `sandboxes` by their ids."""

    folder: Path
    sandboxes: dict[str, LentMachine] = field(default_factory=dict[str, LentMachine])
    metadata: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    timeouts: dict[str, int] = field(default_factory=dict[str, int])
    created: list[JsonObject] = field(default_factory=list[JsonObject])
    killed: list[str] = field(default_factory=list[str])
    faults: Faults = field(default_factory=Faults)
    lose_creation: bool = False
    """The next creation is not answered."""

    async def answer_api(self, received: Received) -> bytes | None:
        """A request to the platform's API."""
        is_due, fault = self.faults.take(received)
        if is_due:
            return fault
        if received.header("X-API-Key") != KEY:
            return error(401, "Invalid API key")
        path, _, query = received.target.partition("?")
        if (received.method, path) == ("POST", "/sandboxes"):
            return self._create(_body(received))
        if (received.method, path) == ("GET", "/v2/sandboxes"):
            return self._list(dict(parse_qsl(query, strict_parsing=True)))
        parts = path.split("/")
        assert parts[1] == "sandboxes", path
        if received.method == "DELETE":
            return self._kill(parts[2])
        assert (received.method, parts[3:]) == ("POST", ["timeout"]), received.target
        body = _body(received)
        assert set(body) == {"timeout"}
        assert isinstance(body["timeout"], int)
        if parts[2] not in self.sandboxes:
            return error(404, f"sandbox {parts[2]} not found")
        self.timeouts[parts[2]] = body["timeout"]
        return no_content()

    async def answer_sandboxes(self, received: Received) -> bytes | None:
        """A request to the proxy before all sandboxes."""
        is_due, fault = self.faults.take(received)
        if is_due:
            return fault
        sandbox = received.header("E2b-Sandbox-Id") or ""
        machine = self.sandboxes.get(sandbox)
        if machine is None:
            return error(502, "The sandbox was not found")
        assert received.header("X-Access-Token") == f"envd-{sandbox}"
        split = urlsplit(received.target)
        if split.path == "/files":
            assert received.header("E2b-Sandbox-Port") == "49983"
            return _files(machine, received, dict(parse_qsl(split.query, strict_parsing=True)))
        assert received.header("E2b-Sandbox-Port") == "49999"
        # Without public traffic, every port but envd's wants it.
        assert received.header("E2B-Traffic-Access-Token") == f"traffic-{sandbox}"
        assert (received.method, split.path) == ("POST", "/execute")
        return await _execute(machine, _body(received))

    def end(self) -> None:
        """End every sandbox."""
        for machine in self.sandboxes.values():
            machine.end()

    def _create(self, wanted: JsonObject) -> bytes | None:
        assert set(wanted) <= set(_NEW), wanted
        for name, value in wanted.items():
            assert type(value) is _NEW[name], name
        assert all(isinstance(value, str) for value in wanted["metadata"].values())
        if wanted["templateID"] != "code-interpreter-v1":
            return error(404, f"template '{wanted['templateID']}' not found")
        sandbox = f"i{len(self.created)}abcdefghijklmnop"
        self.created.append(wanted)
        machine = self.sandboxes[sandbox] = LentMachine(self.folder / sandbox)
        machine.folder.mkdir()
        self.metadata[sandbox] = wanted["metadata"]
        self.timeouts[sandbox] = wanted["timeout"]
        if self.lose_creation:
            self.lose_creation = False
            return None
        made = {
            "sandboxID": sandbox,
            "templateID": "nlhz8vlwyupq845jsdg9",
            "alias": wanted["templateID"],
            "clientID": "6532622b",
            "envdVersion": "0.6.7",
            "envdAccessToken": f"envd-{sandbox}",
            "trafficAccessToken": f"traffic-{sandbox}",
            "domain": None,
        }
        return answer(dumps(made), "201 Created")

    def _list(self, query: dict[str, str]) -> bytes:
        assert set(query) == {"metadata"}
        wanted = dict(parse_qsl(query["metadata"], strict_parsing=True))
        found = [{"sandboxID": sandbox} for sandbox, metadata in self.metadata.items() if metadata | wanted == metadata]
        return answer(dumps(found))

    def _kill(self, sandbox: str) -> bytes:
        machine = self.sandboxes.pop(sandbox, None)
        if machine is None:
            return error(404, f"sandbox {sandbox} not found")
        machine.end()
        self.killed.append(sandbox)
        return no_content()


def error(code: int, message: str, **headers: str) -> bytes:
    """An error as E2B tells it."""
    return answer(dumps({"code": code, "message": message}), f"{code} Error", **headers)


def no_content() -> bytes:
    """An answer of success without a body."""
    return b"HTTP/1.1 204 No Content\r\n\r\n"


def _body(received: Received) -> JsonObject:
    assert received.header("Content-Type") == "application/json"
    value: JsonValue = loads(received.body)
    assert isinstance(value, dict)
    return value


def _files(machine: LentMachine, received: Received, query: dict[str, str]) -> bytes:
    assert set(query) == {"path", "username"}
    assert query["username"] == "user"
    path = query["path"].removeprefix(f"{HOME}/")
    assert path != query["path"], query["path"]
    if received.method == "POST":
        _, data = uploaded(received)
        machine.write(path, data)
        return answer(dumps([{"name": Path(path).name, "path": query["path"], "type": "file"}]))
    found = machine.inside(path)
    if not found.is_file():
        return error(404, f"path '{query['path']}' does not exist")
    return answer(found.read_bytes(), content_type="application/octet-stream")


async def _execute(machine: LentMachine, body: JsonObject) -> bytes:
    assert set(body) == {"code", "context_id", "language", "env_vars"}
    assert body["context_id"] is None
    assert body["language"] is None
    code = body["code"].replace(repr(HOME), repr(str(machine.folder)))
    status, stdout, stderr = await machine.run(["python3", "-c", code])
    said = stdout.decode()
    middle = len(said) // 2
    messages: list[JsonObject] = [
        {"type": "number_of_executions", "execution_count": 1},
        {"type": "keepalive"},
        {"type": "stdout", "text": said[:middle], "timestamp": "2026-01-01T00:00:00Z"},
        {"type": "stdout", "text": said[middle:], "timestamp": "2026-01-01T00:00:00Z"},
    ]
    if status:
        messages.append({"type": "error", "name": "Error", "value": stderr.decode()[-200:], "traceback": ""})
    messages.append({"type": "end_of_execution"})
    return answer(b"".join(dumps(message) + b"\n" for message in messages))


@dataclass
class Running:
    """A platform that answers."""

    platform: FakeE2b
    api: HttpPeer
    proxy: HttpPeer
    text: str
    """The setting that leads there."""


@asynccontextmanager
async def running_e2b(folder: Path) -> AsyncGenerator[Running]:
    """The platform while the context lasts; `folder` gets its sandboxes."""
    platform = FakeE2b(folder)
    strict = platform.faults.strict
    async with (
        http_peer(strict(platform.answer_api)) as api,
        http_peer(strict(platform.answer_sandboxes)) as proxy,
    ):
        try:
            yield Running(platform, api, proxy, f",api={api.url},sandbox={proxy.url}")
        finally:
            platform.end()
    assert platform.faults.refused == []
