"""Vectors from any server that speaks OpenAI's `/v1/embeddings`: OpenAI, vLLM, Ollama, llama.cpp and others.

Base URL and key come from the operator, who thereby names the address: `OPENAI_BASE_URL` (default
`https://api.openai.com/v1`) and `OPENAI_API_KEY`, as for models.
"""

import math
from array import array
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from sys import byteorder
from typing import Final

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.encoders.base import MOST_CHARACTERS, Purpose, TextVectors
from openplaybook.encoders.errors import EncoderRejected, EncoderUnavailable, EncoderUnusable
from openplaybook.jsonvalues import PIECE, JsonObject, JsonValue, as_list, as_object, dumps, is_number, loads
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

_DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
_SECONDS: Final = {Purpose.QUESTION: 8.0, Purpose.PASSAGE: 60.0}
_MOST_BYTES: Final = 32 << 20
"""Of an answer: 64 vectors of some thousand numbers in JSON are less."""
_MOST_DIMENSIONS: Final = 8192
_LONGEST_WAIT: Final = 5
"""Digits of the seconds that a server may ask for."""
_READING: Final = Lane("vectors", threads=1, waiting=64, seconds=60)
"""A thousand numbers take a millisecond: answers to many texts are read beside the event loop."""
_LATER: Final = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS)
_REFUSED: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


@dataclass(frozen=True, slots=True)
class EmbeddingsServer:
    """Where vectors are asked for."""

    base_url: str
    """Without a slash at its end."""
    key: str = field(default="", repr=False)
    """Empty: none is sent."""


def configured_server(environment: Mapping[str, str]) -> EmbeddingsServer:
    """The server that the operator has named. Raises `EncoderUnusable` where neither key nor address is set."""
    base_url, key = environment.get("OPENAI_BASE_URL", ""), environment.get("OPENAI_API_KEY", "")
    if not base_url and not key:
        raise EncoderUnusable("embeddings of openai need OPENAI_API_KEY, or OPENAI_BASE_URL of a compatible server")
    base_url = (base_url or _DEFAULT_BASE_URL).rstrip("/")
    if not base_url.startswith(("http://", "https://")):
        raise EncoderUnusable("OPENAI_BASE_URL must begin with http:// or https://")
    return EmbeddingsServer(base_url, key)


class EndpointEmbedder:
    """Implements `Embedder`, with one request a call."""

    def __init__(
        self, model: str, server: EmbeddingsServer, transport: Transport, languages: frozenset[str] = frozenset()
    ) -> None:
        """`transport` is that for services of the operator's own; whoever made it closes it."""
        self._name = model
        self._server = server
        self._transport = transport
        self._languages = languages

    @property
    def model(self) -> str:
        """Its name at the server, with the server."""
        return f"openai:{self._server.base_url}:{self._name}"

    @property
    def languages(self) -> frozenset[str]:
        """Those that the operator has named."""
        return self._languages

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> TextVectors:
        """As the port says."""
        # An empty text is refused by OpenAI.
        sent = [text[:MOST_CHARACTERS].strip() or "-" for text in texts]
        body = dumps({"model": self._name, "input": sent, "encoding_format": "float"})
        headers = [("Content-Type", "application/json"), ("Accept", "application/json")]
        if self._server.key:
            headers.append(("Authorization", f"Bearer {self._server.key}"))
        url = f"{self._server.base_url}/embeddings"
        request = HttpRequest("POST", url, tuple(headers), body, repeatable=True, follows_redirects=False)
        seconds = _SECONDS[purpose]
        limits = HttpLimits(read_s=seconds, total_s=seconds, max_bytes=_MOST_BYTES, caller=f"vectors: {purpose.value}")
        try:
            answer = await self._transport.send(request, limits)
        except EgressError as error:
            raise EncoderUnavailable(f"{self._server.base_url} does not respond: {error}") from error
        if answer.status != HTTPStatus.OK:
            raise self._refusal(answer)
        if len(answer.body) <= PIECE:
            return self._read(answer, len(texts))
        try:
            return await _READING.run(lambda: self._read(answer, len(texts)))
        except WorkError as error:
            raise EncoderUnavailable(f"vectors of {self._server.base_url} cannot be read now: {error}") from error

    async def aclose(self) -> None:
        """The transport is its maker's."""

    def _read(self, answer: HttpResponse, count: int) -> TextVectors:
        if answer.truncated:
            raise self._strange(f"more than {_MOST_BYTES:,} bytes")
        try:
            entries = [as_object(entry) for entry in as_list(as_object(loads(answer.body)).get("data"))]
        except ValueError:
            raise self._strange("something that is not JSON") from None
        if [entry.get("index", at) for at, entry in enumerate(entries)] != list(range(count)):
            # The order is promised; without it nobody knows which vector is whose.
            raise self._strange(f"something else than {count} vectors in their order")
        vectors = [self._vector(entry) for entry in entries]
        if len({len(vector) for vector in vectors}) != 1:
            raise self._strange("vectors of different lengths")
        return TextVectors(len(vectors[0]), b"".join(map(_little_endian, vectors)))

    def _vector(self, entry: JsonObject) -> "array[float]":
        numbers: JsonValue = entry.get("embedding")
        # Some servers send base64 whatever was asked for.
        values = self._unpacked(numbers) if isinstance(numbers, str) else self._floats(as_list(numbers))
        if not 0 < len(values) <= _MOST_DIMENSIONS:
            raise self._strange(f"vectors that are not 1 to {_MOST_DIMENSIONS} numbers")
        size = math.sqrt(math.fsum(number * number for number in values))
        if not math.isfinite(size):
            raise self._strange("vectors of numbers without end")
        return array("f", (number / size for number in values)) if size else values

    def _floats(self, numbers: Sequence[JsonValue]) -> "array[float]":
        if len(numbers) > _MOST_DIMENSIONS or not all(map(is_number, numbers)):
            raise self._strange(f"vectors that are not 1 to {_MOST_DIMENSIONS} numbers")
        try:
            return array("f", map(float, numbers))
        except OverflowError:
            raise self._strange("vectors of numbers without end") from None

    def _unpacked(self, text: str) -> "array[float]":
        values = array("f")
        try:
            values.frombytes(b64decode(text, validate=True))
        except ValueError:
            raise self._strange("vectors that are neither numbers nor base64") from None
        if byteorder == "big":
            values.byteswap()
        return values

    def _strange(self, what: str) -> EncoderRejected:
        return EncoderRejected(f"{self._server.base_url}/embeddings responded with {what}")

    def _refusal(self, answer: HttpResponse) -> EncoderUnavailable | EncoderRejected | EncoderUnusable:
        message = f"{self._server.base_url}/embeddings responded with {answer.status} for the model {self._name}"
        if answer.status in _REFUSED:
            return EncoderUnusable(f"{message}: set OPENAI_API_KEY to a key that may use it")
        if answer.status == HTTPStatus.NOT_FOUND:
            return EncoderUnusable(f"{message}: the server has no such model, or OPENAI_BASE_URL lacks its /v1")
        if answer.status in _LATER or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            wait = answer.header("retry-after")
            is_time = wait.isdecimal() and len(wait) <= _LONGEST_WAIT
            return EncoderUnavailable(message, retry_after_s=float(wait) if is_time else None)
        return EncoderRejected(message)


def _little_endian(vector: "array[float]") -> bytes:
    if byteorder == "big":
        vector.byteswap()
    return vector.tobytes()
