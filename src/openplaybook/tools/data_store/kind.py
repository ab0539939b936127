"""Data stores and files: a `dataStoreSpec` of Dialogflow CX; a `dataStoreTool`, a `fileSearchTool` of CX Agent Studio.

Each is one action, named like the tool, that answers from what it finds in stores.
"""

from collections.abc import Callable, Sequence
from functools import partial

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.call_spellings import AS_GIVEN, SEARCH
from openplaybook.resources.tool_kinds import ConversionNotes, ConvertedTool, KindField, StoredKind, ToolMessage
from openplaybook.retrieval.base import store_name
from openplaybook.tools.action_names import legal_name
from openplaybook.tools.base import Action, InvalidTool, Problem, Tool
from openplaybook.tools.data_store.app_specs import read_app_tool, read_file_search
from openplaybook.tools.data_store.data_store_tool import DataStoreTool
from openplaybook.tools.data_store.dialogflow_spec import ReadSpec, read_data_store_spec
from openplaybook.tools.data_store.tool_output import ANSWER, INPUT, OUTPUT, app_input, question_arguments
from openplaybook.tools.data_store.tool_settings import LEVELS, is_off, model_name
from openplaybook.tools.tool_kind import ToolKind, ToolParts

_READERS: dict[str, Callable[[JsonObject], ReadSpec]] = {
    "dataStoreSpec": read_data_store_spec,
    "dataStoreTool": read_app_tool,
    "fileSearchTool": read_file_search,
}
_CARRIED = ("dataStoreConnections", "models", "groundingSettings")
"""Settings that an app has too."""
_NOUNS = {"dataStoreSpec": "data store tool", "dataStoreTool": "data store tool", "fileSearchTool": "file search tool"}


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> DataStoreTool:
    """The tool for any of the three specifications (JSON form). Raises `InvalidTool`."""
    field = _field_of(resource)
    read = _READERS[field](spec)
    errors = [each for each in read.problems if each.is_error]
    if errors:
        raise InvalidTool(errors)
    display_name, is_app = str(resource.get("displayName", "")), field != "dataStoreSpec"
    output = ANSWER if is_app else OUTPUT
    action = Action(
        name=legal_name(display_name),
        action=display_name,
        tool=str(resource.get("name", "")),
        tool_display_name=display_name,
        description=str(resource.get("description", "")),
        input_schema=app_input(takes_filter=read.settings.takes_filter) if is_app else INPUT,
        declared_output=lambda: output,
        as_question=partial(question_arguments, is_wrapped=not is_app),
        is_read_only=True,
        safe_to_repeat=True,
    )
    return DataStoreTool(action, read.settings, parts.search, f"{_NOUNS[field]}s", is_app=is_app)


def _field_of(resource: JsonObject) -> str:
    """The member that holds the specification; Dialogflow's where a caller gives it without."""
    return next((field for field in _READERS if field in resource), "dataStoreSpec")


def _check(
    resource: JsonObject, spec: JsonObject, parts: Callable[[], ToolParts], built: Callable[[], Tool]
) -> Sequence[Problem]:
    """Errors, and what is odd about a tool that can be kept all the same."""
    built()
    read = _READERS[_field_of(resource)](spec)
    return [*(each for each in read.problems if not each.is_error), *read.breaches]


async def _unknown_stores(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> Sequence[Problem]:
    """Stores that a tool names and this server does not have."""
    if parts.search is None:
        return ()
    field = _field_of(resource)
    names = dict.fromkeys(each.name for each in _READERS[field](spec).settings.stores if each.name)
    unknown = [name for name in names if await parts.search.directory.facts(name) is None]
    effect = "calls fail" if len(unknown) == len(names) else "calls ask the others alone"
    return [
        Problem(f"$.{field}", f"there is no data store {name} here: {effect} until there is", is_error=False)
        for name in unknown
    ]


def _converted(tool: JsonObject, name: str, place: str, notes: ConversionNotes) -> ConvertedTool:
    """What a tool with a `dataStoreSpec` becomes in an app."""
    spec = as_object(tool["dataStoreSpec"])
    connections = [as_object(each) for each in as_list(spec.get("dataStoreConnections"))]
    lost = [key for key in spec if key not in _CARRIED and spec[key]]
    grounding = as_object(spec.get("groundingSettings"))
    lost += [f"groundingSettings.{key}" for key in ("heuristicsDisabled", "judgeModel") if grounding.get(key)]
    if lost:
        notes.left_out(place, f"settings of the data store tool: {', '.join(lost)}")
    if len(connections) > 1:
        notes.changed(place, f"is {len(connections)} tools now, one for each data store")
    shared: JsonObject = {"description": str(tool.get("description", "")), **_modality(spec)}
    return ConvertedTool("dataStoreTool", tuple({**_source(each), **shared} for each in connections or [{}]))


def _source(connection: JsonObject) -> JsonObject:
    written = connection.get("dataStore")
    name = (store_name(written) or written) if isinstance(written, str) else None
    members = {"name": name, "documentProcessingMode": connection.get("documentProcessingMode")}
    store = {key: value for key, value in members.items() if value}
    return {"dataStoreSource": {"dataStore": store}} if store else {}


def _modality(spec: JsonObject) -> JsonObject:
    """The settings of models and grounding, for text; nothing where there are none."""
    models = as_object(spec.get("models"))
    members: JsonObject = {
        "rewriterConfig": _model_config(as_object(models.get("rewriterModel"))),
        "summarizationConfig": _model_config(as_object(models.get("summarizationModel"))),
        "groundingConfig": _grounding_config(as_object(spec.get("groundingSettings"))),
    }
    config = {key: value for key, value in members.items() if value}
    return {"modalityConfigs": [{"modalityType": "TEXT", **config}]} if config else {}


def _model_config(member: JsonObject) -> JsonObject:
    written = str(member.get("model") or "")
    name, off = model_name(written), is_off(written)
    config: JsonObject = {"modelSettings": {"model": name}} if name and not off else {}
    prompt = member.get("promptText")
    return {**config, **({"prompt": prompt} if prompt else {}), **({"disabled": True} if off else {})}


def _grounding_config(settings: JsonObject) -> JsonObject:
    level = str(settings.get("groundingConfidence") or "")
    config: JsonObject = {"groundingLevel": LEVELS.index(level) + 1} if level in LEVELS else {}
    return {**config, **({"disabled": True} if settings.get("disabled") else {})}


DATA_STORE = ToolKind(
    StoredKind(
        name="datastore",
        noun=_NOUNS["dataStoreSpec"],
        fields=(
            KindField("dataStoreSpec", ToolMessage.TOOL, "data store", form=SEARCH),
            KindField("dataStoreTool", ToolMessage.APP_TOOL, "data store", form=AS_GIVEN),
        ),
        telemetry_type="datastore",
        conversion=_converted,
        asks_model=True,
    ),
    {"dataStoreSpec": build, "dataStoreTool": build},
    check=_check,
    lookup=_unknown_stores,
)

FILE_SEARCH = ToolKind(
    StoredKind(
        name="filesearch",
        noun=_NOUNS["fileSearchTool"],
        fields=(KindField("fileSearchTool", ToolMessage.APP_TOOL, "file search", form=AS_GIVEN),),
        telemetry_type="datastore",
        asks_model=True,
    ),
    {"fileSearchTool": build},
    check=_check,
    lookup=_unknown_stores,
)
