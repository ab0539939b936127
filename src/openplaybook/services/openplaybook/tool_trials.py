"""What trials of tools need besides stored tools: drafts, sessions, and services that answer as recorded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.openplaybook.session_names import session_name
from openplaybook.services.openplaybook.tool_drafts import ToolDrafts
from openplaybook.storage.base import Store
from openplaybook.tools.base import ToolBuilder
from openplaybook.turns.journal.session_state import SessionState
from openplaybook.turns.session.seals import ParameterSeals


@dataclass(frozen=True, slots=True)
class TrialSession:
    """What a session gives a trial."""

    session: str = ""
    """Resource name; empty: there is none."""
    parameters: JsonObject = field(default_factory=dict[str, JsonValue], repr=False)
    """Open, the secret ones too."""
    sealed: frozenset[str] = frozenset()
    """Names of those that the session keeps sealed."""


NO_SESSION = TrialSession()


@dataclass(frozen=True, slots=True)
class TrialParts:
    """The parts that trials use."""

    store: Store
    drafts: ToolDrafts
    seals: ParameterSeals
    answering: Callable[[Transport], ToolBuilder]
    """Builds tools whose services are reached by another way out."""

    async def of_session(self, agent: str, text: str) -> TrialSession:
        """What a session of an agent holds now.

        NOT_FOUND: it has not begun, or has expired. Raises `SealedValueUnreadable`, `NewerData`.
        """
        name = session_name(text)
        if name.agent != agent:
            raise invalid(("session", f"is not a session of {agent}"))
        stored = await self.store.session(name.session)
        if stored is None:
            raise not_found("Session", name.session)
        state = SessionState.load(stored.state)
        return TrialSession(name.session, dict(self.seals.open(state, name.session).values), frozenset(state.sealed))


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A way out that leads nowhere: whatever is sent, one recorded response comes back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The recorded response, cut as any other."""
        body = self.body[: limits.max_bytes]
        return HttpResponse(self.status, tuple(self.headers.items()), body, len(body) < len(self.body), 0.0)

    async def aclose(self) -> None:
        """There is nothing to close."""
