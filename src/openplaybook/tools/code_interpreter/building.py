"""From the built-in tool of an agent to a `CodeInterpreter`."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.building import Parts
from openplaybook.tools.code_interpreter.tool import CodeInterpreter


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> CodeInterpreter:
    """The tool; it has no specification of its own."""
    name, display_name = str(resource.get("name", "")), str(resource.get("displayName", ""))
    return CodeInterpreter(name, display_name, str(resource.get("description", "")), parts.executor)
