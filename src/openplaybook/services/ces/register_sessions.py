"""Puts conversations with apps, and tools on their own, on the registry that both transports serve."""

from openplaybook.services.agent_models import AgentModels
from openplaybook.services.ces import app_conversations, session_service, tool_service, toolset_generation
from openplaybook.services.ces.app_conversations import AppConversations
from openplaybook.services.ces.bidi_sessions import BidiSessions, GoingAway
from openplaybook.services.ces.session_service import SessionService
from openplaybook.services.ces.tool_service import ToolService
from openplaybook.services.ces.toolset_generation import AppResourceGeneration
from openplaybook.services.errors import translated
from openplaybook.services.parts import ServiceParts
from openplaybook.tools.base import ToolBuilder
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.registry import Registry


def register(
    registry: Registry, parts: ServiceParts, engine: TurnEngine, streams: TurnStreams, going_away: GoingAway
) -> None:
    """Serve the SessionService. `going_away` returns once the server was told to stop."""
    served = SessionService(parts, engine, streams)
    registry.unary(f"{session_service.SERVICE}.RunSession", served.run_session)
    registry.server_streaming(f"{session_service.SERVICE}.StreamRunSession", served.stream_run_session)
    registry.stream(
        f"{session_service.SERVICE}.BidiRunSession", BidiSessions(parts, served, going_away).bidi_run_session
    )


def register_around(registry: Registry, parts: ServiceParts, toolbox: ToolBuilder, models: AgentModels) -> None:
    """Serve what stands around sessions: their conversations, the ToolService and GenerateAppResource."""
    for service, handlers in (
        (app_conversations.SERVICE, AppConversations(parts)),
        (tool_service.SERVICE, ToolService(parts, toolbox)),
        (toolset_generation.SERVICE, AppResourceGeneration(parts, models)),
    ):
        for name, handler in handlers.methods().items():
            registry.unary(f"{service}.{name}", translated(handler))
