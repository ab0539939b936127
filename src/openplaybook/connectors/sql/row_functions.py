"""PostgreSQL's other way to call functions: `(x).f` and `x.f` are `f(x)` wherever x has no column f.

Of a table or a subquery, f can only be a function of its rows, which nothing but a user's own function is. Of a value
in brackets, of an element of an array and of what a function in FROM gives, it may be any function there is.
"""

from collections.abc import Collection, Mapping, Sequence

from sqlglot import Expr, exp

_SOURCES = (exp.Table, exp.Lateral, exp.Unnest, exp.Subquery, exp.Values, exp.CTE)
_ROWS = (exp.Query, exp.Values, exp.Subquery, exp.Paren)
_VALUES = frozenset(
    {"current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "current_role"}
    | {"current_user", "session_user", "user", "system_user", "current_catalog", "current_schema"}
)
"""In FROM, without quotes, these are functions and not tables."""
_COLUMNS = frozenset({"key", "value", "ordinality"})
"""Of `json_each` and `WITH ORDINALITY`, whose columns nobody declares."""
_WRITTEN = "excluded"
"""The row that ON CONFLICT could not insert."""


def called_by_dots(nodes: Sequence[Expr], functions: Collection[str]) -> str:
    """What may call, behind a dot, another function than these (lower case); empty where nothing may."""
    rows, calls = _sources(nodes)
    for node in nodes:
        if isinstance(node, exp.Dot):
            name = node.expression.name
            is_call = not isinstance(node.expression, exp.Star)
        elif isinstance(node, exp.Column) and node.table and not isinstance(node.this, exp.Star):
            name, source = node.name, node.table.lower()
            is_call = name not in calls[source] | _COLUMNS if source in calls else source not in rows
        else:
            continue
        if is_call and name.lower() not in functions:
            return node.sql()
    return ""


def _sources(nodes: Sequence[Expr]) -> tuple[Collection[str], Mapping[str, frozenset[str]]]:
    """Names in FROM, lower case, of what gives rows; and of functions, with the columns that each has for certain."""
    rows: set[str] = {_WRITTEN}
    calls: dict[str, frozenset[str]] = {}
    for node in nodes:
        if not isinstance(node, _SOURCES):
            continue
        name = (node.alias or node.name).lower()
        if _gives_rows(node):
            rows.add(name)
        elif node.alias:
            declared = frozenset(node.alias_column_names) or frozenset({node.alias})
            # Another of the same name elsewhere in the query may have other columns.
            calls[name] = calls.get(name, declared) & declared
    return rows, calls


def _gives_rows(node: Expr) -> bool:
    source = node.args.get("this")
    if isinstance(source, exp.Identifier):
        return bool(source.args.get("quoted")) or source.name.lower() not in _VALUES
    return isinstance(node, exp.Subquery | exp.Values | exp.CTE) or isinstance(source, _ROWS)
