"""Twenty bodies of 95 MB at once take neither the server's memory nor its time for others."""

import base64
import socket
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest

from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, running
from tests.proof.test_soak import memory_mb

AT_ONCE = 20
SIZE = 95 * 1024 * 1024
PIECE = b"QUFB" * (256 * 1024)
MOST_MB = 1000.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("large")) as started:
        yield started


@contextmanager
def watched(server: Server) -> Generator[list[float]]:
    """The server's memory, over and over, while others are answered all the time."""
    seen, ended = [memory_mb(server.process.pid)], threading.Event()

    def watch() -> None:
        while not ended.wait(0.005):
            seen.append(memory_mb(server.process.pid))

    def ask() -> None:
        while not ended.is_set():
            assert Rest(server.http).send("GET", "/healthz").status == 200

    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(ask), pool.submit(watch)]
        yield seen
        ended.set()
        for each in asked:
            each.result(30)


def status_of(server: Server, target: str, before: bytes, after: bytes, *, is_chunked: bool) -> int:
    """The status of a request with so large a body; 0 where the connection was cut before it was told."""
    count = SIZE // len(PIECE)
    length = f"Content-Length: {len(before) + count * len(PIECE) + len(after)}"
    framing = "Transfer-Encoding: chunked" if is_chunked else length
    head = f"POST {target} HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.http_port), 60) as connection:
        connection.sendall(head.encode())
        try:
            for piece in (before, *[PIECE] * count, after):
                connection.sendall(b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece)
            connection.sendall(b"0\r\n\r\n" if is_chunked else b"")
        except ConnectionError:
            pass  # it may have been answered before
        line = connection.makefile("rb").readline()
    return int(line.split()[1]) if line else 0


def at_once(send: Callable[[], object]) -> Counter[object]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(each.result(120) for each in [pool.submit(send) for _ in range(AT_ONCE)])


@pytest.mark.proof
@pytest.mark.timeout(300)
@pytest.mark.parametrize("is_chunked", [False, True])
def test_turns_are_refused_over_rest(server: Server, *, is_chunked: bool) -> None:
    agent = Rest(server.http).agent()
    target = f"/v3/{agent}/sessions/1:detectIntent"
    before, after = b'{"queryInput": {"text": {"text": "', b'"}, "languageCode": "en"}}'
    with watched(server) as memory:
        told = at_once(lambda: status_of(server, target, before, after, is_chunked=is_chunked))
    assert set(told) <= {413, 429}
    assert max(memory) < MOST_MB


@pytest.mark.proof
@pytest.mark.timeout(300)
def test_imports_are_taken_as_far_as_there_is_room(server: Server) -> None:
    target = f"/v3/{Rest(server.http).agent()}:restore"
    with watched(server) as memory:
        told = at_once(lambda: status_of(server, target, b'{"agentContent": "', b'"}', is_chunked=False))
    assert set(told) <= {200, 429}
    assert told[200] >= 1
    assert max(memory) < MOST_MB


@pytest.mark.proof
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("size", "codes"), [(SIZE, {"RESOURCE_EXHAUSTED"}), (15_000_000, None)])
def test_turns_are_refused_over_grpc(server: Server, size: int, codes: set[str] | None) -> None:
    request = b"\x0a" + base64.b64encode(b"x" * 12) + b"x" * size  # the length of a text, and too little of it
    method = "/google.cloud.dialogflow.cx.v3.Sessions/DetectIntent"

    def code() -> str:
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_send_message_length", -1)]
        with grpc.insecure_channel(server.grpc, options=options) as channel:
            try:
                channel.unary_unary(method)(request, timeout=100)
            except grpc.RpcError as error:
                return error.code().name
            return "OK"

    with watched(server) as memory:
        told = at_once(code)
    assert set(told) <= (codes or {"INVALID_ARGUMENT", "RESOURCE_EXHAUSTED"})
    assert max(memory) < MOST_MB
