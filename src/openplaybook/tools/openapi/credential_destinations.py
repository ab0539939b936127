"""Where a tool's credentials go: what decides whether a stored secret may stay when the tool is replaced."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list
from openplaybook.tools.openapi.description.json_references import UnresolvableReference
from openplaybook.tools.openapi.description.operation_index import OperationEntry, index
from openplaybook.tools.openapi.description.servers import NoServer, base_url
from openplaybook.tools.openapi.description.source_text import load_document
from openplaybook.tools.openapi.description.swagger import Known, is_swagger, upgraded
from openplaybook.tools.openapi.requests.request_parameters import InvalidParameter
from openplaybook.tools.openapi.scheme_credentials import schemes_in
from openplaybook.tools.openapi.security_schemes import schemes_of
from openplaybook.tools.openapi.tool_settings import ToolSettings, settings_of
from openplaybook.tools.schema.dialect import SchemaTooDeep
from openplaybook.tools.tool_kind import Destinations


class CredentialUse:
    """Where an `openApiSpec` (JSON form) sends credentials; its description is read once for all of them."""

    def __init__(self, spec: JsonObject) -> None:
        """Blocks: not for the event loop. Raises `UnreadableDocument`, `InvalidTool`, and `WorkError` when too much
        waits to be read."""
        settings = settings_of(spec)
        root = load_document(str(spec.get("textSchema") or ""), settings).root
        self._schemes = schemes_of(root)
        self._usual_schemes = schemes_in(root.get("security"))
        """Those of operations that do not say it themselves."""
        self._servers: set[str] = set()
        self._usual_servers: set[str] = set()
        """Those of operations that do not name schemes themselves."""
        self._by_scheme: dict[str, set[str]] = {}
        shared: Known = {}
        for entry in index(root)[0]:
            if server := _server(entry, root, settings, shared):
                self._add(server, entry.operation.get("security"))

    def destinations(self, scheme: str = "") -> Destinations:
        """Of the credential of a security scheme, or, without one, of the tool."""
        servers = self._by_scheme.get(scheme, set()) if scheme else self._servers
        if scheme in self._usual_schemes:
            servers = servers | self._usual_servers
        definition = self._schemes[scheme].definition if scheme in self._schemes else {}
        members = {name: value for name, value in definition.items() if name != "description"}
        return Destinations(frozenset(servers), members)

    def _add(self, server: str, security: JsonValue) -> None:
        self._servers.add(server)
        if not isinstance(security, list):
            self._usual_servers.add(server)
            return
        for scheme in schemes_in(as_list(security)):
            self._by_scheme.setdefault(scheme, set()).add(server)


def _server(entry: OperationEntry, root: JsonObject, settings: ToolSettings, shared: Known) -> str:
    """Empty for an operation that cannot be called from here."""
    try:
        if is_swagger(root):
            entry = upgraded(root, entry, shared)
        return base_url(settings, entry.operation, entry.path_item, root)
    except (InvalidParameter, NoServer, SchemaTooDeep, UnresolvableReference):
        return ""
