"""Puts conversations with apps, and tools on their own, on the registry that both transports serve."""

from openplaybook.services.agent_models import AgentModels
from openplaybook.services.ces import conversations, generation, sessions, tool_service
from openplaybook.services.ces.bidi_sessions import BidiSessions, GoingAway
from openplaybook.services.ces.conversations import Conversations
from openplaybook.services.ces.generation import AppResourceGeneration
from openplaybook.services.ces.sessions import Sessions
from openplaybook.services.ces.tool_service import ToolService
from openplaybook.services.errors import translated
from openplaybook.services.parts import Parts
from openplaybook.tools.base import ToolBuilder
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.streams import Streams
from openplaybook.wire.registry import Registry


def register(registry: Registry, parts: Parts, engine: TurnEngine, streams: Streams, going_away: GoingAway) -> None:
    """Serve the SessionService. `going_away` returns once the server was told to stop."""
    served = Sessions(parts, engine, streams)
    registry.unary(f"{sessions.SERVICE}.RunSession", served.run_session)
    registry.server_streaming(f"{sessions.SERVICE}.StreamRunSession", served.stream_run_session)
    registry.stream(f"{sessions.SERVICE}.BidiRunSession", BidiSessions(parts, served, going_away).bidi_run_session)


def register_around(registry: Registry, parts: Parts, toolbox: ToolBuilder, models: AgentModels) -> None:
    """Serve what stands around sessions: their conversations, the ToolService and GenerateAppResource."""
    for service, handlers in (
        (conversations.SERVICE, Conversations(parts)),
        (tool_service.SERVICE, ToolService(parts, toolbox)),
        (generation.SERVICE, AppResourceGeneration(parts, models)),
    ):
        for name, handler in handlers.methods().items():
            registry.unary(f"{service}.{name}", translated(handler))
