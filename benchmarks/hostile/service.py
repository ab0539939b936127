"""An API on loopback that answers hostile bodies: `python -m benchmarks.hostile.service PORT`.

`GET /answers/KIND` answers as its kind says; anything else is answered by an empty object.
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

import uvloop

from benchmarks.hostile.cases.zips import gzipped

_SLOW_S = 0.5


async def _whole(body: bytes) -> AsyncIterator[bytes]:
    yield body


async def _endless(piece: bytes, pause_s: float = 0.0) -> AsyncIterator[bytes]:
    while True:
        yield piece
        await asyncio.sleep(pause_s)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent."""

    sentence: str
    body: Callable[[], AsyncIterator[bytes]]
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    status: str = "200 OK"


def _json(sentence: str, body: Callable[[], bytes], kind: str = "application/json", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(sentence, lambda: _whole(body()), {"Content-Type": kind, **named})


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


_JSON = {"Content-Type": "application/json"}
_CHUNKED = {**_JSON, "Transfer-Encoding": "chunked"}
_XML = "application/xml"
_LAUGHS = (
    '<!DOCTYPE a [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]><a>&j;</a>"
)

ANSWERS: Mapping[str, Answer] = {
    "deep": _json("JSON nested a million deep", lambda: b"[" * 1_000_000 + b"]" * 1_000_000),
    "deep-objects": _json(
        "objects 900 deep, 300 times", lambda: b"[" + b",".join([b'{"a":' * 900 + b"1" + b"}" * 900] * 300) + b"]"
    ),
    "large": _json("30 MB of JSON", lambda: b'{"a":[' + b'"some text",' * 2_500_000 + b'""]}'),
    "empty-objects": _json("15 MB of empty objects", lambda: b"[" + b"{}," * 5_000_000 + b"{}]"),
    "wide": _json(
        "an object of 300,000 members", lambda: b"{" + b",".join(b'"k%d":%d' % (n, n) for n in range(300_000)) + b"}"
    ),
    "one-text": _json("a text of 8 MB", lambda: b'"' + b"a" * 8_000_000 + b'"'),
    "escapes": _json("8 MB of escapes", lambda: b'"' + b"\\u00e9" * 1_300_000 + b'"'),
    "digits": _json("a number of two million digits", lambda: b'{"a":' + b"9" * 2_000_000 + b"}"),
    "exponents": _json("numbers beyond any number", lambda: b"[" + b"1e999999999," * 100_000 + b"1]"),
    "no-json": _json("8 MB that are no JSON at their end", lambda: b'{"a":[' + b"1," * 4_000_000),
    "no-utf8": _json("bytes that are no UTF-8", lambda: b'"' + b"\xff" * 4_000_000 + b'"'),
    "surrogates": _json("500,000 halves of characters", lambda: b'"' + b"\\ud800" * 500_000 + b'"'),
    "letters": _json("30 kB that a pattern backtracks on", lambda: b'{"a":"' + b"a" * 30_000 + b'!"}'),
    "xml-laughs": _json("XML of a billion laughs", lambda: _LAUGHS.encode(), _XML),
    "xml-deep": _json("XML 200,000 deep", lambda: b"<a>" * 200_000 + b"</a>" * 200_000, _XML),
    "xml-attributes": _json(
        "XML of 200,000 attributes", lambda: b"<a" + b"".join(b' a%d="1"' % n for n in range(200_000)) + b"/>", _XML
    ),
    "xml-external": _json(
        "XML that refers to a file", lambda: b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', _XML
    ),
    "gzip-bomb": _json("1 MB that inflates to 1 GB", lambda: gzipped(1000), Content_Encoding="gzip"),
    "gzip-twice": _json("a gzip of a gzip", lambda: gzipped(1, gzipped(1000)[: 2**16]), Content_Encoding="gzip, gzip"),
    "gzip-cut": _json("a gzip that is cut", lambda: gzipped(10)[:5_000], Content_Encoding="gzip"),
    "deflate-bomb": _json("the same by deflate", lambda: gzipped(1000)[10:-8], Content_Encoding="deflate"),
    "html": _json("15 MB of HTML", lambda: b"<p>" * 5_000_000, "text/html"),
    "text": _json("a text of 8 MB", lambda: b"line\n" * 1_600_000, "text/plain"),
    "form": _json("a form of 500,000 fields", lambda: b"a=1&" * 500_000, "application/x-www-form-urlencoded"),
    "csv": _json("a table of 500,000 rows", lambda: b"a,b,c\n" * 500_000, "text/csv"),
    "picture": _json("a picture of 15 MB", lambda: b"\x89PNG\r\n\x1a\n" + bytes(15_000_000), "image/png"),
    "multipart": _json(
        "100,000 parts", lambda: b"--x\r\n\r\na\r\n" * 100_000 + b"--x--", "multipart/mixed; boundary=x"
    ),
    "yaml": _json("YAML of `: `", lambda: b": " * 7_500, "application/yaml"),
    "ndjson": _json("500,000 lines of JSON", lambda: b'{"a":1}\n' * 500_000, "application/x-ndjson"),
    "odd-charset": _json("an encoding that no one knows", lambda: b'{"a":1}', "application/json; charset=utf-7000"),
    "utf-16": _json(
        "8 MB of UTF-16", lambda: ('"' + "é" * 2_000_000 + '"').encode("utf-16"), "application/json; charset=utf-16"
    ),
    "endless": Answer("chunks without an end", lambda: _endless(_chunk(b"a" * 65_536)), _CHUNKED),
    "endless-json": Answer("a list without an end", lambda: _endless(_chunk(b"[1," * 20_000)), _CHUNKED),
    "small-chunks": Answer(
        "a million chunks of a byte", lambda: _whole(b"1\r\na\r\n" * 1_000_000 + b"0\r\n\r\n"), _CHUNKED
    ),
    "endless-trailers": Answer("trailers without an end", lambda: _endless(b"0\r\n" + b"X-A: a\r\n" * 5_000), _CHUNKED),
    "endless-extension": Answer(
        "an extension of a chunk without an end", lambda: _endless(b"1;" + b"a" * 65_536), _CHUNKED
    ),
    "events": Answer(
        "events without an end",
        lambda: _endless(_chunk(b"data: a\n\n" * 1_000), 0.001),
        {**_CHUNKED, "Content-Type": "text/event-stream"},
    ),
    "slow": Answer("a byte in half a second", lambda: _endless(_chunk(b"a"), _SLOW_S), _CHUNKED),
    "silent": Answer("nothing after its head", lambda: _endless(b"", 60.0), {**_JSON, "Content-Length": "100"}),
    "long-head": Answer("a header of 20 MB", lambda: _whole(b""), {**_JSON, "X-A": "a" * 20_000_000}),
    "many-headers": Answer(
        "100,000 headers", lambda: _whole(b""), {**_JSON, **{f"X-{n}": "a" for n in range(100_000)}}
    ),
    "longer-than-said": Answer(
        "50 MB that were said to be 10 bytes", lambda: _whole(b"[1," * 17_000_000), {**_JSON, "Content-Length": "10"}
    ),
    "shorter-than-said": Answer(
        "10 bytes that were said to be a gigabyte",
        lambda: _whole(b"0123456789"),
        {**_JSON, "Content-Length": "1000000000"},
    ),
    "redirects": Answer(
        "a redirection to itself",
        lambda: _whole(b""),
        {"Location": "/answers/redirects", "Content-Length": "0"},
        "302 Found",
    ),
    "continues": Answer(
        "that it goes on, without an end",
        lambda: _endless(b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000),
        {},
        "100 Continue",
    ),
    "errors": _json(
        "500,000 errors of a kind", lambda: b'{"error":{"code":500,"message":"' + b"m" * 3_000_000 + b'"}}'
    ),
    "retry-for-ever": Answer(
        "that one should ask again in a year",
        lambda: _whole(b"{}"),
        {**_JSON, "Retry-After": "31536000", "Content-Length": "2"},
        "503 Service Unavailable",
    ),
}
"""By kind."""

_PLAIN = Answer("an empty object", lambda: _whole(b"{}"), {**_JSON, "Content-Length": "2"})


async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer requests of one connection; it ends after the first."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ")[1].decode().partition("?")[0]
        answer = ANSWERS.get(path.rpartition("/")[2], _PLAIN)
        lines = "".join(f"{name}: {value}\r\n" for name, value in {"Connection": "close", **answer.headers}.items())
        writer.write(f"HTTP/1.1 {answer.status}\r\n{lines}\r\n".encode())
        async for piece in answer.body():
            writer.write(piece)
            await writer.drain()
            if writer.is_closing():
                break
    writer.close()


async def serve(port: int) -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(serve_one, "127.0.0.1", port, backlog=512)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
