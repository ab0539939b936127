"""A query over entities, read: which entities each of its tables stands for, and what the system can do of it.

The system is asked for the columns that the query uses, by the conditions of its WHERE clauses that name one table
alone, and, of a query of one table without anything that needs all rows, in its order and up to its limit. Whatever is
pushed down is evaluated again over what came back, so pushing down only ever saves rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope
from sqlglot.tokenizer_core import TokenType

from openplaybook.connectors.base import SortKey
from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
    ComparisonOperator,
    Condition,
    ConditionConjunction,
    ConditionNegation,
    Likeness,
    Literal,
    Membership,
    Range,
)
from openplaybook.connectors.errors import InvalidValue
from openplaybook.jsonvalues import JsonValue

MOST_CHARACTERS = 20_000
MOST_TABLES = 8
"""Tables of one query, each counted as often as it is named."""
_DIALECT = "sqlite"
_MOST_EXPONENT = 400
"""Beyond a double's; written out, larger ones fill the memory."""
_PLACES = (TokenType.PLACEHOLDER, TokenType.PARAMETER)
_NEEDS_ALL = (exp.Group, exp.Having, exp.Distinct, exp.AggFunc, exp.Window, exp.SetOperation, exp.Join, exp.Subquery)
_OPERATORS: Mapping[type[exp.Expr], ComparisonOperator] = {
    exp.EQ: ComparisonOperator.EQUAL,
    exp.NEQ: ComparisonOperator.UNEQUAL,
    exp.LT: ComparisonOperator.LESS,
    exp.LTE: ComparisonOperator.LESS_OR_EQUAL,
    exp.GT: ComparisonOperator.GREATER,
    exp.GTE: ComparisonOperator.GREATER_OR_EQUAL,
}
_MIRRORED = {
    ComparisonOperator.LESS: ComparisonOperator.GREATER,
    ComparisonOperator.LESS_OR_EQUAL: ComparisonOperator.GREATER_OR_EQUAL,
    ComparisonOperator.GREATER: ComparisonOperator.LESS,
    ComparisonOperator.GREATER_OR_EQUAL: ComparisonOperator.LESS_OR_EQUAL,
}


@dataclass(frozen=True, slots=True)
class TableScan:
    """What is asked of the system for one table of a query."""

    entity_type: str
    """As the query writes it."""
    table: str
    """What the table is called where the query is run."""
    columns: tuple[str, ...]
    """Names that the query uses, as it writes them; empty for all."""
    condition: Condition | None
    sort: tuple[SortKey, ...] = ()
    most_rows: int | None = None
    """Rows that are enough; None where all are needed."""


@dataclass(frozen=True, slots=True)
class EntityQueryPlan:
    """A query that can be run over scanned tables."""

    sql: str
    """For SQLite, over the tables of the scans."""
    scans: tuple[TableScan, ...]
    values: Mapping[str, JsonValue]
    """Of its parameters, by the names that they have in it."""


def planned(text: str, parameters: Sequence[JsonValue]) -> EntityQueryPlan:
    """The plan of one SELECT statement. Raises `InvalidValue` for anything else."""
    statement = _statement(text, len(parameters))
    values = {_parameter(position): value for position, value in enumerate(parameters)}
    scans: list[TableScan] = []
    for scope in traverse_scope(statement):
        for alias, source in scope.sources.items():
            if isinstance(source, exp.Table):
                scans.append(_scan(scope, alias, source, f"entities_{len(scans)}", values))
    if len(scans) > MOST_TABLES:
        raise InvalidValue("query", f"names {len(scans)} tables; at most {MOST_TABLES} are allowed")
    return EntityQueryPlan(statement.sql(dialect=_DIALECT), tuple(scans), values)


def _parameter(position: int) -> str:
    return f"p{position}"


