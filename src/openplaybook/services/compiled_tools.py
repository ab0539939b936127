"""Stored tools, compiled; found again without reading them as long as nothing in their agent or app has changed."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar
from weakref import ReferenceType, ref

from openplaybook.jsonvalues import JsonObject, is_large
from openplaybook.services.errors import precondition
from openplaybook.storage.base import Store
from openplaybook.tools.base import AgentScope, InvalidTool, Tool, ToolBuilder
from openplaybook.workers.lanes import AT_ONCE, LARGE_AGENTS, TURNS

T = TypeVar("T")

_NOTHING: JsonObject = {}

_MOST_REMEMBERED = 1_000
"""Tools, and as many agents and apps."""


@dataclass(frozen=True, slots=True)
class ReadTool:
    """A tool as it was read."""

    resource: JsonObject
    """As the toolbox takes it."""
    scope: AgentScope


@dataclass(frozen=True, slots=True)
class CompiledTool:
    """A stored tool that can be called."""

    outline: JsonObject
    """Its resource as the toolbox takes it, of which every object is empty: it tells of what kind the tool is."""
    tool: Tool


@dataclass(frozen=True, slots=True)
class _Noted:
    outline: JsonObject
    tool: ReferenceType[Tool]
    """Whether the tool stays is for the toolbox to say."""


class CompiledTools:
    """Compiles stored tools, and remembers of which revision of an agent or an app they are.

    Every write in an agent or app, by whichever server, gives it another revision.
    """

    def __init__(self, store: Store, toolbox: ToolBuilder) -> None:
        self._store = store
        self._toolbox = toolbox
        self._tools = _OfRevision[_Noted]()
        self._secrets = _OfRevision[frozenset[str]]()

    async def tool(self, root: str, name: str, read: Callable[[], Awaitable[ReadTool]]) -> CompiledTool:
        """The tool of that name within an agent or app, which `read` reads.

        What `read` raises, and FAILED_PRECONDITION for one that cannot be used.
        """
        # Before it is read: what is written meanwhile is read again next time.
        revision = await self._store.revision(root)
        noted = self._tools.get(name, revision)
        tool = None if noted is None else noted.tool()
        if noted is not None and tool is not None:
            return CompiledTool(noted.outline, tool)
        stored = await read()
        tool = await self.compiled(stored.resource, stored.scope)
        outline: JsonObject = {
            field: _NOTHING if isinstance(value, dict) else value for field, value in stored.resource.items()
        }
        self._tools.put(name, revision, _Noted(outline, ref(tool)))
        return CompiledTool(outline, tool)

    async def compiled(self, resource: JsonObject, scope: AgentScope) -> Tool:
        """The tool of a resource, as the toolbox takes it. FAILED_PRECONDITION for one that cannot be used."""
        try:
            # A large document takes a while; other requests go on meanwhile.
            lane = LARGE_AGENTS if is_large(resource, AT_ONCE) else TURNS
            return await lane.run(partial(_compiled, self._toolbox, resource, scope))
        except InvalidTool as error:
            raise precondition("INVALID_TOOL", str(error)) from error

    async def secret_parameters(self, root: str, read: Callable[[], Awaitable[Iterable[str]]]) -> frozenset[str]:
        """Names of the session parameters, or variables, that credentials of any tool of an agent or app come from;
        `read` finds them."""
        revision = await self._store.revision(root)
        known = self._secrets.get(root, revision)
        if known is None:
            known = frozenset(await read())
            self._secrets.put(root, revision, known)
        return known


class _OfRevision(Generic[T]):
    """What was found out of one revision each."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[int, T]] = OrderedDict()

    def get(self, key: str, revision: int) -> T | None:
        known = self._known.get(key)
        if known is None or known[0] != revision:
            return None
        self._known.move_to_end(key)
        return known[1]

    def put(self, key: str, revision: int, value: T) -> None:
        self._known[key] = revision, value
        self._known.move_to_end(key)
        while len(self._known) > _MOST_REMEMBERED:
            self._known.popitem(last=False)


def _compiled(toolbox: ToolBuilder, resource: JsonObject, scope: AgentScope) -> Tool:
    tool = toolbox.build(resource, scope)
    # Here, since a large description takes a while for this too.
    tool.actions()
    return tool
