"""Tools as they are saved: refused with all that is wrong with them, and what is merely odd told in warnings."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from openplaybook.jsonvalues import JsonObject
from openplaybook.services.errors import invalid
from openplaybook.services.parts import ServiceParts
from openplaybook.tools.base import Problem
from openplaybook.wire.context import RpcContext
from openplaybook.workers.lanes import DOCUMENTS

_MAX_PATH = 300
"""Characters of a JSON path that a message shows."""


def _same(path: str) -> str:
    return path


@dataclass(frozen=True, slots=True)
class SentTool:
    """The tool as the client sent it: problems are told in its words."""

    field: str
    """Where the request holds it, such as `tool`."""
    members: Collection[str]
    """JSON names of the message's fields."""
    schema: str
    """The member that holds a document, such as `openApiSpec.textSchema`; other paths are paths in that."""
    path_in: Callable[[str], str] = _same
    """From a path in what the toolbox was given to one in the message."""

    def located(self, problem: Problem) -> tuple[str, str]:
        """Where in the request a problem is, and what it is."""
        path, message = self.path_in(problem.path), problem.message
        short_path = _cut(path)
        where = self.field + short_path.removeprefix("$")
        member = re.split(r"[.\[]", path.removeprefix("$."), maxsplit=1)[0]
        if member != "$" and member not in self.members:
            where, message = f"{self.field}.{self.schema}", f"{short_path}: {message}"
        return (where if problem.line is None else f"{where} (line {problem.line})"), message


async def check_tool(parts: ServiceParts, resource: JsonObject, sent: SentTool, context: RpcContext) -> None:
    """INVALID_ARGUMENT with every error that the tool's kind finds in `resource`; its remarks become warnings."""
    problems = await DOCUMENTS.run(partial(parts.toolbox.check, resource))
    places = [(problem.is_error, *sent.located(problem)) for problem in problems]
    if errors := [(place, message) for is_error, place, message in places if is_error]:
        raise invalid(*errors)
    unmet = [(problem.is_error, *sent.located(problem)) for problem in await parts.toolbox.unmet(resource)]
    if errors := [(place, message) for is_error, place, message in unmet if is_error]:
        raise invalid(*errors)
    # What keeps every call from working goes first: clients see only some warnings.
    for _, place, message in (*unmet, *places):
        context.warn(f"{place}: {message}")


def _cut(path: str) -> str:
    """A JSON path short enough for a sentence: names in it are as long as their author likes."""
    return path if len(path) <= _MAX_PATH else f"{path[:_MAX_PATH]}…"
