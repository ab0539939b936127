"""A hostile document given to a real server, and what that did to it."""

import json
import posixpath
import re
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from openplaybook.jsonvalues import dumps
from tests.e2e.kit.rest import Answer, Rest
from tests.e2e.kit.server import Server
from tests.kit.hostile.documents import Hostile, Surroundings
from tests.kit.http_peer import HttpPeer

SCRIPT = """
rules:
  - when: {user: {equals: act}}
    reply: {calls: [{name: Hostile.act, arguments: {}}]}
  - when: {after: '*', error: true}
    reply: {text: 'It failed.'}
  - reply: {text: 'Done.'}
"""
"""What the model does in a conversation about a hostile tool."""

LONGEST_S, LONGEST_HEALTH_S, MOST_MB = 20.0, 1.0, 512.0

_MOST_TOLD = 40_000
"""Bytes of an error."""
_EXPECTED = {"create": (200, 400), "get": (200,), "execute": (200, 400), "converse": (200,)}
_PAUSE_S = 0.02
_NOT_OURS = re.compile(rb"root:x?:0:0")


@dataclass(frozen=True, slots=True)
class Prey:
    """What is attacked."""

    server: Server
    peer: HttpPeer
    """The service on loopback."""
    secret: Path
    """A file whose text must not come out."""


def harm(hostile: Hostile, prey: Prey) -> list[str]:
    """What a document achieved, in words; empty when it achieved nothing."""
    near = Surroundings(prey.peer.url, str(prey.secret))
    body = dumps({"displayName": "Hostile", "description": "h", "openApiSpec": {"textSchema": "@TEXT"}})
    body = body.replace(b'"@TEXT"', _quoted(hostile.text(near)))
    prey.peer.requests.clear()
    _forget_peak(prey.server.process.pid)
    rest = Rest(prey.server.http)
    agent = rest.agent()
    answers: dict[str, tuple[Answer, float]] = {}
    with watched(prey.server) as waits:
        answers["create"] = _timed(rest, "POST", f"/v3beta1/{agent}/tools", body)
        if answers["create"][0].status == 200:
            tool = answers["create"][0].json["name"]
            answers["get"] = _timed(rest, "GET", f"/v3beta1/{tool}")
            call = {"action": "act", "inputParameters": hostile.arguments}
            answers["execute"] = _timed(rest, "POST", f"/v3/{tool}:execute", dumps(call))
            rest.start(agent, "Use ${TOOL: Hostile}.")
            said = {"queryInput": {"text": {"text": "act"}, "languageCode": "en"}}
            answers["converse"] = _timed(rest, "POST", f"/v3/{agent}/sessions/s:detectIntent", dumps(said))
    return [
        *(f"{step} took {seconds:.1f} s" for step, (_, seconds) in answers.items() if seconds > LONGEST_S),
        *(
            f"{step} answered {answer.status}: {answer.body[:300]!r}"
            for step, (answer, _) in answers.items()
            if answer.status not in _EXPECTED[step] or (answer.status != 200 and len(answer.body) > _MOST_TOLD)
        ),
        *(f"{step} told a secret" for step, (answer, _) in answers.items() if _is_leaking(answer, prey)),
        *([f"the health check waited {max(waits):.2f} s"] if max(waits, default=0) > LONGEST_HEALTH_S else []),
        *([f"the server grew to {peak:.0f} MB"] if (peak := peak_mb(prey.server.process.pid)) > MOST_MB else []),
        *_strayed(prey),
    ]


def _quoted(text: str) -> bytes:
    """A JSON string; lone surrogates are kept, which our own JSON writer does not write."""
    return json.dumps(text).encode()


def _timed(rest: Rest, method: str, path: str, body: bytes | None = None) -> tuple[Answer, float]:
    begun = time.monotonic()
    return rest.send(method, path, body), time.monotonic() - begun


def _is_leaking(answer: Answer, prey: Prey) -> bool:
    return prey.secret.read_bytes() in answer.body or _NOT_OURS.search(answer.body) is not None


def _strayed(prey: Prey) -> list[str]:
    """Requests that the service should not have got."""
    found: list[str] = []
    for each in prey.peer.requests:
        target = posixpath.normpath(unquote(each.target.partition("?")[0]).replace("\\", "/"))
        if not target.startswith("/api"):
            found.append(f"{each.target} was asked for")
        names = [name.lower() for name, _ in each.headers]
        if any(name in ("x-injected", "x-b", "x-c") for name in names) or len(set(names)) != len(names):
            found.append(f"a request with the headers {names} was sent")
        if each.header("Host") not in (None, prey.peer.url.removeprefix("http://")):
            found.append(f"Host was {each.header('Host')}")
    copied = prey.secret.with_name(f"{prey.secret.name}.copied")
    return [*found, *(["a command was run"] if copied.exists() else [])]


@contextmanager
def watched(server: Server) -> Generator[list[float]]:
    """How long each health check waited while the context lasted, one after the other."""
    waits: list[float] = []
    over = threading.Event()

    def watch() -> None:
        rest = Rest(server.http)
        while not over.is_set():
            waits.append(_timed(rest, "GET", "/healthz")[1])
            over.wait(_PAUSE_S)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield waits
    finally:
        over.set()
        watcher.join()


def _forget_peak(pid: int) -> None:
    """Start the measure of the peak anew (proc(5), clear_refs)."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def peak_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024