def _statement(text: str, count: int) -> exp.Query:
    if len(text) > MOST_CHARACTERS:
        raise InvalidValue("query", f"has {len(text):,} characters; at most {MOST_CHARACTERS:,} are allowed")
    try:
        statements = [each for each in sqlglot.parse(_with_named_places(text, count), read=_DIALECT) if each]
    except (SqlglotError, RecursionError) as error:
        first_line = str(error).splitlines()[0] if str(error) else "it is nested too deep"
        raise InvalidValue("query", f"cannot be read as SQL: {first_line}") from None
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise InvalidValue("query", "must be one SELECT statement")
    return statements[0]


def _with_named_places(text: str, count: int) -> str:
    """The query with a name for each `?`, by its position; raises `InvalidValue` where they are not as many."""
    places = [each for each in sqlglot.tokenize(text, read=_DIALECT) if each.text == "?" and each.token_type in _PLACES]
    if len(places) != count:
        raise InvalidValue("queryParameters", f"the query has {len(places)} `?`, and {count} values are given")
    pieces: list[str] = []
    end = 0
    for position, each in enumerate(places):
        pieces += (text[end : each.start], f":{_parameter(position)}")
        end = each.end + 1
    return "".join((*pieces, text[end:]))


def _scan(scope: Scope, alias: str, source: exp.Table, table: str, values: Mapping[str, JsonValue]) -> TableScan:
    if source.args.get("db") is not None:
        raise InvalidValue("query", f"{source.sql(dialect=_DIALECT)}: entity types have no schema before their name")
    is_only = len(scope.sources) == 1
    name = source.name
    columns = () if _takes_all(scope, alias) else tuple(dict.fromkeys(_columns(scope, alias)))
    terms = list(_terms(scope)) if _is_kept_whole(scope, source) else []
    pushed = [each for each in (_condition(term, alias, values, is_only=is_only) for term in terms) if each is not None]
    is_whole = len(pushed) == len(terms)
    condition = None if not pushed else pushed[0] if len(pushed) == 1 else ConditionConjunction(tuple(pushed))
    sort, most_rows = _bounds(scope) if is_only and is_whole else ((), None)
    source.set("alias", exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))
    source.set("this", exp.to_identifier(table))
    return TableScan(name, table, columns, condition, sort, most_rows)


def _takes_all(scope: Scope, alias: str) -> bool:
    """Whether a `*` may stand for columns of the table."""
    for star in scope.find_all(exp.Star):
        holder = star.parent
        named = holder.table if isinstance(holder, exp.Column) else ""
        if not isinstance(holder, exp.Count) and (not named or _is_same(named, alias)):
            return True
    return False


def _columns(scope: Scope, alias: str) -> Iterator[str]:
    """Columns that are, or may be, of the table."""
    for column in scope.columns:
        if not column.table or _is_same(column.table, alias):
            yield column.name


def _is_kept_whole(scope: Scope, source: exp.Table) -> bool:
    """Whether leaving out rows of the table that the WHERE clause refuses changes nothing: it does where an outer join
    would find nothing in their place."""
    joins: Sequence[exp.Join] = scope.expression.args.get("joins") or []
    if any(join.side in ("RIGHT", "FULL") for join in joins):
        return False
    return not any(join.side == "LEFT" and join.this is source for join in joins)


def _terms(scope: Scope) -> Iterator[exp.Expr]:
    where = scope.expression.args.get("where")
    if isinstance(where, exp.Where):
        yield from where.this.flatten() if isinstance(where.this, exp.And) else (where.this,)


def _condition(term: exp.Expr, alias: str, values: Mapping[str, JsonValue], *, is_only: bool) -> Condition | None:
    """A term as a condition on the table; None where it is none."""
    if isinstance(term, exp.Paren):
        return _condition(term.this, alias, values, is_only=is_only)
    if isinstance(term, exp.Not):
        inner = _condition(term.this, alias, values, is_only=is_only)
        return None if inner is None else ConditionNegation(inner)
    return _test(term, alias, values, is_only=is_only)


