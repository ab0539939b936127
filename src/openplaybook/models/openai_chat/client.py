"""One POST to a Chat Completions server, and what its failures mean."""

from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import cast

import aiohttp
from yarl import URL

from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads
from openplaybook.models.errors import ModelError, ModelGarbled, ModelRejected, ModelTimeout, ModelUnavailable
from openplaybook.models.keys import INVALID_AT_GOOGLE, ModelKey
from openplaybook.models.statuses import refusal

_CONNECT_TIMEOUT_S = 10.0
_SHOWN_CHARS = 200
_KEY_STATUSES = (401, 403)
_SAFE_STATUSES = (402, 403, 404, 429)
"""Statuses whose messages are about rights, quotas and model names; others may repeat the prompt, or the key."""


class ChatClient:
    """A kept session with one server. Made inside or outside the loop; the session opens with the first request."""

    def __init__(self, url: str, key: ModelKey) -> None:
        """`url` is the full address of the completions resource; a `key` without value is not sent."""
        self._url = URL(url)
        self._key = key
        self._headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if key.value:
            self._headers["Authorization"] = f"Bearer {key.value}"
        self._session: aiohttp.ClientSession | None = None

    async def post(self, body: bytes, timeout_s: float) -> bytes:
        """The body of a good answer. Raises `ModelError`."""
        with self._translated():
            async with self._request(body, timeout_s) as response:
                await self._check(response)
                return await response.read()

    @asynccontextmanager
    async def open(self, body: bytes, timeout_s: float) -> AsyncGenerator[aiohttp.ClientResponse, None]:
        """A good answer before its body is read; failures while reading are translated as well."""
        with self._translated():
            async with self._request(body, timeout_s) as response:
                await self._check(response)
                yield response

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
        """Close the session."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    @property
    def url(self) -> str:
        """Where requests go."""
        return str(self._url.origin())

    @property
    def _host(self) -> str:
        return self._url.authority

    def _request(self, body: bytes, timeout_s: float) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        timeout = aiohttp.ClientTimeout(total=timeout_s, sock_connect=_CONNECT_TIMEOUT_S)
        return self._kept_session().post(
            self._url, data=body, headers=self._headers, timeout=timeout, allow_redirects=False
        )

    async def _check(self, response: aiohttp.ClientResponse) -> None:
        if response.status != 200:
            raise self._refusal(response.status, response.headers, await response.read())

    def _kept_session(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                # How many turns run at once is the server's matter.
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=60),
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=False,
            )
        return self._session

    @contextmanager
    def _translated(self) -> Generator[None, None, None]:
        try:
            yield
        except aiohttp.ConnectionTimeoutError:
            raise ModelUnavailable(f"{self._host} accepted no connection within {_CONNECT_TIMEOUT_S:g} s.") from None
        except TimeoutError:
            raise ModelTimeout(f"{self._host} did not respond in time.") from None
        except aiohttp.ClientSSLError as error:
            raise ModelRejected(f"{self._host} cannot be trusted: {type(error).__name__}.") from None
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError) as error:
            raise ModelUnavailable(
                f"{self._host} cannot be reached, or closed the connection: {type(error).__name__}."
            ) from None
        except aiohttp.ClientError as error:
            raise ModelGarbled(f"{self._host} does not speak HTTP properly: {type(error).__name__}.") from None

    def _refusal(self, status: int, headers: Mapping[str, str], text: bytes) -> ModelError:
        error = _error_object(text)
        details = ", ".join(self._details(status, error))
        if status in _KEY_STATUSES or INVALID_AT_GOOGLE.encode() in text:
            return self._key.refused(self._host, status, details)
        said = f"{self._host} answered {status}{f' ({details})' if details else ''}."
        if status == 404 and "message" not in error:
            # No model is missing here but the whole address, such as http://localhost:11434 in place of …/v1.
            said += f" Nothing is at {self._url.path}: with most servers, OPENAI_BASE_URL ends with /v1."
        message = self._message(error)
        # OpenAI's way to say that nothing is left to spend: waiting does not help.
        if error.get("code") == "insufficient_quota":
            rejected = ModelRejected(said)
            rejected.status, rejected.said = status, message
            return rejected
        return refusal(said, status, headers, message)

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
