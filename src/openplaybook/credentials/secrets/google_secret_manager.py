"""Google Secret Manager by its REST API, v1: `projects.secrets.versions.access`."""

from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Awaitable, Callable
from urllib.parse import quote

from openplaybook.credentials.errors import CredentialUnavailable
from openplaybook.credentials.secrets.checksum import crc32c
from openplaybook.credentials.secrets.remote_store import RemoteAnswer, ask, refusal
from openplaybook.egress.base import HttpRequest, Transport
from openplaybook.jsonvalues import as_object
from openplaybook.resources.secret_names import SecretVersionName

SECRET_MANAGER = "https://secretmanager.googleapis.com"


class GoogleSecrets:
    """Secrets under their own names; who the token stands for needs roles/secretmanager.secretAccessor."""

    def __init__(self, transport: Transport, token: Callable[[], Awaitable[str]], base_url: str) -> None:
        """`token` gives an access token and raises `CredentialError`."""
        self._transport = transport
        self._token = token
        self._base_url = base_url
        self.about = f"google ({base_url})"

    async def access(self, name: SecretVersionName) -> str | None:
        """The payload, checked against its checksum; None when there is no such version.

        Raises `CredentialRefused`, for a disabled or destroyed version too, and `CredentialUnavailable`.
        """
        headers = (("Authorization", f"Bearer {await self._token()}"), ("Accept", "application/json"))
        request = HttpRequest("GET", f"{self._base_url}/v1/{quote(str(name))}:access", headers, repeatable=True)
        asked = await ask(self._transport, request, f"Secret Manager, asked for {name},")
        if asked.status == 404:
            return None
        if asked.status != 200:
            said = as_object(asked.members.get("error")).get("message")
            raise refusal(asked, f"Secret Manager, asked for {name},", said)
        return _payload(asked, name)

    async def check(self) -> None:
        """A token can be had, and the API answers what describes it."""
        await self._token()
        url = f"{self._base_url}/$discovery/rest?version=v1"
        asked = await ask(self._transport, HttpRequest("GET", url, repeatable=True), "Secret Manager")
        if asked.status != 200:
            raise refusal(asked, "Secret Manager", "is this its address?")


def _payload(asked: RemoteAnswer, name: SecretVersionName) -> str:
    payload = as_object(asked.members.get("payload"))
    try:
        data = b64decode(str(payload["data"]), validate=True)
        if "dataCrc32c" in payload and int(payload["dataCrc32c"]) != crc32c(data):
            raise CredentialUnavailable(f"Secret Manager's response for {name} was damaged in transit")
        return data.decode()
    except (KeyError, Base64Error, UnicodeDecodeError, ValueError):
        raise CredentialUnavailable(f"Secret Manager's response for {name} contains no text") from None
