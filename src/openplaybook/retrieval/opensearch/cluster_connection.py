"""One exchange with a cluster, and what its failures mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, as_object, dumps
from openplaybook.retrieval.errors import EngineFault, EngineUnavailable, RetrievalError
from openplaybook.retrieval.opensearch.cluster_address import ClusterAddress
from openplaybook.retrieval.remote_answers import MOST_TOLD, is_passing, members_in, without_answer
from openplaybook.telemetry.redaction import MASK

LIMITS: Final = HttpLimits(connect_s=5.0, read_s=60.0, total_s=120.0, max_bytes=256 << 20, caller="data stores")

MISSING: Final = "index_not_found_exception"
"""The engine's name for what a store is that holds nothing yet."""
EXISTING: Final = "resource_already_exists_exception"

_REFUSED: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


@dataclass(frozen=True, slots=True)
class ClusterAnswer:
    """What came back, where it is no failure."""

    members: JsonObject
    """Of the JSON object that came."""
    error: str = ""
    """The engine's name for the error, of those that the caller expected; empty for a success."""


class ClusterConnection:
    """Sends requests to one cluster."""

    def __init__(self, address: ClusterAddress, transport: Transport, limits: HttpLimits = LIMITS) -> None:
        """`transport` is that for services of the operator's own: the address policy of tools does not hold here."""
        self._address = address
        self._transport = transport
        self._limits = limits
        self.prefix = address.prefix

    async def ask(
        self,
        method: str,
        path: str,
        body: JsonObject | None = None,
        *,
        query: Sequence[tuple[str, str]] = (),
        expected: Sequence[str] = (),
        is_repeatable: bool = True,
    ) -> ClusterAnswer:
        """The answer to a request with JSON; errors whose names are expected are answers.

        Raises `EngineUnavailable` where the same may succeed later, else `EngineFault`.
        """
        content = None if body is None else dumps(body)
        kind = "application/json" if content is not None else ""
        answer = await self._sent(method, path, content, kind, query, is_repeatable)
        return await self._answer(answer, expected)

    async def ask_lines(self, path: str, lines: bytes, query: Sequence[tuple[str, str]]) -> ClusterAnswer:
        """The answer to a POST of lines of JSON."""
        answer = await self._sent("POST", path, lines, "application/x-ndjson", query, is_repeatable=False)
        return await self._answer(answer, ())

    def fault(self, kind: str, reason: str, status: int) -> RetrievalError:
        """The error for what the engine says of a request, or of a part of one."""
        told = f": {reason[:MOST_TOLD]}" if reason else ""
        message = self._masked(f"the search engine at {self._address.url} responded with {status} ({kind}{told})")
        if is_passing(status):
            return EngineUnavailable(message)
        if status in _REFUSED:
            return EngineFault(f"{message}; see the setting search_engine for user, password_file and api_key_file")
        return EngineFault(message)

    async def _sent(
        self,
        method: str,
        path: str,
        content: bytes | None,
        kind: str,
        query: Sequence[tuple[str, str]],
        is_repeatable: bool,
    ) -> HttpResponse:
        address = self._address
        headers = [("Accept", "application/json")]
        if kind:
            headers.append(("Content-Type", kind))
        if address.authorization:
            headers.append(("Authorization", address.authorization))
        request = HttpRequest(
            method=method,
            url=f"{address.url}/{path}" + (f"?{urlencode(query)}" if query else ""),
            headers=tuple(headers),
            body=content,
            ca_certificates=(address.ca_certificate,) if address.ca_certificate else (),
            repeatable=is_repeatable,
            # Where the credentials go is decided here, not by the answer.
            follows_redirects=False,
        )
        try:
            return await self._transport.send(request, self._limits)
        except EgressError as error:
            raise without_answer(f"the search engine at {address.url}", error) from error

    async def _answer(self, answer: HttpResponse, expected: Sequence[str]) -> ClusterAnswer:
        if answer.truncated:
            raise EngineFault(
                f"the search engine at {self._address.url} responded with more than {self._limits.max_bytes:,} bytes"
            )
        members = await members_in(answer)
        if answer.status == HTTPStatus.OK and members:
            return ClusterAnswer(members)
        kind, reason = told_error(members.get("error"))
        if kind in expected:
            return ClusterAnswer(members, kind)
        if answer.status == HTTPStatus.OK:
            raise EngineFault(f"{self._address.url} responded with something that is no answer of a search engine")
        raise self.fault(kind or "no reason is given", reason, answer.status)

    def _masked(self, message: str) -> str:
        secret = self._address.secret
        return message.replace(secret, MASK) if secret else message


def told_error(error: object) -> tuple[str, str]:
    """The engine's name for an error and its words, the innermost ones where it has several."""
    if not isinstance(error, dict):
        return "", error if isinstance(error, str) else ""
    members = as_object(error)
    cause = as_object(next(iter(members.get("root_cause") or ()), members))
    return str(members.get("type", "")), str(cause.get("reason") or members.get("reason") or "")
