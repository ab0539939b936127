"""Cypher: names, conditions of properties of `n`, and what is let through of queries of others."""

import re

from openplaybook.connectors.base import SqlQuery
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.plugins.parameter_tests import ConditionDialect, Parameters

_PIECE = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`]|``)*`|//[^\n]*|/\*.*?\*/|\?|['"`]|/\*""", re.VERBOSE | re.DOTALL
)
_LOADING = re.compile(r"\bLOAD\s+CSV\b", re.IGNORECASE)
_MOST_CHARACTERS = 50_000


def quoted(name: str) -> str:
    """A name of a label or a property, whatever it holds. Raises `InvalidValue`."""
    if not name or "\0" in name or "\\u" in name.lower() or len(name) > 1_000:
        # Cypher reads \\uXXXX as the character, in names too: one of these is a backtick.
        raise InvalidValue(name[:60], "is no name of a label or a property")
    return f"`{name.replace('`', '``')}`"


CYPHER = ConditionDialect(
    column=lambda name: f"n.{quoted(name)}",
    absent="IS NULL",
    present="IS NOT NULL",
    prefix=lambda text: ("STARTS WITH", text),
)


def bound_query(query: SqlQuery) -> tuple[str, Parameters]:
    """The text of a query with names in place of its `?`, and their values. Raises `InvalidValue`."""
    if len(query.text) > _MOST_CHARACTERS:
        raise InvalidValue("query", f"has at most {_MOST_CHARACTERS:,} characters")
    parameters: Parameters = {}
    bare: list[str] = []
    text: list[str] = []
    end = 0
    for piece in _PIECE.finditer(query.text):
        between = query.text[end : piece.start()]
        bare.append(between + " ")
        text.append(between)
        end = piece.end()
        if piece[0] in ("'", '"', "`", "/*"):
            raise InvalidValue("query", f"the {piece[0]} at character {piece.start() + 1} is not closed")
        if piece[0] != "?":
            text.append(piece[0])
            continue
        if len(parameters) == len(query.parameters):
            raise InvalidValue("queryParameters", f"has {len(query.parameters)} values for more ?")
        name = f"q{len(parameters)}"
        parameters[name] = query.parameters[len(parameters)].value
        text.append(f"${name}")
    if len(parameters) != len(query.parameters):
        raise InvalidValue("queryParameters", f"has {len(query.parameters)} values for {len(parameters)} ?")
    bare.append(query.text[end:])
    if _LOADING.search("".join(bare)) or "\\u" in "".join(bare):
        raise InvalidValue("query", "may not hold LOAD CSV, which reads files and addresses from within the system")
    return "".join([*text, query.text[end:]]), parameters
