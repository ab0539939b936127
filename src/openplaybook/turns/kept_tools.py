"""Compiled tools, kept across revisions of an agent: editing a playbook does not read a large API again."""

from collections import OrderedDict
from hashlib import sha256

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.base import NO_AGENT, AgentScope, Tool, ToolBuilder

_KEPT = 128


class KeptTools:
    """A `ToolBuilder` that builds equal resources once. May be used from several threads."""

    def __init__(self, builder: ToolBuilder) -> None:
        self._builder = builder
        self._built: OrderedDict[bytes, Tool] = OrderedDict()

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """The tool of a resource. Raises `InvalidTool`, each time anew."""
        # A digest: a description of 50 MB need not be held once more for being recognised.
        key = sha256(dumps([resource, scope.client_certificate])).digest()
        tool = self._built.pop(key, None) or self._builder.build(resource, scope)
        self._built[key] = tool
        if len(self._built) > _KEPT:
            self._built.popitem(last=False)
        return tool
