"""Data stores: a `dataStoreSpec` of Dialogflow CX, a `dataStoreTool` of CX Agent Studio. One action, like the tool."""

import re
from collections import Counter

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.resources.call_spellings import SEARCH
from openplaybook.resources.tool_kinds import ConversionNotes, ConvertedTool, KindField, StoredKind, ToolMessage
from openplaybook.tools.action_names import legal_name
from openplaybook.tools.base import Action, InvalidTool, Problem
from openplaybook.tools.tool_kind import ToolKind, ToolParts
from openplaybook.tools.unimplemented.placeholder import QUERY, PlaceholderTool, text_input, tool_with_action

_NOUN = "data store tool"
_TYPES = ("PUBLIC_WEB", "UNSTRUCTURED", "STRUCTURED")

_DATA_STORE = re.compile(r"projects/[^/]+/locations/[^/]+/collections/[^/]+/dataStores/[^/]+")
_ENGINE = re.compile(r"projects/[^/]+/locations/[^/]+/collections/[^/]+/engines/[^/]+")
_MODALITIES = ("TEXT", "AUDIO")
_GROUNDING = (1, 5)

_INPUT: JsonObject = {
    "type": "object",
    "properties": {
        "requestBody": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": QUERY},
                "filter": {"type": "string", "description": "Narrows the search by metadata."},
                "userMetadata": {"type": "object", "description": "What is known about the user."},
                "fallback": {"type": "string", "description": "The answer to give when nothing is found."},
            },
            "required": ["query"],
            "additionalProperties": False,
        }
    },
    "required": ["requestBody"],
    "additionalProperties": False,
}

_TEXT: JsonObject = {"type": "string"}

_OUTPUT: JsonObject = {
    "type": "object",
    "properties": {
        "200": {
            "type": "object",
            "properties": {
                "answer": _TEXT,
                "snippets": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"title": _TEXT, "text": _TEXT, "uri": _TEXT}},
                },
            },
        }
    },
}


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `dataStoreSpec` (v3beta1 `Tool.DataStoreTool`, JSON form); raises `InvalidTool`."""
    problems = _problems(spec)
    if problems:
        raise InvalidTool(problems)
    display_name = str(resource.get("displayName", ""))
    action = Action(
        name=legal_name(display_name),
        action=display_name,
        tool=str(resource.get("name", "")),
        tool_display_name=display_name,
        description=str(resource.get("description", "")),
        input_schema=_INPUT,
        declared_output=lambda: _OUTPUT,
        is_read_only=True,
        safe_to_repeat=True,
    )
    return PlaceholderTool(f"{_NOUN}s", [action])


def _problems(spec: JsonObject) -> list[Problem]:
    path = "$.dataStoreSpec.dataStoreConnections"
    connections = as_list(spec.get("dataStoreConnections"))
    if not connections:
        return [Problem(path, "at least one data store is required")]
    problems: list[Problem] = []
    counts: Counter[str] = Counter()
    for position, connection in enumerate(connections):
        kind = str(as_object(connection).get("dataStoreType", ""))
        counts[kind] += 1
        if kind not in _TYPES:
            problems.append(
                Problem(f"{path}[{position}].dataStoreType", f"must be one of {', '.join(_TYPES)}, got {kind!r}")
            )
        elif counts[kind] > 1:
            problems.append(
                Problem(f"{path}[{position}].dataStoreType", f"a second {kind}; one of each type is allowed")
            )
        if not as_object(connection).get("dataStore"):
            problems.append(Problem(f"{path}[{position}].dataStore", "is required (projects/…/dataStores/NAME)"))
    return problems


def _build_app_tool(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `dataStoreTool` (CES v1beta `DataStoreTool`, JSON form); raises `InvalidTool`."""
    path = "$.dataStoreTool"
    problems = [*_source_problems(spec, path), *_modality_problems(spec, path), *_boost_problems(spec, path)]
    schema = text_input("query", QUERY, **({"filter": "Narrows the search."} if _takes_filter(spec) else {}))
    return tool_with_action(f"{_NOUN}s", resource, schema, problems, is_read_only=True)


def _source_problems(spec: JsonObject, path: str) -> list[Problem]:
    data_store, engine = as_object(spec.get("dataStoreSource")), as_object(spec.get("engineSource"))
    if ("dataStoreSource" in spec) == ("engineSource" in spec):
        return [Problem(path, "exactly one of dataStoreSource and engineSource is required")]
    if "engineSource" not in spec:
        return _name_problems(data_store, f"{path}.dataStoreSource")
    form = "must have the form projects/P/locations/L/collections/C/engines/E"
    wrong = not _ENGINE.fullmatch(str(engine.get("engine") or ""))
    problems = [Problem(f"{path}.engineSource.engine", form)] if wrong else []
    for position, source in enumerate(as_list(engine.get("dataStoreSources"))):
        problems += _name_problems(as_object(source), f"{path}.engineSource.dataStoreSources[{position}]")
    return problems


