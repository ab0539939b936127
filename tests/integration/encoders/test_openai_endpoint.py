"""A server that speaks OpenAI's embeddings, on a loopback socket."""

import json
from array import array
from base64 import b64encode
from collections.abc import Sequence

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.encoders.base import Purpose, TextVectors
from openplaybook.encoders.errors import EncoderError, EncoderRejected, EncoderUnavailable, EncoderUnusable
from openplaybook.encoders.openai_endpoint import EmbeddingsServer, EndpointEmbedder
from tests.kit.http_peer import Received, answer, http_peer

TEXTS = ["first", "second"]


def entries(*vectors: object) -> bytes:
    data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
    return answer(json.dumps({"object": "list", "data": data}).encode())


async def embedded(
    reply: bytes | None, texts: Sequence[str] = TEXTS, key: str = "secret"
) -> tuple[TextVectors, Received]:
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    async with http_peer(lambda _: reply) as peer:
        embedder = EndpointEmbedder("small", EmbeddingsServer(f"{peer.url}/v1", key), transport)
        try:
            return await embedder.embed(texts, Purpose.QUESTION), peer.requests[0]
        finally:
            await transport.aclose()


async def test_texts_are_sent_in_one_request_and_vectors_come_at_unit_length() -> None:
    vectors, sent = await embedded(entries([3, 0, 4], [0, 2.5, 0]), ["first", " "])

    assert (sent.method, sent.target, sent.header("Authorization")) == ("POST", "/v1/embeddings", "Bearer secret")
    assert json.loads(sent.body) == {"model": "small", "input": ["first", "-"], "encoding_format": "float"}
    assert vectors.dimensions == 3
    assert [*array("f", vectors.data)] == pytest.approx([0.6, 0, 0.8, 0, 1, 0])


async def test_no_key_is_sent_where_there_is_none() -> None:
    _, sent = await embedded(entries([1], [1]), key="")

    assert sent.header("Authorization") is None


async def test_vectors_may_come_in_base64() -> None:
    packed = b64encode(array("f", [0, 5]).tobytes()).decode()

    vectors, _ = await embedded(entries(packed, [1, 0]))

    assert [*array("f", vectors.data)] == [0, 1, 1, 0]


async def test_many_numbers_are_read_as_few_are() -> None:
    vectors, _ = await embedded(entries(*[[3.0, *[0.0] * 4_095, 4.0]] * 8), ["text"] * 8)

    assert (vectors.dimensions, len(vectors)) == (4_097, 8)
    assert array("f", vectors.data)[:2] == pytest.approx([0.6, 0.0])


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (answer(b"{}", "401 Unauthorized"), EncoderUnusable, "OPENAI_API_KEY"),
        (answer(b"{}", "404 Not Found"), EncoderUnusable, "no such model"),
        (answer(b"{}", "400 Bad Request"), EncoderRejected, "400 for the model small"),
        (answer(b"{}", "503 Unavailable"), EncoderUnavailable, "503"),
        (None, EncoderUnavailable, "does not respond"),
        (answer(b"no"), EncoderRejected, "not JSON"),
        (entries([1.0]), EncoderRejected, "2 vectors in their order"),
        (entries([1.0], [1.0, 2.0]), EncoderRejected, "different lengths"),
        (entries([], []), EncoderRejected, "numbers"),
        (entries(["1"], ["2"]), EncoderRejected, "numbers"),
        (entries("*", "*"), EncoderRejected, "neither numbers nor base64"),
        (entries("", ""), EncoderRejected, "1 to 8192 numbers"),
        (entries(*[b64encode(bytes(4 * 8193)).decode()] * 2), EncoderRejected, "1 to 8192 numbers"),
        (entries(*[b64encode(array("f", [float("nan"), 1]).tobytes()).decode()] * 2), EncoderRejected, "without end"),
        (entries([1e300, 1], [1, 1]), EncoderRejected, "without end"),
        (entries([10**400, 1], [1, 1]), EncoderRejected, "without end"),
        (answer(b"{}", "429 Too Many Requests", **{"Retry-After": "9" * 500}), EncoderUnavailable, "429"),
        (answer(b'{"data": [{"index": 1}, {"index": 0}]}'), EncoderRejected, "in their order"),
    ],
)
async def test_what_is_no_answer_says_what_it_is(reply: bytes | None, kind: type[EncoderError], said: str) -> None:
    with pytest.raises(kind, match=said) as raised:
        await embedded(reply)

    assert "secret" not in str(raised.value)
    assert "first" not in str(raised.value)


async def test_a_server_says_when_it_may_be_asked_again() -> None:
    with pytest.raises(EncoderUnavailable) as raised:
        await embedded(answer(b"{}", "429 Too Many Requests", retry_after="7"))

    assert raised.value.retry_after_s == 7
