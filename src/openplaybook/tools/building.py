"""What a tool is made from, besides its own resource."""

from dataclasses import dataclass

from openplaybook.credentials.base import CredentialSources
from openplaybook.documents.parser_process import ParserLimits
from openplaybook.egress.base import Transport
from openplaybook.sandbox.base import Executor
from openplaybook.tools.base import NO_AGENT, AgentScope


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that tools of any kind may use."""

    transport: Transport
    credentials: CredentialSources
    scope: AgentScope = NO_AGENT
    parser: ParserLimits = ParserLimits()
    """What reading one description may cost."""
    executor: Executor | None = None
    """Runs the code of tools; None where the operator switched that off."""
