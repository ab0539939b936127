"""Values and conditions that are made for the fields of a manifest."""

from collections.abc import Iterator

from openplaybook.connectors.rest.languages.pushdown import needed_columns
from openplaybook.connectors.rest.manifest.kinds import ValueCodec
from openplaybook.connectors.rest.manifest.list_model import ListManifest
from openplaybook.connectors.rest.manifest.model import RestField, SystemManifest
from openplaybook.connectors.rest.values import read_value
from openplaybook.jsonvalues import JsonValue
from tests.kit.vendor_mock.vendor_record import VendorRecord

NO_FIELD = "{} is no field"
"""In place of a condition: what is wrong with the manifest."""

_SAMPLES: dict[str, JsonValue] = {
    "BOOLEAN": False,
    "INTEGER": 7,
    "BIGINT": 7,
    "DOUBLE": 7.5,
    "DECIMAL": "7.5",
    "DATE": "2026-10-01",
    "TIME": "10:00:00",
    "TIMESTAMP": "2026-10-01T08:00:00Z",
    "TIMESTAMP_WITH_TIMEZONE": "2026-10-01T08:00:00Z",
    "UUID": "00000000-0000-4000-8000-000000000000",
}


def plain_sample(each: RestField) -> JsonValue:
    """A value of a scalar field, as clients give it."""
    if each.field.values:
        return each.field.values[-1]
    if each.codec is ValueCodec.CSV:
        return ["a", "b"]
    return _SAMPLES.get(each.field.data_type.value, "sample")


def made_conditions(
    listing: ListManifest | None, record: VendorRecord, manifest: SystemManifest, fields: dict[str, RestField]
) -> Iterator[str]:
    """A condition for each test that the manifest says the system can try."""
    if listing is None:
        return
    needed = needed_columns(listing, fields)
    if needed:
        yield " AND ".join(f"{name} = {_literal(fields[name], record, manifest, name)}" for name in needed)
    for each in listing.filter.parameters:
        column = fields.get(each.column)
        if column is None:
            yield NO_FIELD.format(f"filter: {each.column}")
            continue
        value = _literal(column, record, manifest, each.column)
        yield {
            "in": f"{each.column} IN ({value}, {value})",
            "contains": f"{each.column} LIKE '%a%'",
            "prefix": f"{each.column} LIKE 'a%'",
            "suffix": f"{each.column} LIKE '%a'",
            "null": f"{each.column} IS NULL",
            "not_null": f"{each.column} IS NOT NULL",
        }.get(each.operator, f"{each.column} {each.operator} {value}")
    if listing.filter.language:
        names = [each for each in listing.filter.only if " " not in each] or [
            each for each in fields if fields[each].field.is_filterable
        ][:3]
        for each in listing.filter.only:
            if " contains" in each:
                yield f"{each.partition(' ')[0]} LIKE '%a%'"
        for name in names:
            if name not in fields:
                yield NO_FIELD.format(f"filter.only: {name}")
            elif not fields[name].is_scope:
                yield f"{name} = {_literal(fields[name], record, manifest, name)}"


def _literal(column: RestField, record: VendorRecord, manifest: SystemManifest, name: str) -> str:
    value = plain_sample(column)
    for entity, values in record.values.items():
        if name in values and any(column is each for each in manifest.entities[entity].fields):
            made = values[name]
            value = read_value(column, made.replace("{n}", "1") if isinstance(made, str) else made)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"