def _test(term: exp.Expr, alias: str, values: Mapping[str, JsonValue], *, is_only: bool) -> Condition | None:
    operator = _OPERATORS.get(type(term))
    if operator is not None and isinstance(term.args["this"], exp.Literal | exp.Placeholder | exp.Neg | exp.Boolean):
        term = type(term)(this=term.args["expression"], expression=term.args["this"])
        operator = _MIRRORED.get(operator, operator)
    column = _column(term.args.get("this"), alias, is_only=is_only)
    if column is None:
        return None
    if operator is not None:
        value = _literal(term.args["expression"], values)
        return None if value is None else ColumnComparison(column, operator, value)
    if isinstance(term, exp.Is) and isinstance(term.expression, exp.Null):
        return Absence(column)
    if isinstance(term, exp.In) and term.args.get("query") is None:
        members = [_literal(each, values) for each in term.expressions]
        return Membership(column, tuple(each for each in members if each is not None)) if _all(members) else None
    if isinstance(term, exp.Between):
        low, high = _literal(term.args["low"], values), _literal(term.args["high"], values)
        return None if low is None or high is None else Range(column, low, high)
    if isinstance(term, exp.Like):
        pattern = _literal(term.expression, values)
        # SQLite takes a backslash for itself, conditions do not; and letters for their other case.
        is_plain = isinstance(pattern, str) and "\\" not in pattern and pattern.lower() == pattern.upper()
        return Likeness(column, pattern) if isinstance(pattern, str) and is_plain else None
    return None


def _all(members: Sequence[Literal | None]) -> bool:
    return bool(members) and all(each is not None for each in members)


def _column(side: object, alias: str, *, is_only: bool) -> str | None:
    if not isinstance(side, exp.Column):
        return None
    return side.name if _is_same(side.table, alias) or (not side.table and is_only) else None


def _is_same(name: str, alias: str) -> bool:
    """Names of SQL are the same whatever their case."""
    return name.casefold() == alias.casefold()


def _literal(side: object, values: Mapping[str, JsonValue]) -> Literal | None:
    if isinstance(side, exp.Neg):
        inner = _literal(side.this, values)
        return -inner if isinstance(inner, int | Decimal) and not isinstance(inner, bool) else None
    if isinstance(side, exp.Boolean):
        return bool(side.this)
    if isinstance(side, exp.Literal):
        return str(side.this) if side.is_string else _number(str(side.this))
    if isinstance(side, exp.Placeholder):
        value = values.get(str(side.this))
        if isinstance(value, float):
            return Decimal(repr(value))
        return value if isinstance(value, str | int | Decimal) else None
    return None


def _number(text: str) -> Literal | None:
    """A number that conditions can have; None for any other."""
    try:
        number = int(text) if text.isdecimal() else Decimal(text)
    except (InvalidOperation, ValueError):
        return None
    return number if isinstance(number, int) or abs(number.adjusted()) < _MOST_EXPONENT else None


def _bounds(scope: Scope) -> tuple[tuple[SortKey, ...], int | None]:
    """Order and number of rows of a query that gives rows of its one table as they are."""
    query = scope.expression
    if not isinstance(query, exp.Select) or any(query.find(each) for each in _NEEDS_ALL):
        return (), None
    most, skipped = query.args.get("limit"), query.args.get("offset")
    wanted = _count(most.expression) if isinstance(most, exp.Limit) else None
    before = _count(skipped.expression) if isinstance(skipped, exp.Offset) else 0
    if wanted is None or before is None:
        return (), None
    order = query.args.get("order")
    keys: list[SortKey] = []
    for each in order.expressions if isinstance(order, exp.Order) else ():
        if not isinstance(each, exp.Ordered) or not isinstance(each.this, exp.Column):
            return (), None
        keys.append(SortKey(each.this.name, bool(each.args.get("desc"))))
    return tuple(keys), wanted + before


def _count(said: object) -> int | None:
    """A number of rows that is said as one; None for any other."""
    is_short = isinstance(said, exp.Literal) and not said.is_string and said.name.isdecimal() and len(said.name) < 10
    return int(said.name) if isinstance(said, exp.Literal) and is_short else None
