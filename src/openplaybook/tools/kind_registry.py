"""All kinds of tools, a line each. A process registers them once, when it starts."""

from collections.abc import Iterable, Mapping

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources import tool_kinds
from openplaybook.resources.ces.system_tools import AGENT_KIND, SYSTEM_KIND
from openplaybook.tools.code_interpreter import kind as code_interpreter
from openplaybook.tools.connector import kind as connector
from openplaybook.tools.data_store import kind as data_store
from openplaybook.tools.function import kind as function
from openplaybook.tools.openapi import kind as openapi
from openplaybook.tools.python_function import kind as python_function
from openplaybook.tools.tool_kind import Builder, ToolKind
from openplaybook.tools.unimplemented import delegates, mcp

KINDS: tuple[ToolKind, ...] = (
    openapi.KIND,
    function.KIND,
    python_function.KIND,
    data_store.DATA_STORE,
    data_store.FILE_SEARCH,
    delegates.GOOGLE_SEARCH,
    connector.KIND,
    mcp.KIND,
    delegates.WIDGET,
    delegates.REMOTE_AGENT,
    delegates.EXTENSION,
    code_interpreter.KIND,
)

_BY_NAME: dict[str, ToolKind] = {}


def register(kinds: Iterable[ToolKind] = KINDS) -> None:
    """Make these the kinds of this process, beside those that the engine does itself, and no others.

    Raises `ValueError` where two of them cannot be told apart.
    """
    listed = tuple(kinds)
    by_name = {kind.stored.name: kind for kind in listed}
    # First how they work: whoever sees a stored kind, in whatever thread, finds that too.
    _BY_NAME.update(by_name)
    tool_kinds.register([*(kind.stored for kind in listed), SYSTEM_KIND, AGENT_KIND])
    for name in _BY_NAME.keys() - by_name.keys():
        del _BY_NAME[name]


def kind_of(tool: JsonObject) -> ToolKind | None:
    """How the kind of a tool works; None where it has none, or the engine does it itself."""
    stored = tool_kinds.tool_kinds().of(tool)
    return None if stored is None else _BY_NAME.get(stored.name)


def builders() -> Mapping[str, tuple[ToolKind, Builder]]:
    """What builds tools, by the member of the toolbox's form that holds the specification, or by the id.

    Raises `NoToolKinds` where nobody has registered any.
    """
    tool_kinds.tool_kinds()
    return {name: (kind, builder) for kind in _BY_NAME.values() for name, builder in kind.builders.items()}
