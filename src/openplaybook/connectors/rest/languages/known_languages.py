"""The query languages of systems, as their vendors document them. Values are quoted so that none ends its quotes."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

from openplaybook.connectors.base import DataType
from openplaybook.connectors.conditions.syntax import Literal
from openplaybook.connectors.rest.languages.grammar import Grammar, Inexpressible
from openplaybook.connectors.rest.languages.odata import MOMENT, MOMENTS, ODATA, ODATA2
from openplaybook.connectors.rest.manifest.list_model import SearchSyntax
from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.connectors.rest.values import literal_text

_COMPARED = {operator: f"{{name}} {operator} {{value}}" for operator in ("=", "!=", "<", "<=", ">", ">=")}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_CUSTOM = re.compile(r"customfield_(\d+)")


def _escaped(value: Literal, data_type: DataType, quote: str = '"') -> str:
    """In quotes, with backslashes before quotes and backslashes; control characters become blanks."""
    text = _CONTROL.sub(" ", literal_text(value))
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote


def _in_jql(value: Literal, data_type: DataType) -> str:
    """Atlassian's languages know moments as `2026-11-26 09:00`, to the minute."""
    text = str(value)
    if isinstance(value, str) and data_type in MOMENTS and MOMENT.fullmatch(text) and len(text) > len("2026-11-26"):
        moment = datetime.fromisoformat(text)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
        return f'"{moment:%Y-%m-%d %H:%M}"'
    return _escaped(value, data_type) if isinstance(value, str) else literal_text(value)


def _jql_name(field: RestField) -> str:
    """By its name; fields of a site's own by their number."""
    found = _CUSTOM.fullmatch(field.name)
    return f"cf[{found[1]}]" if found else field.name


def _own_name(field: RestField) -> str:
    """What is a field's name here is its name there, wherever its value is."""
    return field.name


def _in_sql(value: Literal, data_type: DataType) -> str:
    """Standard SQL: a quote is doubled."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else literal_text(value)


def _in_soql(value: Literal, data_type: DataType) -> str:
    """Moments stand without quotes, and need a zone."""
    text = str(value)
    if isinstance(value, str) and data_type in MOMENTS:
        if not MOMENT.fullmatch(text):
            raise Inexpressible
        text = text.replace(" ", "T")
        if data_type is DataType.DATE:
            return text[:10]
        if len(text) == len("2026-11-26"):
            return f"{text}T00:00:00Z"
        return text if text.endswith("Z") or re.search(r"[+-]\d\d:?\d\d$", text) else f"{text}Z"
    if isinstance(value, str):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r") + "'"
    return literal_text(value)


def _in_sysparm(value: Literal, data_type: DataType) -> str:
    """Without quotes; a caret, which joins tests, is doubled."""
    text = literal_text(value)
    if _CONTROL.search(text) or "javascript:" in text.lower():
        raise Inexpressible
    return text.replace("^", "^^")


def _plain_or_escaped(value: Literal, data_type: DataType, quote: str = '"') -> str:
    """Numbers and simple words as they are, all else in quotes."""
    text = literal_text(value)
    return text if re.fullmatch(r"[\w.+@-]+", text) and not text.startswith("-") else _escaped(value, data_type, quote)


def _snake_name(field: RestField) -> str:
    """`createdAt` is `created_at` in Shopify's search."""
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", field.name).lower()


JQL = Grammar(
    _COMPARED
    | {"in": "{name} in ({values})", "not_in": "{name} not in ({values})", "contains": "{name} ~ {value}"}
    | {"null": "{name} is EMPTY", "not_null": "{name} is not EMPTY"},
    _in_jql,
    named=_jql_name,
)
CQL = Grammar(
    _COMPARED | {"in": "{name} in ({values})", "not_in": "{name} not in ({values})", "contains": "{name} ~ {value}"},
    _in_jql,
    named=_jql_name,
    before_order=" order by ",
)
SOQL = Grammar(
    _COMPARED
    | {"!=": "({name} != {value} AND {name} != null)", "in": "{name} IN ({values})"}
    | {"not_in": "({name} NOT IN ({values}) AND {name} != null)", "like": "{name} LIKE {value}"}
    | {"not_like": "(NOT {name} LIKE {value} AND {name} != null)"}
    | {"null": "{name} = null", "not_null": "{name} != null"},
    _in_soql,
    before_condition=" WHERE ",
)
KINTONE = Grammar(
    _COMPARED
    | {"in": "{name} in ({values})", "not_in": "{name} not in ({values})", "contains": "{name} like {value}"}
    | {"null": '{name} = ""', "not_null": '{name} != ""'}
    # Of choices these alone can be said, and of texts as well.
    | {"= VARCHAR": "{name} in ({value})", "!= VARCHAR": "{name} not in ({value})"}
    | {"null VARCHAR": '{name} in ("")', "not_null VARCHAR": '{name} not in ("")'}
    | {f"{operator} {moment.value}": "" for operator in ("in", "not_in") for moment in MOMENTS},
    _escaped,
    named=_own_name,
    all_joint=" and ",
    any_joint=" or ",
    before_order=" order by ",
    ascending="{name} asc",
    descending="{name} desc",
)
LUCENE = Grammar(
    {"=": "{name}:{value}", "!=": "(_exists_:{name} AND NOT {name}:{value})", "<": "{name}:<{value}"}
    | {"<=": "{name}:<={value}", ">": "{name}:>{value}", ">=": "{name}:>={value}"}
    # What is only not something finds nothing among alternatives.
    | {"null": "(*:* AND NOT _exists_:{name})", "not_null": "_exists_:{name}"},
    _escaped,
    named=_own_name,
)
SYSPARM = Grammar(
    {"=": "{name}={value}", "!=": "{name}!={value}^{name}ISNOTEMPTY", "<": "{name}<{value}", "<=": "{name}<={value}"}
    | {">": "{name}>{value}", ">=": "{name}>={value}", "contains": "{name}LIKE{value}"}
    | {"prefix": "{name}STARTSWITH{value}", "suffix": "{name}ENDSWITH{value}"}
    | {"null": "{name}ISEMPTY", "not_null": "{name}ISNOTEMPTY"},
    _in_sysparm,
    all_joint="^",
    any_joint="^OR",
    group="",
    before_order="^",
    order_joint="^",
    ascending="ORDERBY{name}",
    descending="ORDERBYDESC{name}",
)

SQL = Grammar({}, _in_sql)
"""Of queries only: entities are not listed with it."""

SHOPIFY = Grammar(
    {"=": "{name}:{value}", "<": "{name}:<{value}", "<=": "{name}:<={value}"}
    | {">": "{name}:>{value}", ">=": "{name}:>={value}"},
    _plain_or_escaped,
    named=_snake_name,
)

GRAMMARS: Mapping[str, Grammar] = {
    "jql": JQL,
    "cql": CQL,
    "soql": SOQL,
    "odata": ODATA,
    "odata2": ODATA2,
    "kintone": KINTONE,
    "lucene": LUCENE,
    "sysparm": SYSPARM,
    "shopify": SHOPIFY,
    "sql": SQL,
}


def search_grammar(syntax: SearchSyntax) -> Grammar:
    """The grammar of a search language that a manifest describes."""
    quoted = partial(_plain_or_escaped, quote='"') if syntax.quote == '"' else partial(_escaped, quote=syntax.quote)
    return Grammar(
        syntax.operators,
        quoted,
        all_joint=syntax.joint,
        any_joint=syntax.any_joint,
        group=syntax.group,
        before_order=" ",
    )
