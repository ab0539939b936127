"""What a custom query is and names, by its syntax tree; what runs is written anew from this tree.

So the database gets what was looked at: no comment that it would execute, no second statement, no text that it reads
otherwise than we do. Refused are all statements but one query (and, where writing is allowed, one INSERT, UPDATE,
DELETE or MERGE), tables outside the connection's list, and functions that are not known to read their arguments alone.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import cast

from sqlglot import Expr, Token, TokenType, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, TokenError
from sqlglot.expressions.dml import DML

from openplaybook.connectors.errors import InvalidValue, PermissionRefused, WriteRefused
from openplaybook.connectors.sql.databases.base import NameFolding
from openplaybook.connectors.sql.row_functions import called_by_dots

MOST_CHARACTERS = 50_000
MOST_PARAMETERS = 1_000
"""Finding the place of one takes longer the more there are."""

_QUERIES = (exp.Query, exp.Values)
_WRITES = (exp.Insert, exp.Update, exp.Delete, exp.Merge)
_REFUSED = (
    *(DML, exp.DDL, exp.Merge, exp.Command, exp.Into, exp.Lock, exp.Pragma, exp.Set, exp.SetItem, exp.Use),
    *(exp.Transaction, exp.Commit, exp.Rollback, exp.Kill, exp.Copy, exp.Attach, exp.Detach, exp.Analyze),
    *(exp.Describe, exp.Show, exp.LoadData, exp.Operator, exp.PropertyEQ, exp.Hint, exp.NextValueFor),
    *(exp.ReadCSV, exp.ReadParquet, exp.ToFile, exp.Predict, exp.GenerateEmbedding, exp.GenerateText),
    *(exp.AIClassify, exp.AIEmbed, exp.AIForecast, exp.AIGenerate, exp.MLForecast, exp.MLTranslate, exp.Execute),
)
_UNKNOWN_FUNCTIONS = (exp.Anonymous, exp.AnonymousAggFunc, exp.CombinedAggFunc, exp.ParameterizedAgg)
_SEQUENCES = ("nextval", "currval")
"""Behind a name and a dot these count a sequence on in Oracle and HANA."""
_GROWING: Mapping[type[exp.Func], str] = {exp.Repeat: "times", exp.Pad: "expression", exp.Space: "this"}
"""Functions that make large texts, which we would have to hold, and which argument says how large."""
_MOST_GROWN = 10_000
_ROWLESS: Mapping[str, frozenset[str]] = {"oracle": frozenset({"dual"})}
"""What stands for no table at all."""
_COLORS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class QueryRules:
    """What queries of a connection may do."""

    grammar: str
    folding: NameFolding
    schema: str
    tables: frozenset[str]
    """The only ones; any where it is empty."""
    functions: frozenset[str]
    """Lower case; those of SQL itself need not be here."""
    is_read_only: bool


@dataclass(frozen=True, slots=True)
class InspectedQuery:
    """A statement that may run."""

    pieces: tuple[str, ...]
    """Its text, cut where the parameters go."""
    parameters: tuple[int, ...]
    """Between each two pieces: which of the given parameters goes there."""
    count: int
    """Parameters that it has."""
    is_query: bool
    """Whether it reads."""
    limit: int | None = None
    """Which of the given parameters says how many rows are wanted at most."""


def inspected_query(text: str, rules: QueryRules, most_rows: int) -> InspectedQuery:
    """A statement after all checks, which reads so many rows at most where it says nothing less. Raises
    `InvalidValue`, `WriteRefused`, `PermissionRefused`."""
    if len(text) > MOST_CHARACTERS:
        raise InvalidValue("query", f"has at most {MOST_CHARACTERS:,} characters, not {len(text):,}")
    try:
        tree, count = _parsed(text, rules.grammar)
        is_query = _checked_kind(tree, rules)
        nodes = list(tree.walk())
        _check_nodes(tree, nodes)
        _check_functions(nodes, rules)
        _check_tables(nodes, rules)
        limit = _limit_rows(tree, most_rows + 1) if is_query else None
        return _written(tree, rules.grammar, count, limit, is_query=is_query)
    except RecursionError:
        raise InvalidValue("query", "is nested too deeply") from None


def _parsed(text: str, grammar: str) -> tuple[Expr, int]:
    dialect = Dialect.get_or_raise(grammar)
    try:
        tokens, count = _numbered(dialect.tokenize(text))
        if count > MOST_PARAMETERS:
            raise InvalidValue("query", f"has at most {MOST_PARAMETERS:,} ?, not {count:,}")
        found = [each for each in dialect.parser().parse(tokens, text) if each is not None]
    except (ParseError, TokenError, ValueError) as error:
        first = _COLORS.sub("", str(error)).splitlines()[0]
        raise InvalidValue("query", f"cannot be read as SQL: {first}") from None
    if len(found) != 1:
        raise InvalidValue("query", f"must be one statement, not {len(found)}")
    return found[0], count


def _numbered(tokens: Sequence[Token]) -> tuple[list[Token], int]:
    """Each ? with its number: what is written anew may have them in another order."""
    numbered: list[Token] = []
    count = 0
    for token in tokens:
        if token.token_type is TokenType.PLACEHOLDER and token.text == "?":
            numbered.append(Token(TokenType.COLON, ":", token.line, token.col, token.start, token.end))
            numbered.append(Token(TokenType.VAR, f"p{count}", token.line, token.col, token.start, token.end))
            count += 1
        else:
            numbered.append(token)
    return numbered, count


def _checked_kind(tree: Expr, rules: QueryRules) -> bool:
    if isinstance(tree, _QUERIES):
        return True
    kind = type(tree).__name__.upper()
    if not isinstance(tree, _WRITES):
        raise InvalidValue("query", f"must be a query, not {kind}")
    if rules.is_read_only:
        raise WriteRefused(f"this connection only reads: {kind} is not done")
    return False


def _check_nodes(tree: Expr, nodes: Sequence[Expr]) -> None:
    for node in nodes:
        if isinstance(node, _REFUSED) and node is not tree:
            raise InvalidValue("query", f"must not have {type(node).__name__.upper()} in it")
        if isinstance(node, exp.Parameter | exp.SessionParameter):
            raise InvalidValue("query", "must not have variables in it; a parameter is written ?")
        if isinstance(node, exp.Identifier) and not node.args.get("quoted") and node.name.startswith("$"):
            raise InvalidValue("query", "must not have names that begin with $; a parameter is written ?")
        if isinstance(node, exp.Column) and node.table and node.name.lower() in _SEQUENCES:
            raise InvalidValue("query", f"must not count a sequence on ({node.name})")
        if isinstance(node, exp.Select) and not node.expressions:
            raise InvalidValue("query", "has a SELECT of nothing")
        for kind, argument in _GROWING.items():
            if isinstance(node, kind) and not _is_small(node.args.get(argument)):
                name = node.sql_name()
                raise InvalidValue("query", f"{name} makes texts of at most {_MOST_GROWN:,} here, said as a number")


def _is_small(length: object) -> bool:
    return isinstance(length, exp.Literal) and length.name.isdigit() and int(length.name) <= _MOST_GROWN


def _check_functions(nodes: Sequence[Expr], rules: QueryRules) -> None:
    for node in nodes:
        name = _called(node)
        if name and name.lower() not in rules.functions:
            raise _refused_function(node.sql() if isinstance(node, exp.Dot) else name)
    found = called_by_dots(nodes, rules.functions) if rules.grammar == "postgres" else ""
    if found:
        raise _refused_function(found)


def _called(node: Expr) -> str:
    """Name of the function that a node calls, where its kind says nothing of what it does; empty for other nodes."""
    if isinstance(node, _UNKNOWN_FUNCTIONS):
        return node.name
    if isinstance(node, exp.XMLTable):
        # Oracle's XQuery reads tables and files.
        return "xmltable"
    return node.expression.name if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Func) else ""


def _refused_function(shown: str) -> PermissionRefused:
    return PermissionRefused(
        f"the function {shown[:100]} is not called here: it is not known to read its arguments alone "
        f"(the connection's configVariables.functions may name it)"
    )


def _check_tables(nodes: Sequence[Expr], rules: QueryRules) -> None:
    if not rules.tables:
        return
    known = {_compared(each, rules) for each in rules.tables} | _ROWLESS.get(rules.grammar, frozenset())
    for node in nodes:
        if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier) or _is_named_here(node):
            continue
        schema = node.args.get("db")
        is_ours = schema is None or (isinstance(schema, exp.Identifier) and _folded(schema, rules) == rules.schema)
        if node.args.get("catalog") or not is_ours or _folded(node.this, rules) not in known:
            allowed = ", ".join(sorted(rules.tables))
            raise PermissionRefused(f"{node.sql()[:100]} is no table of this connection; there are: {allowed}")


def _compared(name: str, rules: QueryRules) -> str:
    return name.casefold() if rules.folding in (NameFolding.IGNORED, NameFolding.UPPER) else name


def _folded(identifier: exp.Identifier, rules: QueryRules) -> str:
    """A name as the database understands it."""
    name = str(identifier.this)
    if rules.folding is NameFolding.LOWER and not identifier.args.get("quoted"):
        return name.lower()
    return _compared(name, rules)


def _is_named_here(table: exp.Table) -> bool:
    """Whether a name is that of a query in a WITH that certainly hides any table: one of a WITH around it, or an
    earlier one of the same WITH. What is written to is a table whatever a WITH says."""
    if table.args.get("db") or table.args.get("catalog") or _is_written(table):
        return False
    name = _as_written(table.this)
    inner: Expr = table
    outer = table.parent
    while outer is not None:
        found = outer.args.get("with_") or outer.args.get("with")
        if isinstance(found, exp.With) and inner is not found and name in _names(found.expressions):
            return True
        if isinstance(outer, exp.With):
            place = next(index for index, each in enumerate(outer.expressions) if each is inner)
            reach = place + 1 if outer.args.get("recursive") else place
            if name in _names(outer.expressions[:reach]):
                return True
        inner, outer = cast("Expr", outer), outer.parent
    return False


def _is_written(table: Expr) -> bool:
    parent = table.parent
    return isinstance(parent, exp.Schema | DML | exp.Merge) and table.arg_key in ("this", "tables")


def _names(queries: Sequence[Expr]) -> set[tuple[str, bool]]:
    return {
        _as_written(each.args["alias"].this) for each in queries if isinstance(each.args.get("alias"), exp.TableAlias)
    }


def _as_written(name: Expr) -> tuple[str, bool]:
    """A name, and whether it is in quotes: without them it may be another name to the database."""
    return name.name, bool(name.args.get("quoted"))


def _limit_rows(tree: Expr, most: int) -> int | None:
    """Say in the query that no more rows are wanted; the number of the parameter that says it, if one does."""
    if isinstance(tree, exp.Values):
        return None
    limit = tree.args.get("limit")
    if limit is None:
        tree.set("limit", exp.Limit(expression=exp.Literal.number(most)))
        return None
    given = limit.expression if isinstance(limit, exp.Limit) else limit.args.get("count")
    if isinstance(given, exp.Placeholder):
        return int(given.name[1:]) if given.name[1:].isdigit() else None
    if not isinstance(given, exp.Literal) or not given.name.isdigit():
        raise InvalidValue("query", "must say how many rows it wants as a number or as ?")
    if int(given.name) > most:
        given.replace(exp.Literal.number(most))
    return None


def _written(tree: Expr, grammar: str, count: int, limit: int | None, *, is_query: bool) -> InspectedQuery:
    mark = token_hex(8)
    found = list(tree.find_all(exp.Placeholder))
    names = sorted(each.name for each in found)
    if names != sorted(f"p{place}" for place in range(count)):
        raise InvalidValue("query", "has parameters that are not written ?, or at places that take none")
    for node in found:
        node.replace(exp.Var(this=f"parameter_{mark}_{node.name[1:]}"))
    text = tree.sql(dialect=grammar, comments=False)
    parts = re.split(rf"parameter_{mark}_(\d+)", text)
    if len(parts) != 2 * count + 1:
        raise InvalidValue("query", "has a parameter at a place that takes none")
    return InspectedQuery(tuple(parts[::2]), tuple(map(int, parts[1::2])), count, is_query, limit)
