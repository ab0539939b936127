"""OpenAPI tools and toolsets of CX Agent Studio: as the toolbox takes them, and what tools of Dialogflow CX become."""

import re
from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.tool_kinds import ConversionNotes, ConvertedTool
from openplaybook.tools.openapi.app_authentication import ces_authentication, v3beta1_authentication
from openplaybook.tools.openapi.session_context import with_session_context

_CONNECTION = ("tlsConfig", "serviceDirectoryConfig", "ignoreUnknownFields")
"""Members that both have."""
_CONVERTED = ("textSchema", "authentication", "settings", *_CONNECTION)
_CONVERTED_SETTINGS = ("serverUrl", "totalTimeout")
_OPERATION_ID = re.compile(r"""\boperationId["']?\s*:\s*["']?([^"',}\r\n#]+)""")
_PLACEHOLDER = "$env_var"
"""Stands for the server's URL in descriptions that are exported with their environment apart."""


def form_of_tool(message: JsonObject, document: JsonObject) -> JsonObject:
    """An `openApiTool` as the toolbox takes it: one operation."""
    chosen = _one_operation(str(message.get("name") or ""), str(message.get("openApiSchema") or ""))
    return {"openApiSpec": _spec(message, document, {"operationSelection": chosen})}


def form_of_toolset(message: JsonObject, document: JsonObject) -> JsonObject:
    """An `openApiToolset` as the toolbox takes it."""
    return {"openApiSpec": _spec(message, document, {})}


def first_operation(message: JsonObject) -> str:
    """The id of the description's first operation; empty where none can be seen."""
    match = _OPERATION_ID.search(str(message.get("openApiSchema") or ""))
    return match[1].strip() if match else ""


def offers(spec: JsonObject, action: str) -> bool:
    """Whether the description of an `openApiSpec` seems to have an operation of that id."""
    text = str(spec.get("textSchema", ""))
    return bool(re.search(rf"operationId[\"']?\s*:\s*[\"']?{re.escape(action)}(?![\w.-])", text))


def converted(tool: JsonObject, name: str, place: str, notes: ConversionNotes) -> ConvertedTool:
    """A tool of Dialogflow CX in an app: a tool where it has one operation, else a toolset."""
    spec = as_object(tool["openApiSpec"])
    description = with_session_context(str(spec.get("textSchema", "")))
    if description.error:
        notes.problem(place, f"its OpenAPI description cannot be read: {description.error}")
    if description.is_rewritten:
        notes.changed(place, "its description is rewritten, with x-ces-session-context and without comments")
    authentication = ces_authentication(as_object(spec.get("authentication")), name, place, notes)
    message: JsonObject = {"openApiSchema": description.text}
    if authentication.authentication:
        message["apiAuthentication"] = authentication.authentication
    message |= {key: spec[key] for key in _CONNECTION if key in spec}
    settings = as_object(spec.get("settings"))
    lost = [key for key in spec if key not in _CONVERTED and spec[key]]
    lost += [f"settings.{key}" for key in settings if key not in _CONVERTED_SETTINGS]
    if lost:
        notes.left_out(place, f"what CX Agent Studio does not have: {', '.join(lost)}")
    if settings.get("serverUrl"):
        message["url"] = settings["serverUrl"]
    timeout: JsonObject = {"timeout": settings["totalTimeout"]} if settings.get("totalTimeout") else {}
    described: JsonObject = {"description": tool["description"]} if tool.get("description") else {}
    variables = (*description.variables, *authentication.variables)
    if len(description.operations) == 1:
        return ConvertedTool("openApiTool", ({**described, **message},), timeout, variables=variables)
    return ConvertedTool("openApiToolset", (message,), {**described, **timeout}, description.operations, variables)


def _spec(message: JsonObject, document: JsonObject, settings: JsonObject) -> JsonObject:
    """An `openApiSpec`. The URL takes the placeholder's place, or that of the description's servers."""
    text, url = str(message.get("openApiSchema") or ""), str(message.get("url") or "")
    if url and _PLACEHOLDER not in text:
        settings = {**settings, "serverUrl": url}
    if document.get("timeout"):
        settings = {**settings, "totalTimeout": document["timeout"]}
    spec: JsonObject = {"textSchema": text.replace(_PLACEHOLDER, url) if url else text}
    authentication = v3beta1_authentication(as_object(message.get("apiAuthentication")))
    spec |= {"authentication": authentication} if authentication else {}
    spec |= {key: message[key] for key in _CONNECTION if key in message}
    return {**spec, "settings": settings} if settings else spec


def _one_operation(name: str, text: str) -> JsonObject:
    """Which operation a tool is: the one that it is named like, else the description's first."""
    ids = dict.fromkeys(match[1].strip() for match in _OPERATION_ID.finditer(text))
    fitting = [each for each in ids if name in (each, _legal(each))]
    chosen: Mapping[str, object] = {"operationIds": fitting[:1]} if name and fitting else {}
    return {**chosen, "maxOperations": 1}


def _legal(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_")
