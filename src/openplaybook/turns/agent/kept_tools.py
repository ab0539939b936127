"""Compiled tools, kept across revisions of an agent: editing a playbook does not read a large API again."""

from collections import OrderedDict
from hashlib import sha256
from threading import Lock

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.base import NO_AGENT, AgentScope, Tool, ToolBuilder

_KEPT = 128
KEPT_BYTES = 64 * 1024 * 1024
"""Of the resources whose tools are kept; the latest is kept however large."""


class KeptTools:
    """A `ToolBuilder` that builds equal resources once. May be used from several threads."""

    def __init__(self, builder: ToolBuilder) -> None:
        self._builder = builder
        self._built: OrderedDict[bytes, tuple[Tool, int]] = OrderedDict()
        self._lock = Lock()

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """The tool of a resource. Raises `InvalidTool`, each time anew."""
        # A digest: a description of 50 MB need not be held once more for being recognised.
        text = dumps([resource, scope.client_certificate])
        key, size = sha256(text).digest(), len(text)
        del text
        with self._lock:
            known = self._built.pop(key, None)
        built = known or (self._builder.build(resource, scope), size)
        with self._lock:
            self._built[key] = built
            while len(self._built) > _KEPT or (len(self._built) > 1 and self._size() > KEPT_BYTES):
                self._built.popitem(last=False)
        return built[0]

    def _size(self) -> int:
        return sum(size for _, size in self._built.values())
