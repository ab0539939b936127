"""Tools and toolsets of CX Agent Studio as the toolbox takes them.

What both Google services have is told in Dialogflow's words: an OpenAPI description is an `openApiSpec`, a client's
function a `functionSpec`. What only CX Agent Studio has stays its own message under its own key (`pythonFunction`,
`mcpToolset`, …). System tools and agents as tools are the engine's: the toolbox never sees them.
"""

import re
from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.ces.authentication import v3beta1_authentication
from openplaybook.resources.ces.names import TOOLSETS
from openplaybook.resources.ces.schemas import json_schema

SYSTEM, AGENT = "systemTool", "agentTool"
OPENAPI_TOOL, OPENAPI_TOOLSET = "openApiTool", "openApiToolset"

TOOL_KINDS = (
    "clientFunction",
    OPENAPI_TOOL,
    "googleSearchTool",
    "connectorTool",
    "dataStoreTool",
    "pythonFunction",
    "mcpTool",
    "fileSearchTool",
    SYSTEM,
    AGENT,
    "widgetTool",
    "remoteAgentTool",
)
"""Fields of `Tool.tool_type`, exactly one of which a tool has."""

TOOLSET_KINDS = ("mcpToolset", OPENAPI_TOOLSET, "connectorToolset")
"""Fields of `Toolset.toolset_type`."""

_SHARED = ("toolFakeConfig", "timeout")
_CONNECTION = ("tlsConfig", "serviceDirectoryConfig")
_OPERATION_ID = re.compile(r"""\boperationId["']?\s*:\s*(["']?)([^"',}\r\n#]+)""")
_FIRST_FUNCTION = re.compile(r"^(async\s+)?def\s+(\w+)", re.MULTILINE)
_PLACEHOLDER = "$env_var"
"""Stands for the server's URL in descriptions that are exported with their environment apart."""


def toolbox_resource(document: JsonObject) -> JsonObject | None:
    """A `Tool` (v1beta JSON) for the toolbox; None for what the engine does itself. Never raises."""
    kind = kind_of(document, TOOL_KINDS)
    if kind in (SYSTEM, AGENT):
        return None
    message = as_object(document.get(kind))
    called = display_name_of(document)
    shared = _shared(document, called, str(message.get("description") or ""))
    if kind == "clientFunction":
        return {**shared, "functionSpec": _function(message)}
    if kind == OPENAPI_TOOL:
        chosen = _one_operation(str(message.get("name") or ""), str(message.get("openApiSchema") or ""))
        return {**shared, "openApiSpec": _openapi(message, document, {"operationSelection": chosen})}
    return {**shared, kind: message} if kind else shared


def toolset_resource(document: JsonObject) -> JsonObject:
    """A `Toolset` (v1beta JSON) for the toolbox. Never raises."""
    kind = kind_of(document, TOOLSET_KINDS)
    message = as_object(document.get(kind))
    called = str(document.get("displayName") or "") or _id(document)
    shared = _shared(document, called, str(document.get("description") or ""))
    if kind == OPENAPI_TOOLSET:
        return {**shared, "openApiSpec": _openapi(message, document, {})}
    return {**shared, kind: message} if kind else shared


def toolbox_documents(resources: Mapping[str, JsonObject]) -> dict[str, JsonObject]:
    """Tools and toolsets (v1beta JSON) for the toolbox, both by resource name; without those that the engine runs
    itself. Never raises."""
    translated = {
        name: toolset_resource(each) if TOOLSETS.fits(name) else toolbox_resource(each)
        for name, each in resources.items()
    }
    return {name: each for name, each in translated.items() if each is not None}


def kind_of(document: JsonObject, kinds: tuple[str, ...]) -> str:
    """The field that says of what kind a tool or a toolset is; empty where none is set."""
    return next((kind for kind in kinds if kind in document), "")


