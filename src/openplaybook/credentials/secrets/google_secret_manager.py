"""Google Secret Manager by its REST API, v1: `projects.secrets.versions.access`."""

from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Awaitable, Callable
from urllib.parse import quote

from openplaybook.credentials.errors import CredentialUnavailable
from openplaybook.credentials.secrets.remote_store import RemoteAnswer, ask, refusal
from openplaybook.egress.base import HttpRequest, Transport
from openplaybook.jsonvalues import as_object
from openplaybook.resources.secret_names import SecretVersionName

SECRET_MANAGER = "https://secretmanager.googleapis.com"

_POLYNOMIAL = 0x82F63B78
"""Of CRC-32C (RFC 3720 appendix B.4)."""


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
        answer = await ask(self._transport, request, f"Secret Manager, asked for {name},")
        if answer.status == 404:
            return None
        if answer.status != 200:
            explanation = as_object(answer.members.get("error")).get("message")
            raise refusal(answer, f"Secret Manager, asked for {name},", explanation)
        return _payload(answer, name)

    async def check(self) -> None:
        """A token can be had, and the API answers what describes it."""
        await self._token()
        url = f"{self._base_url}/$discovery/rest?version=v1"
        answer = await ask(self._transport, HttpRequest("GET", url, repeatable=True), "Secret Manager")
        if answer.status != 200:
            raise refusal(answer, "Secret Manager", "is this its address?")


def _payload(answer: RemoteAnswer, name: SecretVersionName) -> str:
    payload = as_object(answer.members.get("payload"))
    try:
        data = b64decode(str(payload["data"]), validate=True)
        if "dataCrc32c" in payload and int(payload["dataCrc32c"]) != crc32c(data):
            raise CredentialUnavailable(f"Secret Manager's response for {name} was damaged in transit")
        return data.decode()
    except (KeyError, Base64Error, UnicodeDecodeError, ValueError):
        raise CredentialUnavailable(f"Secret Manager's response for {name} contains no text") from None


def _crc_entry(byte: int) -> int:
    for _ in range(8):
        byte = (byte >> 1) ^ (_POLYNOMIAL if byte & 1 else 0)
    return byte


_CRC_TABLE = tuple(map(_crc_entry, range(256)))


def crc32c(data: bytes) -> int:
    """CRC-32C, by which Secret Manager vouches for a payload; 5 ms for 64 KiB."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF
