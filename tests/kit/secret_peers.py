"""Stores of secrets on loopback, strict about what their vendors' API documents ask of a client."""

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import google_crc32c

from openplaybook.jsonvalues import JsonObject
from tests.kit.http_peer import Received, answer


def _json(status: str, body: object) -> bytes:
    return answer(json.dumps(body).encode(), status)


@dataclass
class VaultPeer:
    """Vault's KV version 2 at `mount`, with token and AppRole.

    By the API documents of `kv/kv-v2` (read secret version), `auth/approle` (login), `auth/token` (lookup-self) and
    `system/health`.
    """

    mount: str = "secret"
    secrets: dict[str, list[JsonObject | None]] = field(default_factory=dict[str, list[JsonObject | None]])
    """Versions by path; None is a deleted one."""
    tokens: set[str] = field(default_factory=lambda: {"hvs.root"})
    roles: dict[str, str] = field(default_factory=dict[str, str])
    """`secret_id` by `role_id`."""
    lease_s: int = 3600
    namespace: str | None = None
    status: str = ""
    """When set, every answer."""
    logins: int = 0

    def __call__(self, received: Received) -> bytes:
        assert received.header("X-Vault-Request") == "true"
        url = urlsplit(received.target)
        path = url.path.removeprefix("/v1/")
        if self.status:
            return _json(self.status, {"errors": ["Vault is sealed"]})
        if path == "sys/health":
            return _json("200 OK", {"initialized": True, "sealed": False, "standby": False})
        if received.header("X-Vault-Namespace") != self.namespace:
            return _json("404 Not Found", {"errors": ["no handler for route"]})
        if path == "auth/approle/login":
            return self._login(received)
        if received.header("X-Vault-Token") not in self.tokens:
            return _json("403 Forbidden", {"errors": ["permission denied"]})
        if path == "auth/token/lookup-self":
            return _json("200 OK", {"data": {"display_name": "token", "policies": ["default"]}})
        head = f"{self.mount}/data/"
        if received.method != "GET" or not path.startswith(head):
            return _json("404 Not Found", {"errors": ["no handler for route"]})
        return self._read(path.removeprefix(head), parse_qs(url.query))

    def _read(self, path: str, query: dict[str, list[str]]) -> bytes:
        assert set(query) <= {"version"}, query
        versions = self.secrets.get(path, [])
        number = int(query.get("version", ["0"])[0]) or len(versions)
        if not 0 < number <= len(versions):
            return _json("404 Not Found", {"errors": []})
        data = versions[number - 1]
        deleted = "2026-01-02T00:00:00Z" if data is None else ""
        metadata = {"created_time": "2026-01-01T00:00:00Z", "deletion_time": deleted, "destroyed": False}
        body = {"data": {"data": data, "metadata": {**metadata, "version": number}}, "lease_duration": 0}
        return _json("200 OK" if data is not None else "404 Not Found", body)

    def _login(self, received: Received) -> bytes:
        assert received.method == "POST"
        given = json.loads(received.body)
        assert set(given) == {"role_id", "secret_id"}
        if self.roles.get(given["role_id"]) != given["secret_id"]:
            return _json("400 Bad Request", {"errors": ["invalid role or secret ID"]})
        self.logins += 1
        token = f"hvs.{self.logins}"
        self.tokens = {token}
        auth = {"client_token": token, "lease_duration": self.lease_s, "renewable": True, "policies": ["default"]}
        return _json("200 OK", {"auth": auth, "data": None})


@dataclass
class SecretManagerPeer:
    """`projects.secrets.versions.access` of Google's Secret Manager, by its discovery document."""

    secrets: dict[str, list[bytes | None]] = field(default_factory=dict[str, list[bytes | None]])
    """Versions by the secret's name; None is a disabled one."""
    token: str = "ya29.token"
    damaged: bool = False
    status: str = ""
    edit: Callable[[JsonObject], JsonObject] = lambda body: body
    """What becomes of an answer."""

    def __call__(self, received: Received) -> bytes:
        assert received.method == "GET"
        if self.status:
            return _google_error(self.status, "UNAVAILABLE", "The service is currently unavailable.")
        if received.target == "/$discovery/rest?version=v1":
            return _json("200 OK", {"kind": "discovery#restDescription", "name": "secretmanager"})
        if received.header("Authorization") != f"Bearer {self.token}":
            return _google_error("401 Unauthorized", "UNAUTHENTICATED", "Request had invalid authentication.")
        path, verb = received.target.rsplit(":", 1)
        head, version = path.removeprefix("/v1/").rsplit("/versions/", 1)
        assert verb == "access"
        versions = self.secrets.get(head, [])
        number = len(versions) if version == "latest" else int(version)
        if not 0 < number <= len(versions):
            return _google_error("404 Not Found", "NOT_FOUND", f"Secret Version [{version}] not found.")
        return self._payload(f"{head}/versions/{number}", versions[number - 1])

    def _payload(self, name: str, value: bytes | None) -> bytes:
        if value is None:
            message = f"Secret Version [{name}] is in DISABLED state."
            return _google_error("400 Bad Request", "FAILED_PRECONDITION", message)
        checksum = str(google_crc32c.value(value))
        sent = value + b"!" if self.damaged else value
        payload = {"data": b64encode(sent).decode(), "dataCrc32c": checksum}
        return _json("200 OK", self.edit({"name": name, "payload": payload}))


def _google_error(status: str, name: str, message: str) -> bytes:
    return _json(status, {"error": {"code": int(status[:3]), "message": message, "status": name}})
