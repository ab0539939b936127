"""Requests to the service inside a machine: what it does not answer as it should means that the machine is lost."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.sandbox.remote.base import MachineLost

Headers: TypeAlias = tuple[tuple[str, str], ...]

FILE_S = 60.0
"""What sending or fetching one file may take."""
_CONNECT_S = 5.0


@dataclass(frozen=True, slots=True)
class MachineHttp:
    """One machine's service."""

    transport: Transport = field(repr=False)
    machine: str
    url: str
    headers: Headers = field(repr=False)

    async def send(
        self,
        method: str,
        path: str,
        *,
        body: bytes | None = None,
        content_type: str = "",
        headers: Headers = (),
        seconds: float = FILE_S,
        most: int = 1_000_000,
        repeatable: bool = False,
    ) -> HttpResponse:
        """The answer, of status 200 and whole; raises `MachineLost`, whose words hold neither headers nor bodies."""
        typed = (("Content-Type", content_type),) if content_type else ()
        request = HttpRequest(
            method,
            self.url + path,
            (*self.headers, *headers, *typed),
            body,
            repeatable=repeatable,
            # Code that has run there may be what answers.
            follows_redirects=False,
        )
        what = f"{method} {path.partition('?')[0]}"
        # One machine's queue and circuit breaker are no other's, also where all are behind one router.
        limits = HttpLimits(
            connect_s=_CONNECT_S, read_s=seconds, total_s=seconds, max_bytes=most, caller=f"sandbox {self.machine}"
        )
        try:
            response = await self.transport.send(request, limits)
        except EgressError as error:
            raise MachineLost(f"sandbox {self.machine} is lost: {error} ({what})") from error
        if response.status != 200:
            raise MachineLost(f"sandbox {self.machine} is lost: it answered {response.status} to {what}")
        if response.truncated:
            raise MachineLost(f"sandbox {self.machine} is lost: it answered more than {most} bytes to {what}")
        return response


def form_of(name: str, data: bytes) -> tuple[bytes, str]:
    """A form with one file called `name` in its field `file`, and its media type (RFC 7578)."""
    boundary = secrets.token_hex(16)
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return b"".join(
        (head.encode(), data, f"\r\n--{boundary}--\r\n".encode())
    ), f"multipart/form-data; boundary={boundary}"


def one_line(values: Sequence[str], most: int = 300) -> str:
    """Words of another service in a message of ours: on one line, cut."""
    return " ".join(" ".join(values).split())[:most]
