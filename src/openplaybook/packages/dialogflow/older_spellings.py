"""Spellings of older exports, written as today's API has them. What has no place in the API is left as it is."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.example_compiler import read_values

_DATA_TYPES = {
    "string": "STRING",
    "number": "NUMBER",
    "integer": "NUMBER",
    "boolean": "BOOLEAN",
    "array": "ARRAY",
}


def modern_playbook(playbook: JsonObject) -> JsonObject:
    """A playbook with its steps in `instruction.steps` and its parameters' types in `typeSchema`."""
    modern = dict(playbook)
    older_steps = modern.get("steps")
    instruction = as_object(modern.get("instruction"))
    if older_steps is not None and not instruction.get("steps"):
        modern["instruction"] = {**instruction, "steps": older_steps}
        del modern["steps"]
    elif older_steps is not None and older_steps == instruction.get("steps"):
        del modern["steps"]
    for key in ("inputParameterDefinitions", "outputParameterDefinitions"):
        if isinstance(modern.get(key), list):
            modern[key] = [_modern_definition(as_object(definition)) for definition in as_list(modern[key])]
    return modern


def modern_example(example: JsonObject) -> JsonObject:
    """An example with its values as objects and its end state in `conversationState`."""
    modern = _with_modern_values(example)
    state = as_object(example.get("playbookOutput")).get("state")
    if "conversationState" not in modern and isinstance(state, str) and state not in ("", "STATE_UNSPECIFIED"):
        modern["conversationState"] = f"OUTPUT_STATE_{state.removeprefix('OUTPUT_STATE_')}"
    if isinstance(modern.get("actions"), list):
        modern["actions"] = [_modern_action(action) for action in as_list(modern["actions"])]
    return modern


def _modern_action(action: JsonValue) -> JsonValue:
    if not isinstance(action, dict):
        return action
    modern = dict(as_object(action))
    if isinstance(modern.get("toolUse"), dict):
        use = _as_object_values(modern["toolUse"], "inputParameters", "inputActionParameters")
        modern["toolUse"] = _as_object_values(use, "outputParameters", "outputActionParameters")
    if isinstance(modern.get("playbookInvocation"), dict):
        modern["playbookInvocation"] = _with_modern_values(modern["playbookInvocation"])
    return modern


def _with_modern_values(holder: JsonObject) -> JsonObject:
    modern = dict(holder)
    for key in ("playbookInput", "playbookOutput"):
        if isinstance(modern.get(key), dict):
            modern[key] = _as_object_values(modern[key], "parameters", "actionParameters")
    return modern


def _as_object_values(holder: JsonObject, older: str, newer: str) -> JsonObject:
    """`holder` with its values under `newer` alone, unless both are there and differ."""
    if older not in holder:
        return holder
    values = read_values(holder, (older,), "$")
    if holder.get(newer) and holder[newer] != values:
        return holder
    modern = {key: value for key, value in holder.items() if key != older}
    return {**modern, newer: values} if values else modern


def _modern_definition(definition: JsonObject) -> JsonObject:
    schema = as_object(as_object(definition.get("parameterType")).get("openapiJsonSchema"))
    if "typeSchema" in definition or not schema:
        return definition
    type_schema = _type_schema(schema)
    return definition if type_schema is None else {**definition, "typeSchema": type_schema}


def _type_schema(schema: JsonObject) -> JsonObject | None:
    name = schema.get("type")
    data_type = _DATA_TYPES.get(name.lower()) if isinstance(name, str) else None
    if data_type is None:
        return None
    inline: JsonObject = {"type": data_type}
    items = _type_schema(as_object(schema.get("items"))) if data_type == "ARRAY" else None
    if items is not None:
        inline["items"] = items
    return {"inlineSchema": inline}
