"""Google Cloud Storage by its JSON API, v1: get, list and insert (a simple upload) of `storage.objects`.

Whoever the token stands for needs roles/storage.objectUser, or roles/storage.objectViewer to import only.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Protocol
from urllib.parse import quote, urlencode

from openplaybook.buckets.base import MOST_BYTES, MOST_NAME_BYTES, MOST_NAMES
from openplaybook.buckets.errors import (
    BucketDenied,
    BucketError,
    BucketUnavailable,
    BucketUnusable,
    ObjectMissing,
    ObjectTooLarge,
)
from openplaybook.credentials.errors import CredentialError, CredentialUnavailable
from openplaybook.credentials.identity.bearer_requests import BearerAccess, send_as_bearer
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import AddressRefused, EgressError
from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads

CLOUD_STORAGE = "https://storage.googleapis.com"
LIMITS = HttpLimits(connect_s=10.0, read_s=60.0, total_s=300.0, max_bytes=MOST_BYTES, caller="buckets")

_MOST_TOLD = 300
"""Characters of Google's words that an error repeats."""
_NO_BUCKET = "bucket does not exist"
"""What Google's error says of a bucket; an object that is missing has the same status."""
_PERMISSIONS = ("storage.objects.get", "storage.objects.create", "storage.objects.delete")
"""To delete is part of writing over an object."""
_LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)


class CloudStorageAccess(BearerAccess, Protocol):
    """This server at Google, by name."""

    account: str
    """Email address of whom the latest token stands for; empty where it is not known."""


class CloudStorageBucket:
    """Sends one request for each object."""

    def __init__(
        self,
        name: str,
        transport: Transport,
        access: CloudStorageAccess | None,
        base_url: str = CLOUD_STORAGE,
        limits: HttpLimits = LIMITS,
    ) -> None:
        """`access`: None where the service asks for no token, as an emulator does."""
        self._name = name
        self._transport = transport
        self._access = access
        self._base_url = base_url
        self._limits = limits
        self.about = f"gs://{name} ({base_url})"

    def fault(self, name: str) -> str:
        """Cloud Storage takes any text up to 1024 bytes, in one line, that no URL gives another meaning."""
        if not name or len(name.encode()) > MOST_NAME_BYTES or "\n" in name or "\r" in name:
            return f"has no name that an object can have: 1 to {MOST_NAME_BYTES} bytes without a line break"
        return "has no name that an object can have: . and .. are none" if name in (".", "..") else ""

    async def read(self, name: str) -> bytes:
        """The object's bytes, its latest version. Raises `BucketError`."""
        url = f"{self._base_url}/storage/v1/b/{quote(self._name, safe='')}/o/{quote(name, safe='')}?alt=media"
        action = f"gs://{self._name}/{name} cannot be read"
        # Where Google leads with a token is decided here, not by the answer.
        answer = await self._sent(HttpRequest("GET", url, repeatable=True, follows_redirects=False), action)
        if answer.status == HTTPStatus.NOT_FOUND and _NO_BUCKET not in _error_text(answer):
            raise ObjectMissing(f"the object gs://{self._name}/{name} does not exist")
        self._refuse(answer, action)
        if answer.truncated:
            raise ObjectTooLarge(f"gs://{self._name}/{name} is larger than {self._limits.max_bytes} bytes")
        return answer.body

    async def write(self, name: str, content: bytes) -> None:
        """Upload the object. Raises `BucketError`."""
        query = urlencode({"uploadType": "media", "name": name}, quote_via=quote, safe="")
        url = f"{self._base_url}/upload/storage/v1/b/{quote(self._name, safe='')}/o?{query}"
        headers = (("Content-Type", "application/octet-stream"),)
        action = f"gs://{self._name}/{name} cannot be written"
        self._refuse(
            await self._sent(HttpRequest("POST", url, headers, content, follows_redirects=False), action), action
        )

    async def names(self, prefix: str) -> Sequence[str]:
        """Names by `storage.objects.list`, page by page. Raises `BucketError`."""
        names: list[str] = []
        action, token = f"gs://{self._name}/{prefix}* cannot be listed", ""
        while True:
            asked = {"prefix": prefix, "fields": "items(name),nextPageToken", **({"pageToken": token} if token else {})}
            query = urlencode(asked, quote_via=quote, safe="")
            url = f"{self._base_url}/storage/v1/b/{quote(self._name, safe='')}/o?{query}"
            answer = await self._sent(HttpRequest("GET", url, repeatable=True, follows_redirects=False), action)
            self._refuse(answer, action)
            listed = _members(answer)
            names += (str(as_object(item).get("name")) for item in as_list(listed.get("items")))
            token = str(listed.get("nextPageToken") or "")
            if len(names) > MOST_NAMES:
                raise BucketUnusable(f"{action}: more than {MOST_NAMES} objects begin so")
            if not token:
                # An empty object whose name ends so is a folder of the console.
                return sorted(name for name in names if not name.endswith("/"))

    async def check(self) -> None:
        """The account has the permissions that exports and imports need. Raises `BucketError`."""
        query = urlencode([("permissions", permission) for permission in _PERMISSIONS])
        url = f"{self._base_url}/storage/v1/b/{quote(self._name, safe='')}/iam/testPermissions?{query}"
        action = f"gs://{self._name} cannot be used"
        answer = await self._sent(HttpRequest("GET", url, repeatable=True, follows_redirects=False), action)
        self._refuse(answer, action)
        granted = as_list(_members(answer).get("permissions"))
        if missing := [permission for permission in _PERMISSIONS if permission not in granted]:
            raise BucketDenied(f"{action}: {self._whose()} lacks {', '.join(missing)}")

    def _whose(self) -> str:
        return "anybody" if self._access is None else self._access.account or "this server"

    async def _sent(self, request: HttpRequest, action: str) -> HttpResponse:
        try:
            return await send_as_bearer(self._access, self._transport, request, self._limits)
        except CredentialError as error:
            kind = BucketUnavailable if isinstance(error, CredentialUnavailable) else BucketUnusable
            raise kind(f"{action}: {error}") from error
        except EgressError as error:
            kind = BucketUnusable if isinstance(error, AddressRefused) else BucketUnavailable
            raise kind(f"{action}: {error}") from error

    def _refuse(self, answer: HttpResponse, action: str) -> None:
        """Raises what an answer means that is no success."""
        if answer.status != HTTPStatus.OK:
            raise self._refusal(answer, action)

    def _refusal(self, answer: HttpResponse, action: str) -> BucketError:
        reason = _error_text(answer)[:_MOST_TOLD]
        message = f"{action}: Cloud Storage responded with {answer.status}{f' ({reason})' if reason else ''}"
        if answer.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            whose = "without credentials" if self._access is None else f"as {self._whose()}"
            return BucketDenied(f"{message}; the request was made {whose}")
        if answer.status == HTTPStatus.NOT_FOUND:
            return BucketUnusable(f"{message}; create the bucket, or correct the setting bucket")
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status in _LATER:
            return BucketUnavailable(message)
        return BucketUnusable(message)


def _error_text(answer: HttpResponse) -> str:
    """Google's own sentence: that of the JSON error, or the text that a failed download has in place of the object."""
    if answer.header("Content-Type").startswith("text/"):
        return " ".join(answer.body.decode(errors="replace").split())
    return str(as_object(_members(answer).get("error")).get("message") or "")


def _members(answer: HttpResponse) -> JsonObject:
    try:
        return as_object(loads(answer.body))
    except ValueError:
        return {}
