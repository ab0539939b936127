"""What Cloud Storage's JSON API is to a caller, strict about its discovery document."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from urllib.parse import parse_qs, unquote, urlsplit

from openplaybook.jsonvalues import JsonObject, as_object
from tests.kit.http_peer import Received, answer

_TEST = "testIamPermissions"


@cache
def _document() -> JsonObject:
    folder = resources.files("googleapiclient.discovery_cache.documents")
    return as_object(json.loads(folder.joinpath("storage.v1.json").read_bytes()))


@dataclass(frozen=True)
class Call:
    """A request, as the discovery document names it."""

    method: str
    """`get`, `insert` or `list` of `storage.objects`, or `testIamPermissions` of `storage.buckets`."""
    path: dict[str, str]
    """Its parameters, decoded."""
    query: dict[str, list[str]]


def read_call(received: Received) -> Call:
    """The call that a request is; an `AssertionError` where the document knows none like it."""
    document, url = _document(), urlsplit(received.target)
    objects, buckets = (document["resources"][name]["methods"] for name in ("objects", "buckets"))
    methods = {name: objects[name] for name in ("get", "insert", "list")} | {_TEST: buckets[_TEST]}
    templates = {name: f"/{document['servicePath']}{method['path']}" for name, method in methods.items()}
    templates["insert"] = methods["insert"]["mediaUpload"]["protocols"]["simple"]["path"]
    for name, template in templates.items():
        found = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(template)), url.path)
        if found is None or received.method != methods[name]["httpMethod"]:
            continue
        query = parse_qs(url.query, strict_parsing=True)
        known = {**document["parameters"], **methods[name]["parameters"]}
        for key, values in query.items():
            assert known[key]["location"] == "query", query
            assert len(values) == 1 or known[key].get("repeated"), query
        path = {key: unquote(value, errors="strict") for key, value in found.groupdict().items()}
        return Call(name, path, query)
    raise AssertionError(f"{received.method} {received.target} is no method that is used")


def _error(status: str, message: str) -> bytes:
    reason = {"domain": "global", "reason": "error", "message": message}
    body = {"error": {"code": int(status[:3]), "message": message, "errors": [reason]}}
    return answer(json.dumps(body).encode(), status)


@dataclass
class StoragePeer:
    """Buckets with objects. Give it to `http_peer`."""

    objects: dict[str, dict[str, bytes]] = field(default_factory=dict[str, dict[str, bytes]])
    """By bucket, then by name."""
    tokens: set[str] | None = None
    """Those that are let in; None asks for none, and takes none: an emulator."""
    readers: set[str] = field(default_factory=set[str])
    """Tokens that may only read."""
    instead: Callable[[Received], bytes | None] | None = None
    """What is sent in place of an answer; None closes the connection."""
    names_a_page: int = 2
    """Of a list."""
    calls: list[Call] = field(default_factory=list[Call])

    def __call__(self, received: Received) -> bytes | None:
        call = read_call(received)
        self.calls.append(call)
        if self.instead is not None:
            return self.instead(received)
        given = received.header("Authorization")
        if self.tokens is None:
            assert given is None, "an emulator gets no token"
        elif given is None or given.removeprefix("Bearer ") not in self.tokens:
            return _error("401 Unauthorized", "Invalid Credentials")
        bucket = self.objects.get(call.path["bucket"])
        if bucket is None:
            return _error("404 Not Found", "The specified bucket does not exist.")
        if call.method == "get":
            return self._read(bucket, call)
        if call.method == "list":
            return self._list(bucket, call)
        if call.method == _TEST:
            asked = call.query["permissions"]
            is_reader = given is not None and given.removeprefix("Bearer ") in self.readers
            granted = [each for each in asked if each == "storage.objects.get" or not is_reader]
            return answer(json.dumps({"kind": "storage#testIamPermissionsResponse", "permissions": granted}).encode())
        if given is not None and given.removeprefix("Bearer ") in self.readers:
            return _error("403 Forbidden", "robot does not have storage.objects.create access.")
        return self._write(bucket, call, received)

    def _read(self, bucket: dict[str, bytes], call: Call) -> bytes:
        assert call.query == {"alt": ["media"]}
        name = call.path["object"]
        if name not in bucket:
            text = f"No such object: {call.path['bucket']}/{name}".encode()
            return answer(text, "404 Not Found", "text/html; charset=UTF-8")
        return answer(bucket[name], content_type="application/octet-stream")

    def _list(self, bucket: dict[str, bytes], call: Call) -> bytes:
        [prefix] = call.query["prefix"]
        names = sorted(name for name in bucket if name.startswith(prefix))
        begin = int(call.query.get("pageToken", ["0"])[0])
        page: JsonObject = {"items": [{"name": name} for name in names[begin : begin + self.names_a_page]]}
        if begin + self.names_a_page < len(names):
            page["nextPageToken"] = str(begin + self.names_a_page)
        return answer(json.dumps(page).encode())

    def _write(self, bucket: dict[str, bytes], call: Call, received: Received) -> bytes:
        assert call.query.keys() == {"uploadType", "name"}
        assert call.query["uploadType"] == ["media"]
        assert received.header("Content-Length") == str(len(received.body))
        assert received.header("Content-Type") == "application/octet-stream"
        [name] = call.query["name"]
        bucket[name] = received.body
        size = str(len(received.body))
        return answer(json.dumps({"kind": "storage#object", "name": name, "size": size}).encode())
