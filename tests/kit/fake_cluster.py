"""A Kubernetes API with agent-sandbox, its router, and pods with its Python runtime, on loopback.

Each request is checked against what the CRDs (`v1beta1`), the API conventions, the router and the runtime take; one
that they would refuse fails the test. Written from these, not copied.
"""

import asyncio
import re
import shlex
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import trustme

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from tests.kit.certificates import server_tls
from tests.kit.faults import Faults
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.lent_machines import LentMachine, uploaded

NAMESPACE = "sandboxes"
POOL = "python"
_GROUP = f"/apis/extensions.agents.x-k8s.io/v1beta1/namespaces/{NAMESPACE}"
_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_LABEL = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


@dataclass
class FakeCluster:
    """The cluster; `pods` by the name of their sandbox, `claims` by their own."""

    folder: Path
    replicas: int = 2
    token: str = "token-1"
    template: JsonObject = field(
        default_factory=lambda: {
            "podTemplate": {"spec": {"runtimeClassName": "gvisor", "containers": []}},
            "networkPolicy": {"ingress": []},
        }
    )
    claims: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    pods: dict[str, LentMachine] = field(default_factory=dict[str, LentMachine])
    claimed: list[str] = field(default_factory=list[str])
    deleted: list[str] = field(default_factory=list[str])
    addresses: dict[str, str] = field(default_factory=dict[str, str])
    faults: Faults = field(default_factory=Faults)
    lose_creation: bool = False
    """The next creation is not answered."""
    watched: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the first watch."""
    pending: JsonObject | None = None
    """Condition of claims for which there is no pod; None: that it is being made."""
    _version: int = 100
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    def add_pod(self) -> None:
        """A pod for the longest waiting claim, as when the pool is given room."""
        self.replicas += 1
        for claim in self.claims.values():
            self._settle(claim)

    async def answer_api(self, received: Received) -> bytes | None:
        """A request to the Kubernetes API."""
        assert received.header("Authorization") == f"Bearer {self.token}", "another token"
        is_due, fault = self.faults.take(received)
        if is_due:
            return fault
        split = urlsplit(received.target)
        assert split.path.startswith(f"{_GROUP}/"), split.path
        kind, _, name = split.path.removeprefix(f"{_GROUP}/").partition("/")
        query = dict(parse_qsl(split.query, strict_parsing=True)) if split.query else {}
        if kind == "sandboxclaims":
            return await self._claim(received, unquote(name), query)
        assert received.method == "GET"
        known: Mapping[str, JsonObject] = {
            f"sandboxwarmpools/{POOL}": {
                "spec": {"replicas": 2, "sandboxTemplateRef": {"name": "python"}},
                "status": {"readyReplicas": self.replicas},
            },
            "sandboxtemplates/python": {"spec": self.template},
        }
        found = known.get(f"{kind}/{name}")
        return status(404, f'{kind} "{name}" not found') if found is None else answer(dumps(found))

    async def answer_pods(self, received: Received) -> bytes | None:
        """A request to the router, or to the address of a pod."""
        is_due, fault = self.faults.take(received)
        if is_due:
            return fault
        sandbox = received.header("X-Sandbox-ID")
        if sandbox is not None:
            assert received.header("X-Sandbox-Namespace") == NAMESPACE
            assert received.header("X-Sandbox-Port") == "8888"
            assert received.header("X-Sandbox-Pod-IP") == self.addresses[sandbox]
        host = (received.header("Host") or "").partition(":")[0]
        by_address = {address: name for name, address in self.addresses.items()}
        pod = self.pods.get(by_address.get(host, "") if sandbox is None else sandbox)
        if pod is None:
            return answer(b'{"detail":"Could not connect to the backend sandbox"}', "502 Bad Gateway")
        return await _runtime(pod, received)

    def end(self) -> None:
        """End every pod."""
        for pod in self.pods.values():
            pod.end()

    def evict(self) -> None:
        """End every pod and leave their claims, as when a node dies."""
        self.end()
        self.pods.clear()

    async def _claim(self, received: Received, name: str, query: Mapping[str, str]) -> bytes | None:
        match received.method, bool(name):
            case "POST", False:
                return await self._create(_body(received, "application/json"))
            case "GET", False:
                return await self._watch(query) if "watch" in query else self._list(query)
            case "GET", True if not query:
                return self._shown(name)
            case "PATCH", True:
                return await self._patch(name, _body(received, "application/merge-patch+json"))
            case "DELETE", True:
                return await self._delete(name, _body(received, "application/json"))
            case _:
                raise AssertionError(f"{received.method} {received.target}")

    async def _create(self, claim: JsonObject) -> bytes | None:
        check_claim(claim)
        name: str = claim["metadata"]["name"]
        if name in self.claims:
            return status(409, f'sandboxclaims "{name}" already exists')
        self.claims[name] = claim
        self.claimed.append(name)
        await self._changed(claim)
        created = answer(dumps(claim), "201 Created")
        self._settle(claim)
        is_lost, self.lose_creation = self.lose_creation, False
        return None if is_lost else created

    def _settle(self, claim: JsonObject) -> None:
        """What the controller does: bind a pod of the pool, else say what it waits for."""
        name: str = claim["metadata"]["name"]
        if claim.get("status", {}).get("sandbox"):
            return
        if not self.replicas:
            waits = self.pending or _condition("False", "SandboxNotReady", "Sandbox is not ready: 0/1 nodes available")
            claim["status"] = {"conditions": [waits]}
        else:
            self.replicas -= 1
            sandbox = f"{POOL}-{len(self.addresses)}"
            # Each pod has an address of its own, all of them this machine.
            self.addresses[sandbox] = f"127.0.0.{len(self.addresses) + 2}"
            pod = self.pods[sandbox] = LentMachine(self.folder / sandbox)
            pod.folder.mkdir()
            claim["status"] = {
                "conditions": [_condition("True", "DependenciesReady", "Pod is Ready")],
                "sandbox": {"name": sandbox, "podIPs": [self.addresses[sandbox]]},
            }
        asyncio.get_running_loop().create_task(self._changed(claim), name=f"status of {name}")

    async def _changed(self, claim: JsonObject) -> None:
        async with self._news:
            self._version += 1
            claim["metadata"]["resourceVersion"] = str(self._version)
            self._news.notify_all()

    async def _watch(self, query: Mapping[str, str]) -> bytes:
        assert set(query) == {"watch", "fieldSelector", "resourceVersion", "timeoutSeconds"}, query
        self.watched.set()
        name = query["fieldSelector"].removeprefix("metadata.name=")
        since, seconds = int(query["resourceVersion"]), int(query["timeoutSeconds"])

        def is_news() -> bool:
            return name not in self.claims or int(self.claims[name]["metadata"]["resourceVersion"]) > since

        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        try:
            async with asyncio.timeout(seconds), self._news:
                await self._news.wait_for(is_news)
        except TimeoutError:
            return head + b"0\r\n\r\n"
        event = dumps({"type": "MODIFIED", "object": self.claims.get(name)}) + b"\n"
        # The stream stays open, as the API server leaves it.
        return head + f"{len(event):x}\r\n".encode() + event + b"\r\n"

    def _list(self, query: Mapping[str, str]) -> bytes:
        assert query == {"labelSelector": "app.kubernetes.io/managed-by=openplaybook", "limit": "500"}
        ours = [each for each in self.claims.values() if each["metadata"]["labels"] == OURS]
        return answer(dumps({"kind": "SandboxClaimList", "items": ours}))

    def _shown(self, name: str) -> bytes:
        found = self.claims.get(name)
        return status(404, f'sandboxclaims "{name}" not found') if found is None else answer(dumps(found))

    async def _patch(self, name: str, patch: JsonObject) -> bytes:
        if name not in self.claims:
            return status(404, f'sandboxclaims "{name}" not found')
        assert set(patch) == {"spec"}
        assert set(patch["spec"]) == {"lifecycle"}
        claim = self.claims[name]
        claim["spec"]["lifecycle"] |= patch["spec"]["lifecycle"]
        check_spec(claim["spec"])
        await self._changed(claim)
        return answer(dumps(claim))

    async def _delete(self, name: str, options: JsonObject) -> bytes:
        assert options == {"propagationPolicy": "Background"}
        claim = self.claims.pop(name, None)
        if claim is None:
            return status(404, f'sandboxclaims "{name}" not found')
        self.deleted.append(name)
        pod = self.pods.pop(claim.get("status", {}).get("sandbox", {}).get("name", ""), None)
        if pod is not None:
            pod.end()
        async with self._news:
            self._news.notify_all()
        return answer(dumps({"kind": "Status", "status": "Success"}))


OURS = {"app.kubernetes.io/managed-by": "openplaybook"}


def status(code: int, message: str, **headers: str) -> bytes:
    """An error as the Kubernetes API tells it (`meta/v1` Status)."""
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": code}
    return answer(dumps(body), f"{code} Error", **headers)


def check_claim(claim: JsonObject) -> None:
    """What the CRD and the API conventions ask of a SandboxClaim."""
    assert set(claim) == {"apiVersion", "kind", "metadata", "spec"}
    assert (claim["apiVersion"], claim["kind"]) == ("extensions.agents.x-k8s.io/v1beta1", "SandboxClaim")
    metadata = claim["metadata"]
    assert set(metadata) <= {"name", "labels", "annotations"}
    assert len(metadata["name"]) <= 253
    assert _NAME.fullmatch(metadata["name"])
    for value in metadata["labels"].values():
        assert len(value) <= 63
        assert _LABEL.fullmatch(value)
    check_spec(claim["spec"])


def check_spec(spec: JsonObject) -> None:
    """`SandboxClaimSpec`; `env` and `volumeClaimTemplates` would make every start a cold one."""
    assert set(spec) <= {"warmPoolRef", "lifecycle", "additionalPodMetadata"}
    assert spec["warmPoolRef"] == {"name": POOL}
    lifecycle = spec["lifecycle"]
    assert set(lifecycle) <= {"shutdownTime", "shutdownPolicy", "ttlSecondsAfterFinished"}
    assert lifecycle["shutdownPolicy"] in ("Delete", "DeleteForeground", "Retain")
    assert _TIME.fullmatch(lifecycle["shutdownTime"])
    datetime.fromisoformat(lifecycle["shutdownTime"])


def _condition(state: str, reason: str, message: str) -> JsonObject:
    return {
        "type": "Ready",
        "status": state,
        "reason": reason,
        "message": message,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }


def hopeless(reason: str, message: str) -> JsonObject:
    """A condition after which the controller does not try again."""
    return _condition("False", reason, message)


def _body(received: Received, content_type: str) -> JsonObject:
    assert received.header("Content-Type") == content_type
    value: JsonValue = loads(received.body)
    assert isinstance(value, dict)
    return value


async def _runtime(pod: LentMachine, received: Received) -> bytes | None:
    """`examples/python-runtime-sandbox`: three of its paths."""
    if (received.method, received.target) == ("POST", "/upload"):
        pod.write(*uploaded(received))
        return answer(b'{"message":"uploaded"}')
    if (received.method, received.target) == ("POST", "/execute"):
        asked = _body(received, "application/json")
        assert set(asked) <= {"command", "timeout_seconds"}
        assert isinstance(asked["command"], str)
        code, stdout, stderr = await pod.run(shlex.split(asked["command"]), asked["timeout_seconds"])
        return answer(dumps({"stdout": stdout.decode(), "stderr": stderr.decode(), "exit_code": code}))
    assert received.method == "GET", received.target
    assert received.target.startswith("/download/"), received.target
    path = pod.inside(unquote(received.target.removeprefix("/download/")))
    if not path.is_file():
        return answer(b'{"message":"File not found"}', "404 Not Found")
    return answer(path.read_bytes(), content_type="application/octet-stream")


@dataclass
class Running:
    """A cluster that answers."""

    cluster: FakeCluster
    api: HttpPeer
    router: HttpPeer
    text: str
    """The setting that leads there."""


@asynccontextmanager
async def running_cluster(folder: Path, replicas: int = 2) -> AsyncGenerator[Running]:
    """A cluster while the context lasts; `folder` gets its pods and the credentials of our service account."""
    cluster, authority = FakeCluster(folder, replicas), trustme.CA()
    credentials = folder / "serviceaccount"
    credentials.mkdir()
    (credentials / "token").write_text(f"{cluster.token}\n")
    (credentials / "ca.crt").write_bytes(authority.cert_pem.bytes())
    async with (
        http_peer(cluster.faults.strict(cluster.answer_api), server_tls(authority, "127.0.0.1")) as api,
        http_peer(cluster.faults.strict(cluster.answer_pods), host="0.0.0.0") as router,
    ):
        url = api.url.replace("http:", "https:")
        try:
            yield Running(cluster, api, router, f"{NAMESPACE}/{POOL},api={url},credentials={credentials},ready=5")
        finally:
            cluster.end()
    assert cluster.faults.refused == []
