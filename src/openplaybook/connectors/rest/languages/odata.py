"""OData's notation of values, in conditions and in keys: version 4 (OASIS, URL Conventions) and version 2 (odata.org).

A quote within a text is doubled, so that no value ends its quotes; what is no value of its type cannot be said.
"""

import re
from collections.abc import Iterable, Mapping

from openplaybook.connectors.base import DataType
from openplaybook.connectors.conditions.syntax import Literal
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.languages.grammar import Grammar, Inexpressible, Quoter
from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.connectors.rest.values import literal_text

MOMENT = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?")
MOMENTS = (DataType.DATE, DataType.TIMESTAMP, DataType.TIMESTAMP_WITH_ZONE)
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ZONE = re.compile(r"(Z|[+-]\d\d:?\d\d)$")
_NUMBER = re.compile(r"-?\d{1,30}(\.\d{1,30})?")
_NUMBERS = (DataType.SMALLINT, DataType.INTEGER, DataType.BIGINT, DataType.DOUBLE, DataType.DECIMAL)
_TEXTS = (DataType.STRING, DataType.TEXT)
_SUFFIXES = {DataType.BIGINT: "L", DataType.DECIMAL: "M"}
"""Of version 2."""


def in_odata(value: Literal, data_type: DataType) -> str:
    """A value as version 4 writes it. Raises `Inexpressible`."""
    if data_type in MOMENTS:
        return _moment(value, data_type)
    if data_type is DataType.UUID:
        return _meeting(_UUID, value)
    if data_type in _NUMBERS:
        return _meeting(_NUMBER, value)
    if isinstance(value, str) or data_type in _TEXTS:
        return "'" + literal_text(value).replace("'", "''") + "'"
    return literal_text(value)


def in_odata2(value: Literal, data_type: DataType) -> str:
    """The same in version 2, which says the types of values. Raises `Inexpressible`."""
    plain = in_odata(value, data_type)
    if data_type is DataType.TIMESTAMP_WITH_ZONE:
        return f"datetimeoffset'{plain}'"
    if data_type in MOMENTS:
        text = plain if len(plain) > len("2026-11-26") else f"{plain}T00:00:00"
        return f"datetime'{_ZONE.sub('', text)}'"
    return f"guid'{plain}'" if data_type is DataType.UUID else plain + _SUFFIXES.get(data_type, "")


def _moment(value: Literal, data_type: DataType) -> str:
    """A day for dates; with a zone, UTC where none is given, for moments that have one."""
    text = _meeting(MOMENT, value).replace(" ", "T")
    if data_type is DataType.DATE:
        return text[:10]
    text = text if "T" in text else f"{text}T00:00:00"
    text = f"{text[:16]}:00{text[16:]}" if text[16:17] != ":" else text
    return f"{text}Z" if data_type is DataType.TIMESTAMP_WITH_ZONE and not _ZONE.search(text) else text


def _meeting(pattern: re.Pattern[str], value: Literal) -> str:
    text = literal_text(value)
    if not pattern.fullmatch(text):
        raise Inexpressible
    return text


def _by_slashes(field: RestField) -> str:
    return field.path.replace(".", "/")


def key_predicate(path: str, keys: Iterable[RestField], values: Mapping[str, str]) -> dict[str, str]:
    """What `{odata.key}` and `{odata2.key}` stand for in a path that has them: the key as it stands within the round
    brackets behind an entity set, `'x'` or `a=1,b='x'`. Raises `InvalidValue` for a value that is none of its type."""
    made: dict[str, str] = {}
    for name, quoted in KEYS.items():
        if f"{{{name}}}" not in path:
            continue
        parts = [(each.path, _key_value(each, values.get(each.name, ""), quoted)) for each in keys if not each.is_scope]
        made[name] = parts[0][1] if len(parts) == 1 else ",".join(f"{part}={value}" for part, value in parts)
    return made


def _key_value(key: RestField, value: str, quoted: Quoter) -> str:
    try:
        return quoted(value, key.field.data_type)
    except Inexpressible:
        word = key.field.data_type.value
        raise InvalidValue(key.name, f"must be a value of the type {word}, not {value[:60]!r}") from None


KEYS: Mapping[str, Quoter] = {"odata.key": in_odata, "odata2.key": in_odata2}
"""Placeholders for keys → how their values are written."""
_TESTS = {
    "=": "{name} eq {value}",
    "!=": "({name} ne {value} and {name} ne null)",
    "<": "{name} lt {value}",
    "<=": "{name} le {value}",
    ">": "{name} gt {value}",
    ">=": "{name} ge {value}",
    "prefix": "startswith({name},{value})",
    "suffix": "endswith({name},{value})",
    "null": "{name} eq null",
    "not_null": "{name} ne null",
}


def _grammar(quoted: Quoter, contains: str) -> Grammar:
    return Grammar(
        _TESTS | {"contains": contains},
        quoted,
        all_joint=" and ",
        any_joint=" or ",
        named=_by_slashes,
        before_order="",
        ascending="{name}",
        descending="{name} desc",
    )


ODATA = _grammar(in_odata, "contains({name},{value})")
ODATA2 = _grammar(in_odata2, "substringof({value},{name})")
