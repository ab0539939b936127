"""Input schemas as the model sees them."""

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.openapi.definitions import Definitions
from openplaybook.tools.schema.dialect import INJECTION, SESSION_ID, map_children


class VisibleSchemas:
    """Hides what the model does not set, and makes optional what has a value without it."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._known: dict[str, JsonObject] = {}

    def definition(self, name: str) -> JsonObject:
        """The visible form of a definition; made once."""
        if name not in self._known:
            self._known[name] = self.visible(self._definitions.definition(name))
        return self._known[name]

    def visible(self, schema: JsonObject) -> JsonObject:
        """A schema without hidden properties, without sources, and with nothing required that has a value anyway."""
        result = map_children(schema, self.visible)
        result.pop(INJECTION, None)
        properties = as_object(schema.get("properties"))
        if not properties:
            return result
        hidden = {name for name, child in properties.items() if self.is_hidden(as_object(child))}
        if hidden:
            result["properties"] = {name: child for name, child in result["properties"].items() if name not in hidden}
        if "required" in schema:
            given = {name for name, child in properties.items() if self.has_own_value(as_object(child))}
            result["required"] = [name for name in as_list(schema["required"]) if name not in given]
        return result

    def is_hidden(self, schema: JsonObject) -> bool:
        """Whether a value is the session's id, which the model neither sees nor sets."""
        return self._definitions.look_through(schema).get(INJECTION) == SESSION_ID

    def has_own_value(self, schema: JsonObject) -> bool:
        """Whether a value may come from elsewhere than the model, so that it is never required of it."""
        seen = self._definitions.look_through(schema)
        return INJECTION in seen or "default" in seen
