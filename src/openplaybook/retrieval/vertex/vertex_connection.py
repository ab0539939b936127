"""One exchange with the Discovery Engine API, and what its failures mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import quote, urlencode

from openplaybook.credentials.errors import CredentialError, CredentialUnavailable
from openplaybook.credentials.identity.bearer_requests import BearerAccess, send_as_bearer
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, as_object, dumps
from openplaybook.retrieval.errors import EngineFault, EngineUnavailable
from openplaybook.retrieval.remote_answers import MOST_TOLD, is_passing, members_in, without_answer
from openplaybook.retrieval.vertex.vertex_address import VertexAddress

LIMITS: Final = HttpLimits(connect_s=5.0, read_s=30.0, total_s=60.0, max_bytes=64 << 20, caller="data stores")


@dataclass(frozen=True, slots=True)
class VertexAnswer:
    """What came back, where it is a success or an answer that the caller expected."""

    status: int
    members: JsonObject
    """Of the JSON object that came."""

    @property
    def reason(self) -> str:
        """Google's own sentence of an error."""
        return str(as_object(self.members.get("error")).get("message") or "")[:MOST_TOLD]


class VertexConnection:
    """Sends requests to the API of Google, or to another server that has it."""

    def __init__(
        self,
        address: VertexAddress,
        transport: Transport,
        access: BearerAccess | None,
        limits: HttpLimits = LIMITS,
    ) -> None:
        """`access`: None where the server asks for no token."""
        self.address = address
        self._transport = transport
        self._access = access
        self._limits = limits

    async def ask(
        self,
        method: str,
        store: str,
        path: str,
        body: JsonObject | None = None,
        *,
        query: Sequence[tuple[str, str]] = (),
        expected: Sequence[int] = (),
    ) -> VertexAnswer:
        """The answer to a request for what is at a path below a store; statuses that are expected are answers.

        Raises `EngineUnavailable` where the same may succeed later, else `EngineFault`.
        """
        url = f"{self.address.of_store(store)}/v1/{quote(store, safe='/')}{path}"
        request = HttpRequest(
            method=method,
            url=url + (f"?{urlencode(query, quote_via=quote)}" if query else ""),
            headers=(("Content-Type", "application/json"),) if body is not None else (),
            body=None if body is None else dumps(body),
            # Documents are replaced and deleted by their names, so that to ask again does no harm.
            repeatable=True,
            # Where Google leads with a token is decided here, not by the answer.
            follows_redirects=False,
        )
        answer = await self._sent(request)
        if answer.truncated:
            raise EngineFault(f"Vertex AI Search responded with more than {self._limits.max_bytes:,} bytes")
        found = VertexAnswer(answer.status, await members_in(answer))
        if answer.status != HTTPStatus.OK and answer.status not in expected:
            raise self.fault(found)
        return found

    def fault(self, answer: VertexAnswer) -> EngineFault | EngineUnavailable:
        """The error that an answer is."""
        reason = f" ({answer.reason})" if answer.reason else ""
        message = f"Vertex AI Search at {self.address.url} responded with {answer.status}{reason}"
        if is_passing(answer.status):
            return EngineUnavailable(message)
        if answer.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            whose = "without credentials" if self._access is None else "as this server"
            return EngineFault(f"{message}; it was asked {whose}, which needs roles/discoveryengine.editor there")
        return EngineFault(message)

    async def _sent(self, request: HttpRequest) -> HttpResponse:
        try:
            return await send_as_bearer(self._access, self._transport, request, self._limits)
        except CredentialError as error:
            kind = EngineUnavailable if isinstance(error, CredentialUnavailable) else EngineFault
            raise kind(f"Vertex AI Search cannot be asked: {error}") from error
        except EgressError as error:
            raise without_answer(f"Vertex AI Search at {self.address.url}", error) from error
