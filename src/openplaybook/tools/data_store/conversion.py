"""A data store tool of Dialogflow CX as tools of CX Agent Studio: one for each store, with the settings that it has."""

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.tool_kinds import ConversionNotes, ConvertedTool
from openplaybook.retrieval.base import store_name
from openplaybook.tools.data_store.tool_settings import LEVELS, is_off, model_name

_CARRIED = ("dataStoreConnections", "models", "groundingSettings")


def converted(tool: JsonObject, name: str, place: str, notes: ConversionNotes) -> ConvertedTool:
    """What a tool with a `dataStoreSpec` becomes in an app."""
    spec = as_object(tool["dataStoreSpec"])
    connections = [as_object(each) for each in as_list(spec.get("dataStoreConnections"))]
    lost = [key for key in spec if key not in _CARRIED and spec[key]]
    grounding = as_object(spec.get("groundingSettings"))
    lost += ["groundingSettings.heuristicsDisabled"] if grounding.get("heuristicsDisabled") else []
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
