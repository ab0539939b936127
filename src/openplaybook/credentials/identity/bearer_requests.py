"""Requests that this server makes in its own name to Google's services, with an access token."""

from dataclasses import replace
from http import HTTPStatus
from typing import Protocol

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.telemetry.redaction import MASK


class BearerAccess(Protocol):
    """This server at Google."""

    async def token(self) -> str:
        """An access token. Raises `CredentialError`."""
        ...

    def forget(self, token: str) -> bool:
        """Drop a token that was refused; whether there may be another one."""
        ...


async def send_as_bearer(
    access: BearerAccess | None, transport: Transport, request: HttpRequest, limits: HttpLimits
) -> HttpResponse:
    """The answer to a request with a token; without one where there is no `access`.

    A token that is refused is taken for one that ran out, and the request is sent once more with another. What the
    answer says of an error does not show the token. Raises `CredentialError`, `EgressError`.
    """
    if access is None:
        return await transport.send(request, limits)
    token = await access.token()
    answer = await _sent(token, transport, request, limits)
    if answer.status == HTTPStatus.UNAUTHORIZED and access.forget(token):
        answer = await _sent(await access.token(), transport, request, limits)
    return answer


async def _sent(token: str, transport: Transport, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
    answer = await transport.send(request.with_header("Authorization", f"Bearer {token}"), limits)
    if answer.status == HTTPStatus.OK:
        return answer
    # What it says of an error is shown.
    return replace(answer, body=answer.body.replace(token.encode(), MASK.encode()))
