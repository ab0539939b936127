"""A declaration's input schema as a flat list of slots that can be filled from words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.offline.language.tokenizer import identifier_words, key_of, keys

Path = tuple[str, ...]
"""Where a value stands in the arguments: `("requestBody", "name")`."""

DEEPEST = 5
"""Levels of objects that are looked into."""
_IDENTIFYING = frozenset(
    ("id", "ids", "no", "nr", "num", "number", "code", "key", "reference", "ref", "sku", "isbn", "iban")
)
_NUMBERING = frozenset(key_of(word) for word in ("id", "no", "num", "number", "code"))
_ID_ENDINGS = ("nummer", "kennung")
_SCALARS = frozenset(("string", "integer", "number", "boolean"))


@dataclass(frozen=True)
class Slot:
    """One scalar, or one array of scalars, of a declaration's arguments."""

    path: Path
    type: str
    """`string`, `integer`, `number` or `boolean`: of the value or, for an array, of its items. Empty when the
    schema asks for something that words cannot give, such as an array of objects."""
    is_array: bool
    required: bool
    """Required once its object is there: always when every object above it is required too."""
    always_required: bool
    schema: JsonObject
    """Schema of the value or of an array's items."""
    description: str

    @property
    def name(self) -> str:
        """The last member of the path."""
        return self.path[-1]

    @cached_property
    def name_keys(self) -> frozenset[str]:
        """Keys of the words of its name; `x` of a header such as `X-OWNER` left out."""
        return frozenset(key_of(word) for word in identifier_words(self.name) if len(word) > 1)

    @cached_property
    def cue_keys(self) -> frozenset[str]:
        """Keys of the words of its name and description."""
        return self.name_keys | keys(self.description)

    @cached_property
    def cue_weights(self) -> Mapping[str, float]:
        """How clearly a key beside a value speaks of this slot: its name the most, its description the least."""
        numbers = ("number",) if self.type in ("integer", "string") and self.name_keys & _NUMBERING else ()
        weights = dict.fromkeys(self.cue_keys, 0.7)
        return {**weights, **dict.fromkeys(numbers, 0.8), **dict.fromkeys(self.name_keys, 1.0)}

    @cached_property
    def is_identifier(self) -> bool:
        """Whether its name says that it identifies something: `orderId`, `customer_number`; not `number_of_guests`."""
        words = identifier_words(self.name)
        if self.type not in ("integer", "number", "string") or "of" in words:
            return False
        return words[-1:] != [] and (words[-1] in _IDENTIFYING or words[-1].endswith(_ID_ENDINGS))

    @cached_property
    def options(self) -> tuple[JsonValue, ...]:
        """The values its schema allows, where it lists them."""
        if "const" in self.schema:
            return (self.schema["const"],)
        return tuple(as_list(self.schema.get("enum")))


def slots_of(input_schema: JsonObject) -> tuple[Slot, ...]:
    """The slots of an object schema, in its own order."""
    return tuple(_walk(input_schema, input_schema, (), required=True, always=True))


def _walk(schema: JsonObject, root: JsonObject, path: Path, *, required: bool, always: bool) -> Iterator[Slot]:
    schema = resolve(schema, root)
    properties = as_object(schema.get("properties"))
    if properties and len(path) < DEEPEST:
        needed = as_list(schema.get("required"))
        for name, member in properties.items():
            is_needed = name in needed
            yield from _walk(as_object(member), root, (*path, name), required=is_needed, always=always and is_needed)
    elif path:
        yield _leaf(schema, root, path, required=required, always=always)


def _leaf(schema: JsonObject, root: JsonObject, path: Path, *, required: bool, always: bool) -> Slot:
    is_array = type_of(schema) == "array"
    values = resolve(as_object(schema.get("items")), root) if is_array else schema
    kind = type_of(values)
    return Slot(
        path=path,
        type=kind if kind in _SCALARS else "",
        is_array=is_array,
        required=required and "default" not in schema,
        always_required=always and "default" not in schema,
        schema=values,
        description=str(schema.get("description") or values.get("description") or schema.get("title") or ""),
    )


def resolve(schema: JsonObject, root: JsonObject) -> JsonObject:
    """A schema with its local references followed and its one non-null alternative chosen."""
    for _ in range(DEEPEST):
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            schema = {**_target(reference, root), **{key: value for key, value in schema.items() if key != "$ref"}}
            continue
        choices = [as_object(choice) for choice in as_list(schema.get("anyOf") or schema.get("oneOf"))]
        real = [choice for choice in choices if choice.get("type") != "null"]
        if "type" in schema or len(real) != 1:
            return schema
        schema = {**real[0], **{key: value for key, value in schema.items() if key not in ("anyOf", "oneOf")}}
    return schema


def _target(reference: str, root: JsonObject) -> JsonObject:
    schema: JsonValue = root
    for part in reference.split("/")[1:]:
        schema = as_object(schema).get(part.replace("~1", "/").replace("~0", "~"))
    return as_object(schema)


def type_of(schema: JsonObject) -> str:
    """The one type that a schema speaks of; `null` beside another type does not count."""
    declared = schema.get("type")
    names = [name for name in (as_list(declared) or [declared]) if isinstance(name, str) and name != "null"]
    if len(names) == 1:
        return names[0]
    listed = as_list(schema.get("enum")) or ([schema["const"]] if "const" in schema else [])
    return "string" if listed and all(isinstance(value, str) for value in listed) else ""
