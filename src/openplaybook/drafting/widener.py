"""A schema of a document, widened until it holds for what was seen. What already holds stays as it is.

Schemas spell types and null as their document does: 3.0 by `nullable`, 3.1 by the type `null`.
"""

from collections.abc import Sequence

from openplaybook.drafting.acceptance import acceptance
from openplaybook.drafting.draft_remarks import Remarks
from openplaybook.drafting.schema_inference import MAX_DEPTH, SeenValue, items, members, partitioned, schema_of
from openplaybook.drafting.text_formats import FORMATS
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, target
from openplaybook.tools.schema.dialect import Direction, is_true

_ALTERNATIVES = ("anyOf", "oneOf")
_COMPOSITE = (*_ALTERNATIVES, "allOf", "not", "if", "$dynamicRef", "const", "prefixItems", "patternProperties")
_LIMITS = (
    *("pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
)
_MAX_ROUNDS = 10
_SAYS_NOTHING = frozenset({"description", "title", "example", "examples", "default", "deprecated", "nullable"})


class Widener:
    """Widens the schemas of one document in one direction of travel; what it changes it remarks on.

    Widening is idempotent: a schema widened for values holds for them, and a schema that holds stays equal.
    """

    def __init__(self, root: JsonObject, direction: Direction, remarks: Remarks) -> None:
        self._root = root
        self._direction = direction
        self._remarks = remarks
        self._has_null_type = not str(root.get("openapi", "3.0")).startswith("3.0")

    def remark(self, where: str, what: str) -> None:
        """Remark on something that was widened elsewhere."""
        self._remarks.widened(where, what)

    def new(self, seen: Sequence[SeenValue], name: str = "", depth: int = 0) -> JsonObject:
        """The schema of values that nothing is known of yet."""
        return self.spelled(schema_of(seen, name, depth))

    def spelled(self, schema: JsonObject) -> JsonObject:
        """A schema of 3.0 in the words of the document's version."""
        return _with_null_types(schema) if self._has_null_type else schema

    def widen(
        self, schema: JsonValue, seen: Sequence[SeenValue], where: str, name: str = "", depth: int = 0
    ) -> JsonValue:
        """`schema` so that it holds for `seen`. What a reference leads to is widened in its place.

        In 3.1 a schema may be `true`, which holds for everything.
        """
        if not seen or depth > MAX_DEPTH or schema is True:
            return schema
        known = as_object(schema)
        reference = known.get("$ref")
        if isinstance(reference, str):
            self._widen_target(reference, seen, where, name, depth)
            return known
        if not known.keys() - _SAYS_NOTHING:
            # What takes anything and says so was meant.
            return known if "description" in known else {**known, **self.new(seen, name, depth)}
        if any(key in known for key in _COMPOSITE):
            return self._composite(known, seen, where, name, depth)
        return self._plain(known, seen, where, name, depth)

    def _widen_target(self, reference: str, seen: Sequence[SeenValue], where: str, name: str, depth: int) -> None:
        try:
            known = target(self._root, reference)
        except UnresolvableReference as error:
            self._remarks.add(f"{where}: {error}; it was left unchanged.")
            return
        if isinstance(known, dict):
            schema = as_object(known)
            for _ in range(_MAX_ROUNDS):
                before = dict(schema)
                widened = dict(self.widen(schema, seen, reference, name, depth + 1))
                # A recursive schema is widened by what lies within the values, too: then it is looked at again.
                if schema == before:
                    schema.clear()
                    schema.update(widened)
                    return

    def _composite(self, known: JsonObject, seen: Sequence[SeenValue], where: str, name: str, depth: int) -> JsonObject:
        """A schema of alternatives gets one more for what none of them takes; its own ones stay."""
        accepts = acceptance(self._root, known, self._direction)
        refused = [each for each in seen if not accepts(each[1])]
        if not refused:
            return known
        self._remarks.widened(where, "an alternative was added for what the samples hold")
        is_null = all(value is None for _, value in refused)
        more = self.spelled({"enum": [None], "nullable": True}) if is_null else self.new(refused, name, depth)
        if "anyOf" in known and not any(key in known for key in _COMPOSITE if key != "anyOf"):
            return {**known, "anyOf": [*as_list(known["anyOf"]), more]}
        return {"anyOf": [known, more]}

    def _plain(self, known: JsonObject, seen: Sequence[SeenValue], where: str, name: str, depth: int) -> JsonObject:
        by_type = partitioned(seen)
        result = dict(known)
        if by_type.pop("null", None) is not None and not _takes_null(known):
            self._remarks.widened(where, "null is allowed now")
            _allow_null(result, has_null_type=self._has_null_type)
        types = _types_of(known)
        if "number" in by_type and "integer" in types and "number" not in types:
            # Also for 2.0: in OpenAPI 3.0 a number written with a point is no integer.
            self._remarks.widened(where, "integer became number")
            _replace_type(result, "integer", "number")
            if result.get("format") in ("int32", "int64"):
                del result["format"]
            types = [*types, "number"]
        if "number" in types:
            types = [*types, "integer"]
        other = [each for kind, values in by_type.items() if types and kind not in types for each in values]
        fitting = [each for kind, values in by_type.items() if not types or kind in types for each in values]
        if fitting:
            result = self._within(result, fitting, where, name, depth)
        if not other:
            return result if result != known else known
        self._remarks.widened(where, "another type was added, as the samples hold both")
        return {"anyOf": [result, self.new(other, name, depth)]}

    def _within(self, known: JsonObject, seen: Sequence[SeenValue], where: str, name: str, depth: int) -> JsonObject:
        """Widen for values of a type that the schema has."""
        by_type = partitioned(seen)
        result = self._limits(known, [value for _, value in seen], where)
        if "object" in by_type:
            result = self._object(result, by_type["object"], where, depth)
        if "array" in by_type and "items" in known:
            # A tuple, as drafts before 2020-12 wrote it, says what stands where: it is a person's work.
            if isinstance(known["items"], dict):
                result["items"] = self.widen(known["items"], items(by_type["array"]), f"{where}[]", name, depth + 1)
        elif "array" in by_type:
            result["items"] = self.new(items(by_type["array"]), name, depth + 1)
        return result

    def _object(self, known: JsonObject, seen: list[SeenValue], where: str, depth: int) -> JsonObject:
        by_key = members(seen)
        result = dict(known)
        properties = dict(as_object(known.get("properties")))
        others = known.get("additionalProperties")
        unknown: list[SeenValue] = []
        for key, values in by_key.items():
            if key in properties:
                properties[key] = self.widen(properties[key], values, f"{where}.{key}", key, depth + 1)
            elif isinstance(others, dict) or (others is True and not properties):
                unknown.extend(values)
            else:
                properties[key] = self.new(values, key, depth + 1)
        if properties:
            result["properties"] = properties
        if unknown and isinstance(others, dict):
            result["additionalProperties"] = self.widen(others, unknown, f"{where}.*", "", depth + 1)
        self._shrink_required(result, properties, by_key, len(seen), where)
        return result

    def _shrink_required(
        self, result: JsonObject, properties: JsonObject, by_key: dict[str, list[SeenValue]], count: int, where: str
    ) -> None:
        """Leave `required` what is in every object. What never travels this way cannot be missed."""
        required = [str(key) for key in as_list(result.get("required"))]
        still_required = [
            key
            for key in required
            if len(by_key.get(key, ())) == count or is_true(as_object(properties.get(key)).get(self._direction.value))
        ]
        if still_required == required:
            return
        gone = ", ".join(key for key in required if key not in still_required)
        self._remarks.widened(where, f"no longer required: {gone}")
        result["required"] = still_required
        if not still_required:
            del result["required"]

    def _limits(self, known: JsonObject, values: Sequence[JsonValue], where: str) -> JsonObject:
        """Drop limits that a value breaks; an enumeration grows by it."""
        result = dict(known)
        options = known.get("enum")
        if isinstance(options, list):
            more = [value for value in values if value not in options]
            if more:
                self._remarks.widened(where, "the enumeration was extended")
                result["enum"] = [
                    *as_list(options),
                    *(value for at, value in enumerate(more) if value not in more[:at]),
                ]
        for key in _LIMITS:
            if key in known and not self._holds(known, key, values):
                self._remarks.widened(where, f"{key} does not fit the samples and was removed")
                result.pop(key, None)
        fits = FORMATS.get(str(known.get("format")))
        if fits is not None and not all(fits(value) for value in values if isinstance(value, str)):
            self._remarks.widened(where, f"format {known['format']} does not fit the samples and was removed")
            del result["format"]
        return result

    def _holds(self, known: JsonObject, key: str, values: Sequence[JsonValue]) -> bool:
        limit: JsonObject = {key: known[key]}
        # In 3.0 an exclusive bound is a flag beside the bound.
        if isinstance(known[key], bool) and key.startswith("exclusive"):
            bound = key.removeprefix("exclusive").lower()
            limit[bound] = known.get(bound)
        return all(map(acceptance(self._root, limit, self._direction), values))


def _types_of(schema: JsonObject) -> list[str]:
    """The types a schema names or shows; empty when it takes any."""
    declared = schema.get("type")
    if declared is not None:
        return [declared] if isinstance(declared, str) else [str(each) for each in as_list(declared)]
    if "properties" in schema or "additionalProperties" in schema:
        return ["object"]
    return ["array"] if "items" in schema else []


def _takes_null(schema: JsonObject) -> bool:
    """Whether null fits a schema by its type."""
    types = _types_of(schema)
    return is_true(schema.get("nullable")) or "null" in types or not types


def _allow_null(schema: JsonObject, *, has_null_type: bool) -> None:
    """Let a schema take null, in its place: by a type where the document's version has one."""
    if has_null_type:
        schema["type"] = [*_types_of(schema), "null"]
    else:
        schema["nullable"] = True
    if None not in as_list(schema.get("enum", [None])):
        schema["enum"] = [*as_list(schema["enum"]), None]


def _replace_type(schema: JsonObject, old: str, new: str) -> None:
    """Name one type in place of another."""
    declared = schema["type"]
    schema["type"] = new if declared == old else [new if each == old else each for each in as_list(declared)]


def _with_null_types(schema: JsonObject) -> JsonObject:
    """A schema of 3.0 in the words of 3.1: `nullable` becomes the type `null`."""
    result = {key: _converted(key, value) for key, value in schema.items() if key != "nullable"}
    if not schema.get("nullable"):
        return result
    kind = result.get("type")
    return {**result, "type": [kind, "null"] if kind else "null"}


def _converted(key: str, value: JsonValue) -> JsonValue:
    if key == "properties":
        return {name: _with_null_types(as_object(child)) for name, child in as_object(value).items()}
    if key in ("items", "additionalProperties"):
        return _with_null_types(as_object(value))
    return [_with_null_types(as_object(child)) for child in as_list(value)] if key == "anyOf" else value
