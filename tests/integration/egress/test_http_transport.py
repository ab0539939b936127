import asyncio
import gc
import gzip
import resource
import sys
from collections.abc import AsyncIterator, Sequence

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest
from openplaybook.egress.errors import (
    AddressRefused,
    BadResponse,
    ConnectFailed,
    EgressError,
    TimedOut,
    TooManyRedirects,
)
from openplaybook.egress.http_transport import HttpTransport
from tests.kit.egress import QUICK, Names, failure, get
from tests.kit.http_peer import Answer, Received, answer, http_peer


@pytest.fixture
async def transport() -> AsyncIterator[HttpTransport]:
    made = HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8")))
    yield made
    await made.aclose()


def always(reply: bytes | None) -> Answer:
    return lambda _: reply


async def test_an_answer_comes_whole_with_its_status_and_headers(transport: HttpTransport) -> None:
    async with http_peer(always(answer(b'{"a":1}', "404 Not Found", X_Trace="7"))) as peer:
        response = await get(transport, f"{peer.url}/a%2Fb?q=%2C&r=a,b")
        assert (response.status, response.body, response.truncated) == (404, b'{"a":1}', False)
        assert response.header("x-trace") == "7"
        # Their names are keys of JSON objects later, which an aiohttp `istr` cannot be.
        assert {type(name) for name, _ in response.headers} == {str}
        assert response.header("absent") == ""
        assert [request.target for request in peer.requests] == ["/a%2Fb?q=%2C&r=a,b"]


@pytest.mark.parametrize(("sent", "text"), [(b"caf\xc3\xa9", "café"), (b"caf\xe9", "café"), (b"\xff\xfe", "ÿþ")])
async def test_a_header_is_text_whatever_its_bytes(transport: HttpTransport, sent: bytes, text: str) -> None:
    reply = b"HTTP/1.1 200 OK\r\nX-A: " + sent + b"\r\nContent-Length: 0\r\n\r\n"
    async with http_peer(always(reply)) as peer:
        assert (await get(transport, peer.url)).header("x-a") == text


@pytest.mark.parametrize("method", ["GET /admin HTTP/1.1\r\nX-A: b\r\n\r\nGET", "GET X", "GÉT"])
async def test_a_method_that_is_none_is_not_sent(transport: HttpTransport, method: str) -> None:
    async with http_peer(always(answer())) as peer:
        error = await failure(transport.send(HttpRequest(method, peer.url), QUICK))
        assert (type(error), error.sent, peer.requests) == (AddressRefused, False, [])


async def test_a_request_without_a_body_claims_no_content_type(transport: HttpTransport) -> None:
    async with http_peer(always(answer())) as peer:
        await transport.send(HttpRequest("POST", peer.url), QUICK)
        assert (peer.requests[0].header("Content-Type"), peer.requests[0].header("Content-Length")) == (None, "0")


async def test_connections_are_kept_between_calls(transport: HttpTransport) -> None:
    async with http_peer(always(answer())) as peer:
        for _ in range(20):
            await get(transport, peer.url)
        assert (len(peer.requests), peer.connections) == (20, 1)


async def test_no_cookie_wanders_from_one_call_to_the_next(transport: HttpTransport) -> None:
    async with http_peer(always(answer(Set_Cookie="session=secret"))) as peer:
        await get(transport, peer.url)
        await get(transport, peer.url)
        assert peer.requests[1].header("Cookie") is None


