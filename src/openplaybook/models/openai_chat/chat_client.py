"""One POST to a Chat Completions server, and what its failures mean."""

import asyncio
import ssl
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import cast

from yarl import URL

from openplaybook.egress.errors import EgressError
from openplaybook.egress.http_connection import (
    Alarm,
    BodyUnreadable,
    Connection,
    ConnectionBroken,
    ExcessiveOverhead,
    NotHttp,
)
from openplaybook.egress.http_messages import Pace, body_of, head_of, parts_of
from openplaybook.egress.http_pool import ConnectTooSlow, HttpConnectionPool, Peer, Unreachable
from openplaybook.egress.resolver import SystemResolver
from openplaybook.egress.tls_contexts import TlsContexts
from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads
from openplaybook.models.errors import ModelError, ModelGarbled, ModelRejected, ModelTimeout, ModelUnavailable
from openplaybook.models.model_keys import INVALID_AT_GOOGLE, ModelKey
from openplaybook.models.statuses import refusal

_CONNECT_TIMEOUT_S = 10.0
_IDLE_S = 60.0
_OK = 200
_FAILURES = (
    ConnectTooSlow,
    Unreachable,
    ConnectionBroken,
    NotHttp,
    BodyUnreadable,
    ExcessiveOverhead,
    EgressError,
    TimeoutError,
)
_SHOWN_CHARS = 200
_KEY_STATUSES = (401, 403)
_SAFE_STATUSES = (402, 403, 404, 429)
"""Statuses whose messages are about rights, quotas and model names; others may repeat the prompt, or the key."""


class ChatAnswer:
    """A good answer, whose body is still to be read, each time within what is left of the request's time."""

    def __init__(self, connection: Connection, ends_at: float, pace: Pace) -> None:
        self._connection = connection
        self._ends_at = ends_at
        self._pace = pace

    @property
    def content_type(self) -> str:
        """In lower case, without parameters."""
        return _headers_of(self._connection).get("content-type", "").partition(";")[0].strip().lower()

    async def read(self) -> bytes:
        """All of it."""
        with Alarm(self._ends_at - asyncio.get_running_loop().time()):
            return (await body_of(self._connection, sys.maxsize, self._pace))[0]

    async def parts(self) -> AsyncGenerator[bytes]:
        """All of it, as it comes."""
        parts, loop = parts_of(self._connection), asyncio.get_running_loop()
        while True:
            # Whoever takes the parts is not to be disturbed between two of them.
            with Alarm(self._ends_at - loop.time()):
                part = await anext(parts, b"")
            if not part:
                return
            yield part


