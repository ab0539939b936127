"""`ToolKind`: the one record of a kind of tool, and what its tools are made from.

One half, `StoredKind`, says what such tools are wherever they are stored, sent and exported; it is asked by every room.
The other says how they work here. Each kind has its record in its folder.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from openplaybook.connectors.catalog.connections import ConnectionAccess
from openplaybook.credentials.base import CredentialSources
from openplaybook.documents.encoded_text import EncodedText
from openplaybook.documents.parser_process import ParserLimits
from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.tool_kinds import StoredKind
from openplaybook.retrieval.base import StoreSearch
from openplaybook.sandbox.base import Executor
from openplaybook.tools.base import NO_AGENT, AgentScope, Problem, Tool


@dataclass(frozen=True, slots=True)
class ToolParts:
    """The parts that tools of any kind may use."""

    transport: Transport
    credentials: CredentialSources
    scope: AgentScope = NO_AGENT
    parser: ParserLimits = ParserLimits()
    """What reading one description may cost."""
    executor: Executor | None = None
    """Runs the code of tools; None where the operator switched that off."""
    text: EncodedText | None = None
    """The text in the tool's specification, where that is a long one, for whoever reads it."""
    search: StoreSearch | None = None
    """Searches data stores; None where there is no engine for them."""
    connections: ConnectionAccess | None = None
    """Calls systems through connections; None where there are none."""


Builder: TypeAlias = Callable[[JsonObject, JsonObject, ToolParts], Tool]
"""The tool's resource, its specification, what tools are made from → the tool; raises `InvalidTool`."""

Check: TypeAlias = Callable[[JsonObject, JsonObject, Callable[[], ToolParts], Callable[[], Tool]], Sequence[Problem]]
"""The resource, its specification, what gives the parts, what builds the tool or has built it → all that is wrong with
it, errors and remarks. Blocks. Raises `InvalidTool`, and `WorkError` when too much waits to be checked."""


Lookup: TypeAlias = Callable[[JsonObject, JsonObject, ToolParts], Awaitable[Sequence[Problem]]]
"""The resource, its specification and the parts → what it names and cannot have: errors refuse a tool that is saved,
while one that is imported is kept; remarks are told."""


@dataclass(frozen=True, slots=True)
class Destinations:
    """Where one credential is sent, and in what form."""

    servers: frozenset[str]
    """Base URLs."""
    scheme: JsonObject
    """The security scheme, which says how a key is sent and where tokens come from; empty for an authentication that
    is used for all operations."""

    def cover(self, others: "Destinations") -> bool:
        """Whether the others send the credential nowhere else, and in no other form."""
        return others.servers <= self.servers and others.scheme == self.scheme


class CredentialRoutes(Protocol):
    """Where a tool sends its credentials."""

    def destinations(self, scheme: str = "") -> Destinations:
        """Of the credential of a security scheme, or, without one, of the tool."""
        ...


@dataclass(frozen=True, slots=True)
class DescribedRoutes:
    """How a specification says where its credentials go, in more than members that can be compared."""

    members: tuple[str, ...]
    """What says it."""
    read: Callable[[JsonObject], CredentialRoutes]
    """From the specification. Blocks. Raises `UnreadableDocument`, `InvalidTool` and `WorkError`."""


@dataclass(frozen=True, slots=True)
class DocumentsElsewhere:
    """Documents that a specification refers to elsewhere; they are fetched when a tool is saved."""

    missing: Callable[[JsonObject, Mapping[str, str]], Sequence[str]]
    """From the specification, and texts by URI beside those in it, to the URLs of what is needed and not there. Blocks.
    Raises `InvalidTool`."""
    kept: tuple[str, ...]
    """Keys of the specification down to the list of `{uri, text}`."""


@dataclass(frozen=True, slots=True)
class ToolKind:
    """A kind of tool: what it is, and how it works here."""

    stored: StoredKind
    builders: Mapping[str, Builder]
    """By the member of the toolbox's form that holds the specification; of built-in tools, which have none, by id."""
    check: Check | None = None
    """All that is wrong with a tool or odd about it; None where building it says all."""
    told_of_itself: Callable[[JsonObject], str] | None = None
    """The description of an app's tool that stands in its code, by what its field holds; may be empty. Blocks."""
    routes: DescribedRoutes | None = None
    """None where what may not change says where credentials go (`KindField.free`)."""
    elsewhere: DocumentsElsewhere | None = None
    lookup: Lookup | None = None
    """None where tools name nothing but secrets and private services."""