async def test_proxies_of_the_environment_are_not_used(
    transport: HttpTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with http_peer(always(answer())) as peer:
        assert (await get(transport, peer.url)).status == 200


async def test_a_refused_connection_was_not_sent(transport: HttpTransport) -> None:
    async with http_peer(always(answer())) as peer:
        gone = peer.url
    error = await failure(get(transport, gone))
    assert (type(error), error.code, error.sent) == (ConnectFailed, "CONNECTION_FAILED", False)
    assert "Connection refused" in str(error)


async def test_silence_is_a_read_timeout(transport: HttpTransport) -> None:
    async def never(_: Received) -> bytes:
        await asyncio.Event().wait()
        return b""

    async with http_peer(never) as peer:
        error = await failure(get(transport, peer.url, QUICK))
    assert isinstance(error, TimedOut)
    assert (error.which, error.sent) == ("read", True)


async def test_a_body_that_does_not_end_is_cut_off_by_the_total_time(transport: HttpTransport) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx")
        await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    error = await failure(get(transport, f"http://127.0.0.1:{port}/", HttpLimits(read_s=30, total_s=0.2)))
    server.close()
    assert isinstance(error, TimedOut)
    assert (error.which, error.sent) == ("total", True)


_UNFINISHED = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"
_UNREADABLE = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"


@pytest.mark.parametrize("reply", [None, b"", b"no HTTP\r\n\r\n", _UNFINISHED, _UNREADABLE, "refused"])
async def test_a_body_that_could_not_be_sent_is_not_kept_until_the_collector_comes(
    transport: HttpTransport, reply: bytes | str | None
) -> None:
    body, codes = b"".join([b"x"] * 100_000), list[str]()
    kept = sys.getrefcount(body)

    async def send(url: str) -> None:
        try:
            await transport.send(HttpRequest("POST", url, body=body), QUICK)
        except EgressError as error:
            codes.append(error.code)

    gc.disable()
    try:
        async with http_peer(lambda _: None if isinstance(reply, str) else reply) as peer:
            url = peer.url
            if reply != "refused":
                await send(url)
        if reply == "refused":
            await send(url)
        for _ in range(5):
            await asyncio.sleep(0)
        assert (len(codes), sys.getrefcount(body)) == (1, kept)
    finally:
        gc.enable()


async def test_a_resolver_that_hangs_is_a_connect_timeout() -> None:
    class Hanging:
        async def resolve(self, host: str, port: int) -> Sequence[str]:
            await asyncio.Event().wait()
            return ()

    transport = HttpTransport(AddressPolicy(), Hanging())
    error = await failure(get(transport, "http://slow.example/", QUICK))
    await transport.aclose()
    assert isinstance(error, TimedOut)
    assert (error.which, error.sent) == ("connect", False)


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"this is not HTTP\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
    ],
    ids=["no answer", "no HTTP", "half a body", "broken gzip"],
)
async def test_an_answer_that_breaks_off_is_a_bad_response(transport: HttpTransport, reply: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(reply)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    error = await failure(transport.send(HttpRequest("POST", url, (), b"{}"), HttpLimits()))
    server.close()
    assert isinstance(error, BadResponse)
    assert (error.code, error.sent) == ("BAD_RESPONSE", True)


async def test_a_large_body_is_cut_at_the_cap_and_memory_stays_bounded(transport: HttpTransport) -> None:
    size = 50_000_000

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
        try:
            for _ in range(size // 100_000):
                writer.write(b"x" * 100_000)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    response = await get(transport, f"http://127.0.0.1:{port}/", HttpLimits(max_bytes=1_000_000))
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    server.close()
    assert (len(response.body), response.truncated) == (1_000_000, True)
    assert grown_kib < 20_000


async def test_a_compressed_body_is_unpacked(transport: HttpTransport) -> None:
    packed = gzip.compress(b'{"a":1}')
    async with http_peer(always(answer(packed, Content_Encoding="gzip"))) as peer:
        response = await get(transport, peer.url)
        assert (response.body, response.truncated) == (b'{"a":1}', False)
        assert peer.requests[0].header("Accept-Encoding") == "gzip, deflate"


async def test_a_gzip_bomb_is_cut_at_the_cap_of_what_it_unpacks_to(transport: HttpTransport) -> None:
    bomb = gzip.compress(bytes(100_000_000), compresslevel=1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with http_peer(always(answer(bomb, Content_Encoding="gzip"))) as peer:
        response = await get(transport, peer.url, HttpLimits(max_bytes=1_000_000))
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (len(response.body), response.truncated) == (1_000_000, True)
    assert grown_kib < 30_000


async def test_redirects_are_followed_and_credentials_stay_with_their_origin(transport: HttpTransport) -> None:
    async with http_peer(always(answer(b'"here"'))) as other:

        def first(request: Received) -> bytes:
            target = "/second" if request.target == "/first" else f"{other.url}/third"
            return answer(b"", "302 Found", Location=target)

        async with http_peer(first) as peer:
            response = await get(transport, f"{peer.url}/first", Authorization="Bearer t", X_Key="k", Accept="*/*")
            assert response.body == b'"here"'
            assert [request.target for request in peer.requests] == ["/first", "/second"]
            assert peer.requests[1].header("Authorization") == "Bearer t"
            assert other.requests[0].header("Authorization") is None
            assert other.requests[0].header("X-Key") is None
            assert other.requests[0].header("Accept") == "*/*"


async def test_a_circle_of_redirects_ends(transport: HttpTransport) -> None:
    async with http_peer(always(answer(b"", "302 Found", Location="/again"))) as peer:
        error = await failure(get(transport, peer.url))
        assert isinstance(error, TooManyRedirects)
        assert len(peer.requests) == 6


@pytest.mark.proves("A11")
@pytest.mark.parametrize(
    ("location", "rule"),
    [
        ("http://169.254.169.254/latest/meta-data/", "metadata"),
        ("http://10.0.0.1/", "private"),
        ("http://[::1]/", "loopback"),
        ("http://2130706433/", "odd_address"),
        ("file:///etc/passwd", "scheme"),
        ("http://user:secret@127.0.0.1/", "userinfo"),
    ],
)
async def test_a_redirect_is_checked_like_the_first_url(transport: HttpTransport, location: str, rule: str) -> None:
    async with http_peer(always(answer(b"", "302 Found", Location=location))) as peer:
        error = await failure(get(transport, peer.url))
    assert isinstance(error, AddressRefused)
    assert (error.rule, error.sent) == (rule, True)


@pytest.mark.proves("A11")
async def test_a_name_is_refused_when_any_of_its_addresses_is() -> None:
    names = Names({"mixed.example": [("8.8.8.8", "10.0.0.1")]})
    transport = HttpTransport(AddressPolicy(), names)
    error = await failure(get(transport, "http://mixed.example/", QUICK))
    await transport.aclose()
    assert isinstance(error, AddressRefused)
    assert (error.rule, error.sent) == ("private", False)
    assert names.asked == ["mixed.example"]


@pytest.mark.proves("A11")
async def test_the_system_resolver_finds_localhost_and_it_is_refused() -> None:
    transport = HttpTransport(AddressPolicy())
    error = await failure(get(transport, "http://localhost:1/", QUICK))
    await transport.aclose()
    assert isinstance(error, AddressRefused)
    assert error.rule == "loopback"


async def test_the_checked_address_is_the_one_that_is_dialled() -> None:
    # A name that answers with an allowed address first and another one at the next lookup.
    async with http_peer(always(answer())) as peer:
        names = Names({"rebinding.example": [("127.0.0.1",), ("127.0.0.2",)]})
        transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")), names)
        response = await get(transport, f"http://rebinding.example:{peer.port}/")
        await transport.aclose()
        assert response.status == 200
        assert peer.requests[0].header("Host") == f"rebinding.example:{peer.port}"
        assert names.asked == ["rebinding.example"]


async def test_a_name_without_an_address_fails_to_connect() -> None:
    transport = HttpTransport(AddressPolicy(), Names({}))
    error = await failure(get(transport, "http://nowhere.example/"))
    await transport.aclose()
    assert isinstance(error, ConnectFailed)
    assert str(error) == "the host name nowhere.example is unknown"


async def test_a_header_with_a_line_break_is_not_sent(transport: HttpTransport) -> None:
    async with http_peer(always(answer())) as peer:
        error = await failure(get(transport, peer.url, X_A="a\r\nX-B: b"))
        assert isinstance(error, AddressRefused)
        assert peer.requests == []


async def test_a_closed_transport_sends_nothing(transport: HttpTransport) -> None:
    await transport.aclose()
    error = await failure(get(transport, "http://127.0.0.1:1/"))
    assert isinstance(error, ConnectFailed)


async def test_nor_does_one_that_is_about_to_close(transport: HttpTransport) -> None:
    requests: list[asyncio.Task[Exception]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        requests.append(asyncio.create_task(failure(get(transport, url))))
        await transport.aclose()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        await failure(get(transport, url))
    assert [type(await request) for request in requests] == [ConnectFailed]


async def test_headers_that_everybody_writes_alike_are_shown_so(transport: HttpTransport) -> None:
    reply = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nETAG: 1\r\nx-ReQuest: a\r\ncontent-length: 2\r\n\r\nok"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(reply)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        response = await get(transport, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    assert [name for name, _ in response.headers] == ["Content-Type", "ETag", "x-ReQuest", "Content-Length"]