class ChatClient:
    """Kept connections to one server. Made inside or outside the loop; they open with the first request."""

    def __init__(self, url: str, key: ModelKey) -> None:
        """`url` is the full address of the completions resource; a `key` without value is not sent."""
        self._url = URL(url)
        self.url = str(self._url.origin())
        """Where requests go."""
        self._key = key
        headers = [("Content-Type", "application/json"), ("Accept-Encoding", "identity")]
        self._headers = (*headers, ("Authorization", f"Bearer {key.value}")) if key.value else tuple(headers)
        self._peer = Peer(self._url.raw_host or "", self._url.port or 0)
        self._pace = Pace()
        # How many turns run at once is the server's matter.
        self._pool = HttpConnectionPool(SystemResolver(), _IDLE_S)

    async def post(self, body: bytes, timeout_s: float) -> bytes:
        """The body of a good answer. Raises `ModelError`."""
        try:
            with Alarm(timeout_s):
                peer, connection = await self._begun(body)
                try:
                    answer, _ = await body_of(connection, sys.maxsize, self._pace)
                    if connection.status != _OK:
                        raise self._refusal(connection.status, _headers_of(connection), answer)
                    return answer
                finally:
                    self._pool.give_back(peer, connection)
        except _FAILURES as error:
            raise self._translated(error) from None

    @asynccontextmanager
    async def open(self, body: bytes, timeout_s: float) -> AsyncGenerator[ChatAnswer]:
        """A good answer before its body is read; failures while reading are translated as well."""
        ends_at = asyncio.get_running_loop().time() + timeout_s
        try:
            with Alarm(timeout_s):
                peer, connection = await self._begun(body)
            try:
                answer = ChatAnswer(connection, ends_at, self._pace)
                if connection.status != _OK:
                    raise self._refusal(connection.status, _headers_of(connection), await answer.read())
                yield answer
            finally:
                self._pool.give_back(peer, connection)
        except _FAILURES as error:
            raise self._translated(error) from None

    def document(self, text: bytes, content_type: str = "") -> JsonObject:
        """The JSON object in an answer; one that holds an error is raised. Raises `ModelError`."""
        try:
            value = loads(text)
        except ValueError:
            kind = f" ({content_type})" if content_type else ""
            raise ModelGarbled(f"{self._host} responded with something that is not JSON{kind}.") from None
        if not isinstance(value, dict):
            raise ModelGarbled(f"{self._host} responded with JSON that is not an object.")
        document = cast(JsonObject, value)
        if document.get("error"):
            code = as_object(document["error"]).get("code")
            raise self._refusal(code if isinstance(code, int) else 500, {}, text)
        return document

    async def aclose(self) -> None:
        """Close the connections."""
        pool, self._pool = self._pool, HttpConnectionPool(SystemResolver(), _IDLE_S)
        await pool.aclose()

    @property
    def _host(self) -> str:
        return self._url.authority

    async def _begun(self, body: bytes) -> tuple[Peer, Connection]:
        """A connection over which the request went, and the head of its answer came."""
        if self._url.scheme == "https" and self._peer.context is None:
            self._peer = self._peer._replace(context=(await TlsContexts().trust((), None)).context)
        peer = self._peer
        connection = await self._pool.take(peer, _CONNECT_TIMEOUT_S)
        try:
            head = head_of("POST", self._url, self._headers, body)
            await connection.send(head, body, is_head=False, read_s=None)
        except BaseException:
            self._pool.give_back(peer, connection)
            raise
        return peer, connection

    def _translated(self, error: Exception) -> ModelError:
        match error:
            case ConnectTooSlow():
                return ModelUnavailable(f"{self._host} accepted no connection within {_CONNECT_TIMEOUT_S:g} s.")
            case TimeoutError():
                return ModelTimeout(f"{self._host} did not respond in time.")
            case Unreachable(__cause__=ssl.SSLError()):
                return ModelRejected(f"{self._host} cannot be trusted: {type(error.__cause__).__name__}.")
            case Unreachable():
                reason = type(error.__cause__).__name__
                return ModelUnavailable(f"{self._host} cannot be reached, or closed the connection: {reason}.")
            case NotHttp():
                return ModelGarbled(f"{self._host} sent a response that is not HTTP.")
            case ExcessiveOverhead():
                return ModelGarbled(f"{self._host} sent far more next to its response body than belongs there.")
            case BodyUnreadable():
                return ModelUnavailable(f"{self._host} sent a response whose body cannot be read: it is broken.")
            case ConnectionBroken():
                return ModelUnavailable(f"{self._host} closed the connection before its response was complete.")
            case _:
                return ModelUnavailable(f"{self._host} cannot be reached: {error}.")

    def _refusal(self, status: int, headers: Mapping[str, str], text: bytes) -> ModelError:
        error = _error_object(text)
        details = ", ".join(self._details(status, error))
        if status in _KEY_STATUSES or INVALID_AT_GOOGLE.encode() in text:
            return self._key.refused(self._host, status, details)
        summary = f"{self._host} answered {status}{f' ({details})' if details else ''}."
        if status == 404 and "message" not in error:
            # No model is missing here but the whole address, such as http://localhost:11434 in place of …/v1.
            summary += f" Nothing is at {self._url.path}: with most servers, OPENAI_BASE_URL ends with /v1."
        message = self._message(error)
        # OpenAI's way to say that nothing is left to spend: waiting does not help.
        if error.get("code") == "insufficient_quota":
            rejected = ModelRejected(summary)
            rejected.status, rejected.provider_message = status, message
            return rejected
        return refusal(summary, status, headers, message)

    def _details(self, status: int, error: JsonObject) -> list[str]:
        parts = [f"{key} {error[key]!r}" for key in ("code", "type", "param") if isinstance(error.get(key), str)]
        message = self._message(error)
        return [*parts, f"message {message!r}"] if status in _SAFE_STATUSES and message else parts

    def _message(self, error: JsonObject) -> str:
        message = error.get("message")
        return self._key.without(message)[:_SHOWN_CHARS] if isinstance(message, str) else ""


def _error_object(text: bytes) -> JsonObject:
    """What an answer says is wrong: OpenAI's `error` object, a bare `error` text (Ollama), or the whole (vLLM);
    Google puts it into a list."""
    try:
        document = loads(text)
    except ValueError:
        return {}
    whole = as_object(next(iter(as_list(document)), document))
    error = whole.get("error", whole)
    return {"message": error} if isinstance(error, str) else as_object(error)


def _headers_of(connection: Connection) -> dict[str, str]:
    """By names in lower case; of several with one name, the first."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in reversed(connection.headers)}
