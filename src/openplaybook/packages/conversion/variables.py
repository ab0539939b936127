"""Parameters of playbooks as variables of an app."""

from collections.abc import Iterable

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.report import Notes
from openplaybook.resources.ces.app_variables import variable_name
from openplaybook.resources.ces.schemas import ces_schema

_PARAMETERS = ("inputParameterDefinitions", "outputParameterDefinitions")


def declared_variables(playbooks: Iterable[JsonObject], more: Iterable[str], notes: Notes) -> list[JsonObject]:
    """A declaration of each parameter of any playbook, and of `more` names that tools or instructions read.

    A session of an app has only declared variables, and one of each name for all agents.
    """
    declared: dict[str, JsonObject] = {}
    for playbook in playbooks:
        place = f"playbooks/{playbook.get('displayName', '')}"
        for key in _PARAMETERS:
            for definition in map(as_object, as_list(playbook.get(key))):
                _declare(declared, definition, place, notes)
    for name in map(variable_name, more):
        if name not in declared:
            declared[name] = {"name": name, "description": "", "schema": {"type": "STRING"}}
    return list(declared.values())


def _declare(declared: dict[str, JsonObject], definition: JsonObject, place: str, notes: Notes) -> None:
    given = str(definition.get("name", ""))
    name = variable_name(given)
    if name != given:
        notes.changed(place, f"the parameter {given} is the variable {name} now")
    schema = _schema(as_object(definition.get("typeSchema")))
    before = declared.get(name)
    if before is None:
        declared[name] = {"name": name, "description": str(definition.get("description", "")), "schema": schema}
    elif before["schema"] != schema:
        notes.changed(place, f"the parameter {name} is of another type elsewhere; there is one variable for both")


def _schema(type_schema: JsonObject) -> JsonObject:
    """A `TypeSchema` as a `Schema`; a text where it says nothing that can be told."""
    inline = as_object(type_schema.get("inlineSchema"))
    kind = str(inline.get("type") or "STRING").upper()
    if kind == "ARRAY":
        items = as_object(inline.get("items"))
        return {"type": "ARRAY", "items": _schema(items if "inlineSchema" in items else {"inlineSchema": items})}
    if kind in ("NUMBER", "BOOLEAN", "STRING"):
        return {"type": kind}
    return ces_schema({"type": "object"}) if type_schema.get("schemaReference") else {"type": "STRING"}
