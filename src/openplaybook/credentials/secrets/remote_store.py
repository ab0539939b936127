"""One question to a remote store of secrets, and what its answer means."""

from dataclasses import dataclass, field

from openplaybook.credentials.errors import CredentialError, CredentialRefused, CredentialUnavailable
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, as_object, loads

_LIMITS = HttpLimits(connect_s=5.0, read_s=5.0, total_s=10.0, max_bytes=1_000_000)
_MOST_TOLD = 200
"""Characters of the other side's words that an error repeats."""


@dataclass(frozen=True, slots=True)
class RemoteAnswer:
    """An answer that is no disturbance."""

    status: int
    members: JsonObject = field(repr=False)
    """Of the JSON object that came; empty when none did."""


async def ask(transport: Transport, request: HttpRequest, what: str) -> RemoteAnswer:
    """The answer of `what`. Raises `CredentialUnavailable` when there is none, or one that says: not now."""
    try:
        answer = await transport.send(request, _LIMITS)
    except EgressError as error:
        raise CredentialUnavailable(f"{what} failed: {error}") from error
    if answer.status >= 500 or answer.status == 429:
        raise CredentialUnavailable(f"{what} answered {answer.status}")
    return RemoteAnswer(answer.status, _members(answer))


def refusal(answer: RemoteAnswer, what: str, explanation: object) -> CredentialError:
    """The error for an answer that gives no secret; `explanation` is why, in the other side's words."""
    reason = f": {str(explanation)[:_MOST_TOLD]}" if explanation else ""
    return CredentialRefused(f"{what} answered {answer.status}{reason}")


def _members(answer: HttpResponse) -> JsonObject:
    try:
        return as_object(loads(answer.body))
    except ValueError:
        return {}
