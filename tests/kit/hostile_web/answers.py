"""What a service may answer, byte for byte, and what becomes of it."""

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from struct import pack

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
_MEGABYTE = bytes(1_000_000)
_MEGABYTES = 100
_GZIP_HEADER = gzip.compress(b"")[:10]
_PACKED = gzip.compress(b'{"a":1}')


def _raw_block(data: bytes) -> bytes:
    """A piece of a deflate stream that any number of others may follow."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)


_BOMB = _raw_block(_MEGABYTE) * _MEGABYTES + b"\x03\x00"
"""Packed once and repeated, for each process that collects tests makes it; a final empty block ends it."""
_BOMB_SIZE = len(_MEGABYTE) * _MEGABYTES
_BOMB_CRC = reduce(lambda crc, _: zlib.crc32(_MEGABYTE, crc), range(_MEGABYTES), 0)
_BOMB_ADLER = reduce(lambda adler, _: zlib.adler32(_MEGABYTE, adler), range(_MEGABYTES), 1)


def _as_body(body: bytes, *headers: bytes) -> bytes:
    return OK + b"\r\n".join([*headers, b"Content-Length: %d" % len(body), b"", b""]) + body


@dataclass(frozen=True, slots=True)
class Reply:
    """Sent as soon as a request is there; the connection is closed after it, unless something repeats."""

    name: str
    becomes: str
    """`cut` for a body cut at its cap, a status and what is taken for its body, or the code of the error."""
    first: bytes
    repeat: bytes = b""
    """Sent for ever, until the other side hangs up."""
    pause_s: float = 0.0
    """Between the repetitions."""


REPLIES: Sequence[Reply] = (
    # Too much.
    Reply("endless headers", "BAD_RESPONSE", OK, b"X-A: b\r\n"),
    Reply("endless headers of their own names", "BAD_RESPONSE", OK, b"".join(b"X-%d: b\r\n" % n for n in range(999))),
    Reply("a header without an end", "BAD_RESPONSE", OK + b"X-A: ", b"a" * 9999),
    Reply("a header's name without an end", "BAD_RESPONSE", OK, b"a" * 9999),
    Reply("a header folded for ever", "BAD_RESPONSE", OK + b"X-A: a\r\n", b" a\r\n"),
    Reply("a status line without an end", "BAD_RESPONSE", b"HTTP/1.1 200 ", b"O" * 9999),
    Reply("a thousand cookies", "BAD_RESPONSE", OK + b"Set-Cookie: a=b\r\n" * 1000 + b"\r\n"),
    Reply("a body without an end", "cut", OK + b"\r\n", b"a" * 99_999),
    Reply("chunks without an end", "cut", CHUNKED, b"400\r\n" + b"a" * 1024 + b"\r\n"),
    Reply("tiny chunks without an end", "cut", CHUNKED, b"20\r\n" + b"a" * 32 + b"\r\n"),
    Reply("a chunk's size without an end", "BAD_RESPONSE", CHUNKED, b"0" * 9999),
    Reply("a chunk's extension without an end", "BAD_RESPONSE", CHUNKED + b"1;", b"a" * 9999),
    Reply("trailers without an end", "BAD_RESPONSE", CHUNKED + b"0\r\n", b"X-A: b\r\n"),
    Reply("a flood of early answers", "BAD_RESPONSE", b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 99),
    Reply("a flood of early hints", "BAD_RESPONSE", b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 99),
    # Bombs.
    Reply(
        "a gzip bomb",
        "cut",
        _as_body(_GZIP_HEADER + _BOMB + pack("<2I", _BOMB_CRC, _BOMB_SIZE), b"Content-Encoding: gzip"),
    ),
    Reply(
        "a deflate bomb", "cut", _as_body(b"\x78\x01" + _BOMB + pack(">I", _BOMB_ADLER), b"Content-Encoding: deflate")
    ),
    Reply("a raw deflate bomb", "cut", _as_body(_BOMB, b"Content-Encoding: deflate")),
    Reply("gzip without an end", "cut", OK + b"Content-Encoding: gzip\r\n\r\n" + _GZIP_HEADER, _raw_block(_MEGABYTE)),
    Reply("gzip that is none", "BAD_RESPONSE", _as_body(b"nope", b"Content-Encoding: gzip")),
    Reply("gzip that breaks off", "200 b'{\"'", _as_body(_PACKED[:-14], b"Content-Encoding: gzip")),
    Reply("brotli, which was not asked for", "BAD_RESPONSE", _as_body(b"\x0b\x02\x80", b"Content-Encoding: br")),
    Reply("zstd, which was not asked for", "BAD_RESPONSE", _as_body(b"\x28\xb5\x2f\xfd", b"Content-Encoding: zstd")),
    # Too slow.
    Reply("a body by drops", "TIMEOUT", OK + b"Content-Length: 9999\r\n\r\n", b"a", 0.01),
    Reply("headers by drops", "TIMEOUT", OK + b"X-A: ", b"a", 0.01),
    Reply("a status line by drops", "TIMEOUT", b"HTTP/1.1 200 ", b"O", 0.01),
    Reply("chunks by drops", "TIMEOUT", CHUNKED, b"1\r\na\r\n", 0.01),
    Reply("early answers by drops", "TIMEOUT", b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.01),
    # Lengths that are wrong.
    Reply("less than announced", "BAD_RESPONSE", OK + b"Content-Length: 10\r\n\r\nshort"),
    Reply("a negative length", "BAD_RESPONSE", OK + b"Content-Length: -1\r\n\r\n"),
    Reply("a signed length", "BAD_RESPONSE", OK + b"Content-Length: +2\r\n\r\n{}"),
    Reply("a length in words", "BAD_RESPONSE", OK + b"Content-Length: two\r\n\r\n{}"),
    Reply("two lengths", "BAD_RESPONSE", OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} "),
    Reply("a list of lengths", "BAD_RESPONSE", OK + b"Content-Length: 2, 3\r\n\r\n{} "),
    Reply("a length beyond all numbers", "BAD_RESPONSE", OK + b"Content-Length: %d\r\n\r\n{}" % 10**40),
    Reply(
        "a length and chunks", "BAD_RESPONSE", OK + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ),
    Reply("a chunk's size that is none", "BAD_RESPONSE", CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n"),
    Reply("a negative chunk", "BAD_RESPONSE", CHUNKED + b"-2\r\n{}\r\n0\r\n\r\n"),
    Reply("a chunk beyond all numbers", "BAD_RESPONSE", CHUNKED + b"FFFFFFFFFFFFFFFFFF\r\n{}"),
    Reply("a chunk longer than its size", "BAD_RESPONSE", CHUNKED + b"1\r\n{}\r\n0\r\n\r\n"),
    Reply("chunks that break off", "BAD_RESPONSE", CHUNKED + b"2\r\n{}\r\n"),
    # What is not HTTP, or not this one.
    Reply("nothing", "BAD_RESPONSE", b""),
    Reply("HTTP/0.9", "BAD_RESPONSE", b"<html>hello</html>"),
    Reply("HTTP/2", "BAD_RESPONSE", b"\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64"),
    Reply("a version that is none", "BAD_RESPONSE", b"HTTP/9.9.9 200 OK\r\n\r\n"),
    Reply("a status in words", "BAD_RESPONSE", b"HTTP/1.1 two OK\r\n\r\n"),
    Reply("a status of five digits", "BAD_RESPONSE", b"HTTP/1.1 20000 OK\r\n\r\n"),
    Reply("a request", "BAD_RESPONSE", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Reply("SSH", "BAD_RESPONSE", b"SSH-2.0-OpenSSH_9.6\r\n"),
    Reply("mail", "BAD_RESPONSE", b"220 mail.example ESMTP\r\n"),
    Reply("TLS", "BAD_RESPONSE", b"\x15\x03\x03\x00\x02\x02\x28"),
    Reply("zeros", "BAD_RESPONSE", bytes(5000)),
    # Headers that split.
    Reply("a NUL in a header", "BAD_RESPONSE", OK + b"X-A: a\x00b\r\nContent-Length: 0\r\n\r\n"),
    Reply("a carriage return in a header", "BAD_RESPONSE", OK + b"X-A: a\rX-B: b\r\nContent-Length: 0\r\n\r\n"),
    Reply("a blank before the colon", "BAD_RESPONSE", OK + b"X-A : a\r\nContent-Length: 0\r\n\r\n"),
    Reply("a header without a name", "BAD_RESPONSE", OK + b": a\r\nContent-Length: 0\r\n\r\n"),
    Reply("a header without a colon", "BAD_RESPONSE", OK + b"X-A\r\nContent-Length: 0\r\n\r\n"),
)
