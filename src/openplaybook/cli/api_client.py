"""The commands' client: JSON over HTTP to a server of ours, on the standard library alone."""

import http.client
import json
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit

from openplaybook.cli.errors import ApiError, CommandError, code_name
from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads

if TYPE_CHECKING:
    import ssl

TIMEOUT_S = 300.0
"""A turn may take a model minutes."""
_POLL_S = 0.1
_BETWEEN_ITEMS = " \t\r\n,["


class ApiClient:
    """Requests to one server; each opens a connection of its own."""

    def __init__(
        self,
        base_url: str,
        key: str = "",
        certificate: str = "",
        *,
        is_own: bool = False,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """`certificate` (PEM) is the one that the server has to show, whatever its name; empty: the system decides.

        `timeout_s` is for the connection and for each wait for bytes of an answer.
        """
        self.base_url = base_url
        self.is_own = is_own
        """Whether the server is in this process, for the time of the command."""
        self._key = key
        self._certificate = certificate
        self._timeout_s = timeout_s

    def get(self, path: str, **query: str) -> JsonObject:
        """The resource at `path`, such as `v3/projects/…`. Raises `ApiError`, `CommandError`."""
        return self._call("GET", path + (f"?{urlencode(query, quote_via=quote)}" if query else ""), None)

    def post(self, path: str, body: JsonObject) -> JsonObject:
        """The answer to a POST. Raises `ApiError`, `CommandError`."""
        return self._call("POST", path, body)

    def patch(self, path: str, body: JsonObject, **query: str) -> JsonObject:
        """The answer to a PATCH. Raises `ApiError`, `CommandError`."""
        return self._call("PATCH", f"{path}?{urlencode(query)}", body)

    def delete(self, path: str) -> JsonObject:
        """Delete what is at `path`; the answer is empty, or an operation. Raises `ApiError`, `CommandError`."""
        return self._call("DELETE", path, None)

    def list(self, path: str, field: str, *, page_size: int = 1000, **query: str) -> Iterator[JsonObject]:
        """Every item of a list, page by page; `field` names the items in the answer."""
        token = ""
        while True:
            page = self.get(path, pageSize=str(page_size), **query, **({"pageToken": token} if token else {}))
            yield from map(as_object, as_list(page.get(field)))
            token = str(page.get("nextPageToken", ""))
            if not token:
                return

    def finished(self, operation: JsonObject, *, version: str = "v3") -> JsonObject:
        """The response of a long-running operation once it is done. Raises `ApiError` when it failed."""
        return as_object(self.completed(operation, version=version).get("response"))

    def completed(
        self, operation: JsonObject, *, version: str = "v3", tell: Callable[[JsonObject], None] | None = None
    ) -> JsonObject:
        """A long-running operation once it is done; `tell` hears what it says of itself meanwhile.

        Raises `ApiError` when it failed.
        """
        while not operation.get("done"):
            if tell is not None:
                tell(as_object(operation.get("metadata")))
            time.sleep(_POLL_S)
            operation = self.get(f"{version}/{operation['name']}")
        if "error" in operation:
            failed = as_object(operation["error"])
            raise ApiError(code_name(int(failed.get("code", 2))), str(failed.get("message", "no message")))
        return operation

    def stream(self, path: str, body: JsonObject) -> Iterator[JsonObject]:
        """The items of a server stream as they come. Raises `ApiError` where the stream ends in an error."""
        with self._answer("POST", path, body) as answer:
            if answer.status >= 400:
                raise _api_error(_document(answer.read()), answer.status)
            for item in array_items(iter(lambda: answer.read1(65536), b"")):
                if "error" in item:
                    raise _api_error(item, 0)
                yield item

    def _call(self, method: str, path: str, body: JsonObject | None) -> JsonObject:
        with self._answer(method, path, body) as answer:
            document = _document(answer.read())
            if answer.status >= 400:
                raise _api_error(document, answer.status)
            return document

    @contextmanager
    def _answer(
        self, method: str, path: str, body: JsonObject | None
    ) -> Generator[http.client.HTTPResponse, None, None]:
        url = urlsplit(self.base_url)
        host, port = url.hostname or "", url.port
        connection = (
            http.client.HTTPSConnection(host, port, timeout=self._timeout_s, context=_trusting(self._certificate))
            if url.scheme == "https"
            else http.client.HTTPConnection(host, port, timeout=self._timeout_s)
        )
        try:
            content = None if body is None else dumps(body)
            connection.request(method, f"{url.path}/{quote(path, safe='/:?&=%-._~')}", content, self._headers())
            yield connection.getresponse()
        except TimeoutError as error:
            raise CommandError(f"{self.base_url} did not respond within {self._timeout_s:g} s") from error
        except (OSError, http.client.HTTPException) as error:
            raise CommandError(f"{self.base_url} cannot be reached: {error}") from error
        finally:
            connection.close()

    def _headers(self) -> Mapping[str, str]:
        headers = {"Content-Type": "application/json"}
        return {**headers, "x-goog-api-key": self._key} if self._key else headers


def _trusting(certificate: str) -> "ssl.SSLContext":
    """What verifies a server: by this certificate alone, or, where none is given, by name and known authorities."""
    import ssl

    context = ssl.create_default_context(cadata=certificate or None)
    if certificate:
        # Who has the key of this certificate is the server, whichever name or address led there.
        context.check_hostname = False
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def _document(text: bytes) -> JsonObject:
    try:
        return as_object(loads(text or b"{}"))
    except ValueError as error:
        raise CommandError("the response is not JSON; is another server at this address?") from error


def _api_error(document: JsonObject, status: int) -> ApiError:
    error = as_object(document.get("error"))
    return ApiError(str(error.get("status") or error.get("code") or status), str(error.get("message", "no message")))


def array_items(chunks: Iterable[bytes]) -> Iterator[JsonObject]:
    """The objects of an array that comes in pieces, each as soon as it is whole.

    Raises `CommandError` when the array ends in the middle of an item.
    """
    decode = getincrementaldecoder("utf-8")().decode
    read = json.JSONDecoder().raw_decode
    text = ""
    for chunk in chunks:
        text = (text + decode(chunk)).lstrip(_BETWEEN_ITEMS)
        while text and text[0] != "]":
            try:
                item, end = read(text)
            except ValueError:
                break
            yield as_object(item)
            text = text[end:].lstrip(_BETWEEN_ITEMS)
    if text.strip() != "]":
        raise CommandError("the server's response ended early")
