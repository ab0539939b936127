"""Where a tool's credentials go: what decides whether a stored secret may stay when the tool is replaced."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.alternatives import asks_for
from openplaybook.tools.openapi.description.document import load_document
from openplaybook.tools.openapi.description.index import Entry, index
from openplaybook.tools.openapi.description.references import UnresolvableReference
from openplaybook.tools.openapi.description.servers import NoServer, base_url
from openplaybook.tools.openapi.description.swagger import Known, is_swagger, upgraded
from openplaybook.tools.openapi.requests.parameters import InvalidParameter
from openplaybook.tools.openapi.schemes import schemes_of
from openplaybook.tools.openapi.settings import ToolSettings, settings_of
from openplaybook.tools.schema.dialect import SchemaTooDeep


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


def destinations(spec: JsonObject, scheme: str = "") -> Destinations:
    """Where an `openApiSpec` (JSON form) sends the credential of a security scheme, or, without one, of the tool.

    Blocks: not for the event loop. Raises `UnreadableDocument`, `InvalidTool`, and `WorkError` when too much waits to
    be read.
    """
    settings = settings_of(spec)
    root = load_document(str(spec.get("textSchema") or ""), settings).root
    shared: Known = {}
    entries = [entry for entry in index(root)[0] if not scheme or asks_for(entry, root, scheme)]
    servers = {_server(entry, root, settings, shared) for entry in entries} - {""}
    definition = schemes_of(root)[scheme].definition if scheme in schemes_of(root) else {}
    said = {name: value for name, value in definition.items() if name != "description"}
    return Destinations(frozenset(servers), said)


def _server(entry: Entry, root: JsonObject, settings: ToolSettings, shared: Known) -> str:
    """Empty for an operation that cannot be called from here."""
    try:
        if is_swagger(root):
            entry = upgraded(root, entry, shared)
        return base_url(settings, entry.operation, entry.path_item, root)
    except (InvalidParameter, NoServer, SchemaTooDeep, UnresolvableReference):
        return ""
