"""Tools that hand the word to somebody else: extensions, widgets of a client, agents elsewhere, a search of the web."""

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.ces.schemas import json_schema
from openplaybook.resources.tool_kinds import KindField, StoredKind, TextPlace, ToolMessage
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.tool_kind import ToolKind, ToolParts
from openplaybook.tools.unimplemented.placeholder import QUERY, PlaceholderTool, is_https, text_input, tool_with_action

_CARD = "$.remoteAgentTool.agentCard"
_CARD_FIELDS = ("name", "description", "version")
_MOST_URLS = {"contextUrls": 20, "preferredDomains": 20, "excludeDomains": 2000}


def build_extension(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for an `extensionSpec` (v3beta1 `Tool.ExtensionTool`, JSON form); raises `InvalidTool`."""
    if not spec.get("name"):
        raise InvalidTool([Problem("$.extensionSpec.name", "is required (projects/P/locations/L/extensions/E)")])
    # The extension lives elsewhere, so its actions are not known here.
    return PlaceholderTool("extension tools", ())


def _build_widget(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `widgetTool` (CES v1beta `WidgetTool`, JSON form); raises `InvalidTool`."""
    problems = [] if spec.get("name") else [Problem("$.widgetTool.name", "is required")]
    schema: JsonObject = {"type": "object", **json_schema(as_object(spec.get("parameters")))}
    if schema["type"] != "object":
        problems.append(Problem("$.widgetTool.parameters.type", f"must be OBJECT, got {schema['type']}"))
    return tool_with_action("widget tools", resource, schema, problems)


def _build_remote_agent(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `remoteAgentTool` (CES v1beta `RemoteAgentTool`, JSON form); raises `InvalidTool`."""
    card = as_object(spec.get("agentCard"))
    problems = [Problem(f"{_CARD}.{field}", "is required") for field in _CARD_FIELDS if not card.get(field)]
    interfaces = as_list(card.get("supportedInterfaces"))
    if not interfaces:
        problems.append(Problem(f"{_CARD}.supportedInterfaces", "at least one is required"))
    for position, interface in enumerate(map(as_object, interfaces)):
        where = f"{_CARD}.supportedInterfaces[{position}]"
        if not is_https(interface.get("url")):
            problems.append(Problem(f"{where}.url", "must be an https URL"))
        if not interface.get("protocolBinding"):
            problems.append(Problem(f"{where}.protocolBinding", "is required: JSONRPC, GRPC, HTTP+JSON or another"))
    return tool_with_action(
        "remote agent tools", resource, text_input("request", "What to ask of the agent."), problems
    )


def _build_google_search(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `googleSearchTool` (CES v1beta `GoogleSearchTool`, JSON form); raises `InvalidTool`."""
    problems = [
        Problem(f"$.googleSearchTool.{field}", f"has {count:,} entries; allowed are {most:,}")
        for field, most in _MOST_URLS.items()
        if (count := len(as_list(spec.get(field)))) > most
    ]
    return tool_with_action("Google Search tools", resource, text_input("query", QUERY), problems, is_read_only=True)


GOOGLE_SEARCH = ToolKind(
    StoredKind(
        name="googlesearch",
        noun="Google Search tool",
        fields=(KindField("googleSearchTool", ToolMessage.APP_TOOL, "Google search", kept="searches the web"),),
    ),
    {"googleSearchTool": _build_google_search},
)

EXTENSION = ToolKind(
    StoredKind(
        name="extension",
        noun="extension tool",
        fields=(KindField("extensionSpec", ToolMessage.TOOL, "extension", kept="cannot be called here"),),
    ),
    {"extensionSpec": build_extension},
)

WIDGET = ToolKind(
    StoredKind(
        name="widget",
        noun="widget tool",
        fields=(
            KindField(
                "widgetTool",
                ToolMessage.APP_TOOL,
                "widget",
                texts=(TextPlace(("dataMapping", "pythonFunction", "pythonCode"), r"\.py"),),
                references=((("dataMapping", "sourceToolName"), "tools"),),
                kept="shows a widget",
            ),
        ),
    ),
    {"widgetTool": _build_widget},
)

REMOTE_AGENT = ToolKind(
    StoredKind(
        name="remoteagent",
        noun="remote agent tool",
        fields=(KindField("remoteAgentTool", ToolMessage.APP_TOOL, "remote agent", kept="asks a remote agent"),),
    ),
    {"remoteAgentTool": _build_remote_agent},
)
