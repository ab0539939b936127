"""Packed bodies come whole, whatever stands beside them, and stop nothing else."""

import gzip
import zlib
from collections.abc import AsyncIterator

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest
from openplaybook.egress.errors import BadResponse
from openplaybook.egress.http_transport import HttpTransport
from tests.kit.egress import failure, get
from tests.kit.http_peer import Received, answer, http_peer

LARGE = b"a" * 300_000
AT_ONCE = 2**18


def bare(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


@pytest.fixture
async def transport() -> AsyncIterator[HttpTransport]:
    made = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    yield made
    await made.aclose()


@pytest.mark.parametrize(
    ("encoding", "packed", "body"),
    [
        ("gzip", gzip.compress(b"first", mtime=0) + gzip.compress(b"second", mtime=0), b"firstsecond"),
        ("gzip", gzip.compress(LARGE, mtime=0) + gzip.compress(LARGE, mtime=0), LARGE + LARGE),
        ("deflate", zlib.compress(LARGE) + zlib.compress(LARGE), LARGE + LARGE),
        *(("deflate", bare(b"a" * (AT_ONCE + more)), b"a" * (AT_ONCE + more)) for more in (-1, 0, 1, 100, 257, 258)),
        ("gzip", b"", b""),
        ("gzip", gzip.compress(b"", mtime=0), b""),
        # Without its end, as browsers take it.
        ("gzip", gzip.compress(b"abc", mtime=0)[:-8], b"abc"),
    ],
    ids=str,
)
async def test_a_packed_body_comes_whole(transport: HttpTransport, encoding: str, packed: bytes, body: bytes) -> None:
    async with http_peer(lambda _: answer(packed, Content_Encoding=encoding)) as peer:
        assert (await get(transport, peer.url)).body == body


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(b"abc", mtime=0) + b"garbage"),
        ("gzip", gzip.compress(LARGE, mtime=0) + b"garbage"),
        ("gzip", gzip.compress(b"abc", mtime=0)[:-8] + bytes(8)),
        ("gzip", b"abc"),
        ("deflate", zlib.compress(LARGE) + b"garbage"),
        ("deflate", zlib.compress(b"abc")[:-4]),
        ("deflate", bare(LARGE)[:-4]),
        ("br", b"abc"),
    ],
    ids=str,
)
async def test_what_cannot_be_unpacked_is_refused_and_no_part_of_the_next_answer(
    transport: HttpTransport, encoding: str, packed: bytes
) -> None:
    def reply(request: Received) -> bytes:
        return answer(b"next") if request.target == "/next" else answer(packed, Content_Encoding=encoding)

    async with http_peer(reply) as peer:
        assert isinstance(await failure(get(transport, peer.url)), BadResponse)
        assert (await get(transport, f"{peer.url}/next")).body == b"next"


async def test_an_answer_to_head_may_name_any_encoding(transport: HttpTransport) -> None:
    async with http_peer(lambda _: answer(b"", Content_Encoding="gzip")) as peer:
        answered = await transport.send(HttpRequest("HEAD", peer.url), HttpLimits())
    assert (answered.status, answered.body) == (200, b"")
