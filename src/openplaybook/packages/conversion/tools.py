"""Tools of Dialogflow CX as tools and toolsets of CX Agent Studio."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.conversion.authentication import ces_authentication
from openplaybook.packages.conversion.naming import APP, Names, function_name
from openplaybook.packages.conversion.session_context import with_session_context
from openplaybook.packages.report import Notes
from openplaybook.resources.builtin_tools import BUILTIN_DISPLAY_NAMES, BUILTIN_IDS
from openplaybook.resources.ces.schemas import ces_schema, json_schema

_CONNECTION = ("tlsConfig", "serviceDirectoryConfig", "ignoreUnknownFields")
_OPEN_API = ("textSchema", "authentication", "settings")
"""What else of an `openApiSpec` is carried over."""


@dataclass(frozen=True, slots=True)
class ToolTarget:
    """What a tool has become."""

    names: tuple[str, ...]
    """Resource names: one, or one of each tool that it was split into."""
    called: tuple[str, ...]
    """What instructions call it, in the form of `{@TOOL: …}`: the tools, or the operations of a toolset."""
    toolset: bool = False


@dataclass(slots=True)
class ConvertedTools:
    """All tools of an agent, converted."""

    tools: list[JsonObject] = field(default_factory=list[JsonObject])
    toolsets: list[JsonObject] = field(default_factory=list[JsonObject])
    targets: dict[str, ToolTarget] = field(default_factory=dict[str, ToolTarget])
    """By the resource name that the tool had; those that were not carried over are not in it."""
    titles: dict[str, str] = field(default_factory=dict[str, str])
    """Resource names by what instructions call them: display names and, in older agents, ids."""
    variables: list[str] = field(default_factory=list[str])
    """Session parameters that calls take values from."""


def convert_tools(tools: Iterable[JsonObject], notes: Notes) -> ConvertedTools:
    """Convert every tool; what changes its meaning, or is not carried over, is noted."""
    converting = _Converting(notes)
    for tool in tools:
        converting.convert(tool)
    return converting.done


def is_builtin(reference: str) -> bool:
    """Whether a reference means a tool that every agent of Dialogflow CX has."""
    return reference.rsplit("/", 1)[-1] in BUILTIN_IDS or reference in BUILTIN_DISPLAY_NAMES


class _Converting:
    def __init__(self, notes: Notes) -> None:
        self.done = ConvertedTools()
        self._notes = notes
        self._names = Names()

    def convert(self, tool: JsonObject) -> None:
        """Convert one tool of any kind."""
        display_name, place = str(tool.get("displayName", "")), f"tools/{tool.get('displayName', '')}"
        self.done.titles.setdefault(display_name.strip(), tool["name"])
        self.done.titles.setdefault(str(tool["name"]).rsplit("/", 1)[-1], tool["name"])
        kinds = ("openApiSpec", "functionSpec", "dataStoreSpec", "connectorSpec")
        kind = next((kind for kind in kinds if kind in tool), "")
        name = self._names.take(function_name(display_name))
        if name != display_name:
            self._notes.changed(place, f"is called {name} now, as tools of CX Agent Studio have names of functions")
        if kind == "openApiSpec":
            target = self._open_api(tool, name, place)
        elif kind == "functionSpec":
            target = self._function(tool, name, place)
        elif kind == "dataStoreSpec":
            target = self._data_stores(tool, name, place)
        elif kind == "connectorSpec":
            target = self._connector(tool, name, place)
        else:
            self._notes.left_out(place, "is of a kind that CX Agent Studio does not have")
            return
        self.done.targets[tool["name"]] = target

    def _open_api(self, tool: JsonObject, name: str, place: str) -> ToolTarget:
        spec = as_object(tool["openApiSpec"])
        description = with_session_context(str(spec.get("textSchema", "")))
        if description.error:
            self._notes.problem(place, f"its OpenAPI description cannot be read: {description.error}")
        if description.is_rewritten:
            self._notes.changed(place, "its description is rewritten, with x-ces-session-context and without comments")
        authentication = ces_authentication(as_object(spec.get("authentication")), name, place, self._notes)
        self.done.variables += [*description.variables, *authentication.variables]
        message: JsonObject = {"openApiSchema": description.text}
        if authentication.authentication:
            message["apiAuthentication"] = authentication.authentication
        message |= {key: spec[key] for key in _CONNECTION if key in spec}
        lost = [key for key in spec if key not in (*_CONNECTION, *_OPEN_API) and spec[key]]
        settings = as_object(spec.get("settings"))
        lost += [f"settings.{key}" for key in settings if key not in ("serverUrl", "totalTimeout")]
        if lost:
            self._notes.left_out(place, f"what CX Agent Studio does not have: {', '.join(lost)}")
        if settings.get("serverUrl"):
            message["url"] = settings["serverUrl"]
        timeout = {"timeout": settings["totalTimeout"]} if settings.get("totalTimeout") else {}
        told = {"description": tool["description"]} if tool.get("description") else {}
        if len(description.operations) == 1:
            return self._tool(name, {"openApiTool": {"name": name, **told, **message}}, timeout)
        toolset = f"{APP}/toolsets/{name}"
        made: JsonObject = {"name": toolset, "displayName": name, **told, "openApiToolset": message, **timeout}
        self.done.toolsets.append(made)
        called = tuple(f"{name}_{operation}" for operation in description.operations)
        return ToolTarget((toolset,), called, toolset=True)

    def _function(self, tool: JsonObject, name: str, place: str) -> ToolTarget:
        spec = as_object(tool["functionSpec"])
        function: JsonObject = {"name": name}
        if tool.get("description"):
            function["description"] = tool["description"]
        for key, field_name in (("inputSchema", "parameters"), ("outputSchema", "response")):
            if spec.get(key):
                function[field_name] = self._schema(as_object(spec[key]), f"{place} {key}")
        return self._tool(name, {"clientFunction": function})

    def _schema(self, schema: JsonObject, place: str) -> JsonObject:
        converted = ces_schema(schema)
        lost = sorted(_keywords(schema) - _keywords(json_schema(converted)) - {"$schema", "const", "nullable"})
        if lost:
            self._notes.changed(
                place, f"CX Agent Studio has no {', '.join(lost)} in schemas: any value is allowed there"
            )
        return converted

    def _data_stores(self, tool: JsonObject, name: str, place: str) -> ToolTarget:
        spec = as_object(tool["dataStoreSpec"])
        connections = [as_object(each) for each in as_list(spec.get("dataStoreConnections"))]
        lost = [key for key in spec if key != "dataStoreConnections" and spec[key]]
        if lost:
            self._notes.left_out(place, f"settings of the data store tool: {', '.join(lost)}")
        if len(connections) > 1:
            self._notes.changed(place, f"is {len(connections)} tools now, one for each data store")
        made = [
            self._tool(
                name if number == 0 else self._names.take(name),
                {"dataStoreTool": {**_store(each), "description": str(tool.get("description", ""))}},
            )
            for number, each in enumerate(connections or [{}])
        ]
        return ToolTarget(tuple(each.names[0] for each in made), tuple(each.called[0] for each in made))

    def _connector(self, tool: JsonObject, name: str, place: str) -> ToolTarget:
        spec = as_object(tool["connectorSpec"])
        actions = [as_object(each) for each in as_list(spec.get("actions"))]
        if spec.get("endUserAuthConfig"):
            self._notes.left_out(place, "the end user's authentication of the connector")
        if len(actions) > 1:
            self._notes.changed(place, f"is {len(actions)} tools now, one for each action of the connector")
        made = [
            self._tool(
                name if number == 0 else self._names.take(name),
                {"connectorTool": {"connection": str(spec.get("name", "")), "action": action}},
            )
            for number, action in enumerate(actions or [{}])
        ]
        return ToolTarget(tuple(each.names[0] for each in made), tuple(each.called[0] for each in made))

    def _tool(self, name: str, kind: JsonObject, more: JsonObject | None = None) -> ToolTarget:
        key, message = next(iter(kind.items()))
        resource = f"{APP}/tools/{name}"
        made: JsonObject = {"name": resource, "displayName": name, key: {"name": name, **as_object(message)}}
        self.done.tools.append({**made, **(more or {})})
        return ToolTarget((resource,), (name,))


def _store(connection: JsonObject) -> JsonObject:
    kept = {"name": connection.get("dataStore"), "documentProcessingMode": connection.get("documentProcessingMode")}
    store = {key: value for key, value in kept.items() if value}
    return {"dataStoreSource": {"dataStore": store}} if store else {}


def _keywords(schema: JsonObject) -> set[str]:
    """The keywords that a JSON Schema uses anywhere, names of properties not among them."""
    found: set[str] = set()
    for key, value in schema.items():
        found.add(key)
        if key in ("properties", "$defs", "definitions", "patternProperties"):
            inner = [as_object(each) for each in as_object(value).values()]
        elif key in ("default", "enum", "const", "example", "examples", "required"):
            inner = []
        else:
            inner = [as_object(each) for each in (as_list(value) if isinstance(value, list) else [value])]
        for each in inner:
            found |= _keywords(each)
    return found
