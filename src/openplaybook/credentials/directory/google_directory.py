"""Google's Service Directory by its REST API, v1: `projects.locations.namespaces.services.resolve`."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_address
from urllib.parse import quote

from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable
from openplaybook.egress.base import Endpoint, HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads

SERVICE_DIRECTORY = "https://servicedirectory.googleapis.com"
KEPT_S = 30.0
"""How long an answer is used."""

_LIMITS = HttpLimits(connect_s=5.0, read_s=10.0, total_s=15.0, max_bytes=1_000_000)
_KEPT = 1_000
_USUAL_PORT = 443
_OK = 200


class GoogleServiceDirectory:
    """Looks services up, once however many ask, and remembers for half a minute."""

    def __init__(
        self,
        transport: Transport,
        token: Callable[[], Awaitable[str]],
        base_url: str = SERVICE_DIRECTORY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`token` gives an access token that may resolve (roles/servicedirectory.viewer)."""
        self._transport = transport
        self._token = token
        self._base_url = base_url
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, Sequence[Endpoint]]] = OrderedDict()
        self._asking: dict[str, asyncio.Task[Sequence[Endpoint]]] = {}

    async def endpoints(self, service: str) -> Sequence[Endpoint]:
        """Where the service listens; raises `CredentialRefused` or `CredentialUnavailable`."""
        known = self._kept.get(service)
        if known is not None and self._clock() < known[0]:
            return known[1]
        asking = self._asking.get(service)
        if asking is None:
            asking = self._asking[service] = asyncio.create_task(self._ask(service))
            asking.add_done_callback(lambda task: self._asked(service, task))
        # One caller that gives up must not take the answer from the others.
        return await asyncio.shield(asking)

    def _asked(self, service: str, task: asyncio.Task[Sequence[Endpoint]]) -> None:
        del self._asking[service]
        if not task.cancelled():
            task.exception()  # Looked at, in case all have stopped waiting.

    async def _ask(self, service: str) -> Sequence[Endpoint]:
        endpoints = _endpoints(service, await self._resolved(service))
        self._kept[service] = (self._clock() + KEPT_S, endpoints)
        self._kept.move_to_end(service)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return endpoints

    async def _resolved(self, service: str) -> HttpResponse:
        headers = (("Authorization", f"Bearer {await self._token()}"), ("Content-Type", "application/json"))
        url = f"{self._base_url}/v1/{quote(service)}:resolve"
        request = HttpRequest("POST", url, headers, dumps({}), repeatable=True)
        try:
            return await self._transport.send(request, _LIMITS)
        except EgressError as error:
            raise CredentialUnavailable(f"Service Directory did not respond for {service}: {error}") from error


def _endpoints(service: str, answer: HttpResponse) -> Sequence[Endpoint]:
    members = _members(answer)
    if answer.status != _OK:
        reason = str(as_object(members.get("error")).get("message") or "")[:200]
        kind = CredentialUnavailable if answer.status >= 500 or answer.status == 429 else CredentialRefused
        raise kind(f"Service Directory answered {answer.status} for {service}{f': {reason}' if reason else ''}")
    listed = [as_object(each) for each in as_list(as_object(members.get("service")).get("endpoints"))]
    endpoints = tuple(endpoint for each in listed if (endpoint := _endpoint(each)) is not None)
    if not endpoints:
        raise CredentialUnavailable(f"Service Directory has no endpoint with an IP address for {service}")
    return endpoints


def _endpoint(listed: JsonObject) -> Endpoint | None:
    try:
        return Endpoint(str(ip_address(str(listed.get("address", "")))), int(listed.get("port") or _USUAL_PORT))
    except ValueError:
        return None


def _members(answer: HttpResponse) -> JsonObject:
    try:
        return as_object(loads(answer.body))
    except ValueError:
        return {}
