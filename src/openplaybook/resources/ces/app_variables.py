"""Variables of an app of CX Agent Studio: what is declared of them, and which hold credentials."""

import re
from collections.abc import Iterable

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.tool_kinds import tool_kinds

_NAMED = re.compile(r"\$context\.variables\.([\w.-]+)")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_]+")


def declared_variables(app: JsonObject) -> dict[str, JsonValue]:
    """The variables that an `App` (v1beta JSON) declares, with their values in the beginning; null: none."""
    declared = map(as_object, as_list(app.get("variableDeclarations")))
    return {str(each["name"]): as_object(each.get("schema")).get("default") for each in declared if each.get("name")}


def secret_variables(documents: Iterable[JsonObject]) -> frozenset[str]:
    """Names of the variables that an authentication of tools and toolsets (v1beta JSON) reads."""
    return frozenset(
        name
        for document in documents
        for credentials in tool_kinds().credentials(document)
        for name in _NAMED.findall(str(credentials))
    )


def variable_name(name: str) -> str:
    """The name of a parameter in the form that variables have: letters, digits and `_`, no digit in front."""
    variable = _ILLEGAL.sub("_", name) or "_"
    return f"_{variable}" if variable[0].isdigit() else variable
