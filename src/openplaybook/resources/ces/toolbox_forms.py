"""Tools and toolsets of CX Agent Studio as the toolbox takes them.

What both Google services have is told in Dialogflow's words: an OpenAPI description is an `openApiSpec`, a client's
function a `functionSpec`; the kinds of tools say how. What only CX Agent Studio has stays its own message under its own
key (`pythonFunction`, `mcpToolset`, …). System tools and agents as tools are the engine's: the toolbox never sees them.
"""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.names import APP_TOOLSETS
from openplaybook.resources.tool_kinds import KindField, tool_kinds

_SHARED = ("toolFakeConfig", "timeout")


def toolbox_resource(document: JsonObject) -> JsonObject | None:
    """A `Tool` (v1beta JSON) for the toolbox; None for what the engine does itself. Never raises."""
    kind, field = tool_kinds().of(document), tool_kinds().field(document)
    if kind is not None and kind.is_engines:
        return None
    description = str(as_object(document.get(field.name)).get("description") or "") if field else ""
    return _resource(document, field, display_name_of(document), description)


def toolset_resource(document: JsonObject) -> JsonObject:
    """A `Toolset` (v1beta JSON) for the toolbox. Never raises."""
    called = str(document.get("displayName") or "") or _id(document)
    return _resource(document, tool_kinds().field(document), called, str(document.get("description") or ""))


def toolbox_documents(resources: Mapping[str, JsonObject]) -> dict[str, JsonObject]:
    """Tools and toolsets (v1beta JSON) for the toolbox, both by resource name; without those that the engine runs
    itself. Never raises."""
    translated = {
        name: toolset_resource(each) if APP_TOOLSETS.fits(name) else toolbox_resource(each)
        for name, each in resources.items()
    }
    return {name: each for name, each in translated.items() if each is not None}


def display_name_of(document: JsonObject) -> str:
    """The display name of a `Tool`: that of the function or operation within, else as it is stored, else its id."""
    field = tool_kinds().field(document)
    message = as_object(document.get(field.name)) if field else {}
    derived = field.own_name(message) if field and field.own_name and not message.get("name") else ""
    return str(message.get("name") or "") or derived or str(document.get("displayName") or "") or _id(document)


def ces_path(document: JsonObject, path: str) -> str:
    """Where in a tool or toolset stands what the toolbox names by a path of the translated resource."""
    field = tool_kinds().field(document)
    for ours, theirs in field.toolbox_paths if field else ():
        if path == ours or path.startswith((ours + ".", ours + "[")):
            return "$." + theirs.format(kind=field.name if field else "") + path.removeprefix(ours)
    return path


def _resource(document: JsonObject, field: KindField | None, called: str, description: str) -> JsonObject:
    settings = {key: document[key] for key in _SHARED if key in document}
    shared = {"name": document.get("name", ""), "displayName": called, "description": description, **settings}
    return {**shared, **specification(document, field)} if field else shared


def specification(document: JsonObject, field: KindField) -> JsonObject:
    """What the toolbox is given of a tool or toolset that has this field: one member, which holds its specification."""
    message = as_object(document.get(field.name))
    return field.toolbox_form(message, document) if field.toolbox_form else {field.name: message}


def _id(document: JsonObject) -> str:
    return str(document.get("name") or "").rsplit("/", 1)[-1]