def display_name_of(document: JsonObject) -> str:
    """The display name of a `Tool`: that of the function or operation within, else as it is stored, else its id."""
    message = as_object(document.get(kind_of(document, TOOL_KINDS)))
    return (
        str(message.get("name") or "")
        or _derived_name(message)
        or str(document.get("displayName") or "")
        or _id(document)
    )


def ces_path(document: JsonObject, path: str) -> str:
    """Where in a tool or toolset stands what the toolbox names by a path of the translated resource."""
    kind = kind_of(document, (*TOOL_KINDS, *TOOLSET_KINDS))
    for ours, theirs in _PATHS:
        if path == ours or path.startswith((ours + ".", ours + "[")):
            return "$." + theirs.format(kind=kind) + path.removeprefix(ours)
    return path


_PATHS = (
    ("$.openApiSpec.textSchema", "{kind}.openApiSchema"),
    ("$.openApiSpec.authentication", "{kind}.apiAuthentication"),
    ("$.openApiSpec.settings.serverUrl", "{kind}.url"),
    ("$.openApiSpec.settings.totalTimeout", "timeout"),
    ("$.openApiSpec.settings.operationSelection.operationIds", "{kind}.name"),
    ("$.openApiSpec", "{kind}"),
    ("$.functionSpec.inputSchema", "{kind}.parameters"),
    ("$.functionSpec.outputSchema", "{kind}.response"),
)


def _shared(document: JsonObject, called: str, description: str) -> JsonObject:
    told = {key: document[key] for key in _SHARED if key in document}
    return {"name": document.get("name", ""), "displayName": called, "description": description, **told}


def _function(message: JsonObject) -> JsonObject:
    fields = {"inputSchema": "parameters", "outputSchema": "response"}
    given = {ours: as_object(message[theirs]) for ours, theirs in fields.items() if theirs in message}
    return {field: _object(json_schema(schema)) for field, schema in given.items()}


def _object(schema: JsonObject) -> JsonObject:
    """A function takes and gives named values, whether its schema says so or not."""
    return schema if schema.keys() & {"type", "$ref", "anyOf"} else {**schema, "type": "object"}


def _openapi(message: JsonObject, document: JsonObject, settings: JsonObject) -> JsonObject:
    """An `openApiSpec`. The URL takes the placeholder's place, or that of the description's servers."""
    text, url = str(message.get("openApiSchema") or ""), str(message.get("url") or "")
    if url and _PLACEHOLDER not in text:
        settings = {**settings, "serverUrl": url}
    if document.get("timeout"):
        settings = {**settings, "totalTimeout": document["timeout"]}
    spec: JsonObject = {"textSchema": text.replace(_PLACEHOLDER, url) if url else text}
    authentication = v3beta1_authentication(as_object(message.get("apiAuthentication")))
    spec |= {"authentication": authentication} if authentication else {}
    spec |= {key: message[key] for key in (*_CONNECTION, "ignoreUnknownFields") if key in message}
    return {**spec, "settings": settings} if settings else spec


def _one_operation(name: str, text: str) -> JsonObject:
    """Which operation a tool is: the one that it is named like, else the description's first."""
    ids = dict.fromkeys(match[2].strip() for match in _OPERATION_ID.finditer(text))
    fitting = [each for each in ids if name in (each, _legal(each))]
    chosen: Mapping[str, object] = {"operationIds": fitting[:1]} if name and fitting else {}
    return {**chosen, "maxOperations": 1}


def _derived_name(message: JsonObject) -> str:
    """The name of a tool that is given none: its first operation's id, or that of the first function of its code."""
    sources = (("openApiSchema", _OPERATION_ID), ("pythonCode", _FIRST_FUNCTION))
    found = (pattern.search(str(message.get(field) or "")) for field, pattern in sources)
    return next((match[2].strip() for match in found if match), "")


def _legal(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_")


def _id(document: JsonObject) -> str:
    return str(document.get("name") or "").rsplit("/", 1)[-1]
