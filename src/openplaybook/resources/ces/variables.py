"""Variables of an app of CX Agent Studio: what is declared of them, and which hold credentials."""

import re
from collections.abc import Iterable, Iterator

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_CREDENTIALS = frozenset({"apiAuthentication", "authConfig", "customHeaders"})
"""Fields, at any depth of a tool or toolset, that say how calls are authenticated."""

_NAMED = re.compile(r"\$context\.variables\.([\w.-]+)")


def declared_variables(app: JsonObject) -> dict[str, JsonValue]:
    """The variables that an `App` (v1beta JSON) declares, with their values in the beginning; null: none."""
    declared = map(as_object, as_list(app.get("variableDeclarations")))
    return {str(each["name"]): as_object(each.get("schema")).get("default") for each in declared if each.get("name")}


def secret_variables(documents: Iterable[JsonObject]) -> frozenset[str]:
    """Names of the variables that an authentication of tools and toolsets (v1beta JSON) reads."""
    return frozenset(name for document in documents for name in _secret(document))


def _secret(value: JsonValue) -> Iterator[str]:
    for key, member in as_object(value).items():
        if key in _CREDENTIALS:
            yield from _NAMED.findall(str(member))
        else:
            yield from _secret(member)
    for item in as_list(value):
        yield from _secret(item)