def _name_problems(source: JsonObject, path: str) -> list[Problem]:
    if _DATA_STORE.fullmatch(str(as_object(source.get("dataStore")).get("name") or "")):
        return []
    form = "must have the form projects/P/locations/L/collections/C/dataStores/D"
    return [Problem(f"{path}.dataStore.name", form)]


def _modality_problems(spec: JsonObject, path: str) -> list[Problem]:
    problems: list[Problem] = []
    least, most = _GROUNDING
    for position, config in enumerate(map(as_object, as_list(spec.get("modalityConfigs")))):
        where = f"{path}.modalityConfigs[{position}]"
        if config.get("modalityType") not in _MODALITIES:
            problems.append(Problem(f"{where}.modalityType", f"must be one of {', '.join(_MODALITIES)}"))
        level = as_object(config.get("groundingConfig")).get("groundingLevel", 0)
        # 0 is how the wire says that there is none.
        if level != 0 and not _lies_between(level, least, most):
            where = f"{where}.groundingConfig.groundingLevel"
            problems.append(Problem(where, f"must be between {least} and {most}, got {level}"))
    return problems


def _boost_problems(spec: JsonObject, path: str) -> list[Problem]:
    problems: list[Problem] = []
    for at, group in enumerate(map(as_object, as_list(spec.get("boostSpecs")))):
        for inner, boost in enumerate(map(as_object, as_list(group.get("spec")))):
            for position, condition in enumerate(map(as_object, as_list(boost.get("conditionBoostSpecs")))):
                where = f"{path}.boostSpecs[{at}].spec[{inner}].conditionBoostSpecs[{position}]"
                if not condition.get("condition"):
                    problems.append(Problem(f"{where}.condition", "is required"))
                if not _lies_between(condition.get("boost", 0), -1, 1):
                    problems.append(Problem(f"{where}.boost", "must be between -1 and 1"))
    return problems


def _takes_filter(spec: JsonObject) -> bool:
    """Whether the model may narrow the search: as the tool says, else where a connector is searched."""
    behaviour = spec.get("filterParameterBehavior")
    if behaviour in ("ALWAYS_INCLUDE", "NEVER_INCLUDE"):
        return behaviour == "ALWAYS_INCLUDE"
    engine = as_object(spec.get("engineSource"))
    sources = [as_object(spec.get("dataStoreSource")), *map(as_object, as_list(engine.get("dataStoreSources")))]
    return any(as_object(source.get("dataStore")).get("type") == "CONNECTOR" for source in sources)


def _lies_between(value: JsonValue, least: float, most: float) -> bool:
    return is_number(value) and least <= value <= most


def _converted(tool: JsonObject, name: str, place: str, notes: ConversionNotes) -> ConvertedTool:
    spec = as_object(tool["dataStoreSpec"])
    connections = [as_object(each) for each in as_list(spec.get("dataStoreConnections"))]
    lost = [key for key in spec if key != "dataStoreConnections" and spec[key]]
    if lost:
        notes.left_out(place, f"settings of the data store tool: {', '.join(lost)}")
    if len(connections) > 1:
        notes.changed(place, f"is {len(connections)} tools now, one for each data store")
    description = str(tool.get("description", ""))
    return ConvertedTool(
        "dataStoreTool", tuple({**_source(each), "description": description} for each in connections or [{}])
    )


def _source(connection: JsonObject) -> JsonObject:
    members = {"name": connection.get("dataStore"), "documentProcessingMode": connection.get("documentProcessingMode")}
    store = {key: value for key, value in members.items() if value}
    return {"dataStoreSource": {"dataStore": store}} if store else {}


KIND = ToolKind(
    StoredKind(
        name="datastore",
        noun=_NOUN,
        fields=(
            KindField("dataStoreSpec", ToolMessage.TOOL, "data store", form=SEARCH, kept="cannot be called here"),
            KindField("dataStoreTool", ToolMessage.APP_TOOL, "data store", kept="searches a data store"),
        ),
        telemetry_type="datastore",
        conversion=_converted,
    ),
    {"dataStoreSpec": build, "dataStoreTool": _build_app_tool},
)
