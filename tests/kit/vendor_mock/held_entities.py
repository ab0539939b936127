"""The entities that a mock holds of one type, in the system's own form."""

from copy import deepcopy

from openplaybook.connectors.base import DataType
from openplaybook.connectors.rest.manifest.kinds import ValueCodec
from openplaybook.connectors.rest.manifest.model import EntityManifest, RestField
from openplaybook.connectors.rest.reply_paths import put_at, value_at
from openplaybook.connectors.rest.values import document_of_text
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object

_BY_TYPE: dict[DataType, JsonValue] = {
    DataType.BOOLEAN: True,
    DataType.DOUBLE: 1.5,
    DataType.DECIMAL: 2.5,
    DataType.DATE: "2026-11-26",
    DataType.TIME: "09:00:00",
    DataType.TIMESTAMP: "2026-11-26T09:00:00Z",
    DataType.TIMESTAMP_WITH_ZONE: "2026-11-26T09:00:00Z",
    DataType.UUID: "123e4567-e89b-12d3-a456-426614174000",
}


class HeldEntities:
    """One collection."""

    def __init__(self, entity: EntityManifest, count: int, values: JsonObject) -> None:
        self.entity = entity
        self._values = values
        self._number = 0
        keys = [each for each in entity.fields if each.field.is_key and not each.is_scope]
        self._key_field = keys[-1] if keys else None
        self.own_key = keys[-1].name if keys else ""
        self.objects = [self._made({}) for _ in range(count)]

    def key(self, found: JsonObject) -> str:
        """The key of an object."""
        if self._key_field is None:
            return ""
        text = str(value_at(found, self._path(self._key_field)))
        return text.rpartition("/")[2] if self._key_field.codec is ValueCodec.SEGMENT else text

    def find(self, key: str) -> JsonObject | None:
        """The object of a key."""
        return next((each for each in self.objects if self.key(each) == key), None)

    def given(self, found: JsonObject, names: tuple[str, ...]) -> JsonObject:
        """An object as a list gives it that does not give it whole; all of it without names."""
        made: JsonObject = {}
        for field in self.entity.fields:
            if field.name in names:
                put_at(made, self._path(field), value_at(found, self._path(field)))
        return made if names else found

    def create(self, values: JsonObject) -> JsonObject:
        """A new object, with all that the system sets itself."""
        made = self._made(values)
        self.objects.append(made)
        return made

    def change(self, found: JsonObject, values: JsonObject) -> None:
        """Set members of an object."""
        _merge(found, self._as_read(values))

    def _made(self, values: JsonObject) -> JsonObject:
        self._number += 1
        made: JsonObject = {}
        for field in sorted(self.entity.fields, key=lambda each: each.path.count(".")):
            is_told = field.field.is_key or not field.is_scope
            if is_told and not field.is_write_only:
                put_at(made, self._path(field), self._sample(field))
        _merge(made, self._as_read(values))
        return made

    def _as_read(self, values: JsonObject) -> JsonObject:
        """Members of a write where a read has them."""
        made = {self.entity.flatten_read: deepcopy(values)} if self.entity.flatten_read else deepcopy(values)
        written = deepcopy(made)
        for field in self.entity.fields:
            if field.is_write_only:
                continue
            sent = self._path(field, field.sent_as or field.path)
            value = value_at(written, sent)
            if field.sent_as and value is not None:
                put_at(made, self._path(field), value)
        return made

    def _path(self, field: RestField | None, path: str = "") -> str:
        if field is None:
            return ""
        own = path or field.path
        flatten = self.entity.flatten or self.entity.flatten_read
        is_inside = flatten and not field.is_outside and not field.field.is_key
        return f"{flatten}.{own}" if is_inside else own

    def _own_key(self, field: RestField) -> JsonValue:
        """A key that is no text."""
        if field.field.data_type is DataType.UUID:
            return f"123e4567-e89b-12d3-a456-{self._number:012}"
        number = 1_000 + self._number
        return str(number) if field.codec is ValueCodec.NUMBER_TEXT else number

    def _sample(self, field: RestField) -> JsonValue:
        """A value as the system writes it."""
        given = self._values.get(field.name)
        if field.field.is_key and "{n}" in str(given):
            return str(given).replace("{n}", str(self._number))
        if field.name in self._values and not field.field.is_key:
            return given
        kind = field.field.data_type
        if field.field.is_key and kind in (DataType.INTEGER, DataType.BIGINT, DataType.UUID):
            return self._own_key(field)
        if field.codec is ValueCodec.SEGMENT:
            return f"{self.entity.path}/{field.name}{self._number}"
        if field.field.values:
            return field.field.values[0]
        if field.codec is ValueCodec.SLASH_DATE:
            return f"/Date({1_795_651_200_000 + 86_400_000 * self._number})/"
        if field.codec in (ValueCodec.EPOCH, ValueCodec.EPOCH_MS):
            return 1_700_000_000 + self._number
        if field.codec is ValueCodec.MAIL:
            return {"mimeType": "text/plain", "body": {"data": "SGVsbG8="}}
        if field.codec is ValueCodec.ADF:
            return document_of_text(f"Text {self._number}")
        if kind in (DataType.INTEGER, DataType.BIGINT):
            return str(self._number) if field.codec is ValueCodec.NUMBER_TEXT else self._number
        if field.codec is ValueCodec.UTC_TEXT:
            return "2026-11-26 09:00:00"
        if field.codec is ValueCodec.BOOLEAN_TEXT:
            return "true"
        if kind is DataType.STRUCT:
            return {"sample": self._number}
        if kind is DataType.ARRAY:
            return f"a{self._number},b" if field.codec is ValueCodec.CSV else [f"a{self._number}"]
        return _BY_TYPE.get(kind, f"{field.name}{self._number}")


def _merge(target: JsonObject, values: JsonObject) -> None:
    for name, value in values.items():
        if isinstance(value, dict) and isinstance(target.get(name), dict):
            _merge(as_object(target[name]), as_object(value))
        else:
            target[name] = value
