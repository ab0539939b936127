"""The few calls of E2B's platform API that sandboxes need (`spec/openapi.yml`)."""

import math
import secrets
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from openplaybook.egress.base import HttpLimits, HttpRequest, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from openplaybook.sandbox.base import SandboxUnavailable
from openplaybook.sandbox.remote.e2b.e2b_settings import E2bSettings
from openplaybook.sandbox.remote.machine_http import one_line

_CALL_S = 30.0
_MAX_ANSWER = 4_000_000
_MARK = "openplaybook"
"""Metadata by which a sandbox is found whose creation was not answered."""
_REMEDIES = {
    401: "check the API key",
    403: "check the API key, and what its team may do",
    404: "is there such a template?",
    429: "the team runs its maximum of sandboxes, or sends too many requests",
}


class E2bRefused(Exception):
    """E2B answered with an error; the message is its own."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class E2bApi:
    """The platform."""

    settings: E2bSettings
    transport: Transport = field(repr=False)

    async def create(self, mark: str, seconds: float) -> JsonObject:
        """A new sandbox without a way to the Internet, that nobody reaches without its tokens, and that ends by itself.

        Raises `SandboxUnavailable`.
        """
        wanted: JsonObject = {
            "templateID": self.settings.template,
            "timeout": math.ceil(seconds),
            "autoPause": False,
            "secure": True,
            "allow_internet_access": False,
            "network": {"allowPublicTraffic": False},
            "metadata": {_MARK: mark},
        }
        try:
            # Not repeatable: each creation that arrives makes a sandbox.
            return as_object(await self._call("POST", "/sandboxes", wanted, repeatable=False))
        except E2bRefused as refused:
            remedy = _REMEDIES.get(refused.status)
            raise SandboxUnavailable(
                f"E2B gave no sandbox ({refused.status}): {refused}" + (f"; {remedy}" if remedy else "")
            ) from refused

    async def keep(self, sandbox: str, seconds: float) -> None:
        """Have a sandbox end so long from now; raises `E2bRefused` or `SandboxUnavailable`."""
        await self._call("POST", f"/sandboxes/{quote(sandbox, safe='')}/timeout", {"timeout": math.ceil(seconds)})

    async def kill(self, sandbox: str) -> None:
        """End a sandbox; one that is gone is as good. Raises `E2bRefused` or `SandboxUnavailable`."""
        try:
            await self._call("DELETE", f"/sandboxes/{quote(sandbox, safe='')}")
        except E2bRefused as refused:
            if refused.status != 404:
                raise

    async def marked(self, mark: str) -> list[str]:
        """The sandboxes that were created with a mark; raises `E2bRefused` or `SandboxUnavailable`."""
        query = urlencode({"metadata": urlencode({_MARK: mark})})
        listed = as_list(await self._call("GET", f"/v2/sandboxes?{query}"))
        return [str(as_object(each).get("sandboxID")) for each in listed]

    async def _call(
        self, method: str, path: str, document: JsonObject | None = None, *, repeatable: bool = True
    ) -> JsonValue:
        typed = (("Content-Type", "application/json"),) if document is not None else ()
        request = HttpRequest(
            method,
            self.settings.api + path,
            (("X-API-Key", self.settings.api_key), ("Accept", "application/json"), *typed),
            dumps(document) if document is not None else None,
            repeatable=repeatable,
        )
        try:
            response = await self.transport.send(
                request, HttpLimits(read_s=_CALL_S, total_s=_CALL_S, max_bytes=_MAX_ANSWER)
            )
        except EgressError as error:
            raise SandboxUnavailable(f"E2B does not respond: {error}") from error
        if response.status == 204:
            return None
        try:
            answer: JsonValue = loads(response.body)
        except ValueError:
            answer = None
        if response.status >= 300:
            raise E2bRefused(response.status, one_line([str(as_object(answer).get("message") or "no reason given")]))
        if answer is None or response.truncated:
            raise SandboxUnavailable("E2B answered with something that is not JSON")
        return answer


def new_mark() -> str:
    """A mark that nobody else has."""
    return secrets.token_hex(8)
