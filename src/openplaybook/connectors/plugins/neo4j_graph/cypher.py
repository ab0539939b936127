"""Cypher: names, conditions of properties of `n`, and what is let through of queries of others."""

import re

from openplaybook.connectors.base import SqlQuery
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.plugins.parameter_tests import ConditionDialect, Parameters

_PIECE = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`]|``)*`|//[^\n]*|/\*.*?\*/|\?|['"`]|/\*""", re.VERBOSE | re.DOTALL
)
_LOADING = re.compile(
    r"\bLOAD\b.*\bCSV\b|\bgenai\b|\\u|\bapoc\W+(?:load|import|export|bolt|couchbase|custom|cypher|dv|es|gephi|jdbc|ml|"
    r"model|mongo|mongodb|nlp|periodic|redis|static|systemdb|trigger|uuid)\b",
    re.IGNORECASE | re.DOTALL,
)
"""Wherever it stands: what is a text and what is not, the system alone knows for sure. It also reads \\uXXXX as a
character before it looks for quotes."""


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
    if _LOADING.search(query.text):
        raise InvalidValue(
            "query",
            "may not hold LOAD CSV or the like, which read files and addresses from within the system, nor \\u; texts "
            "with these words are given as parameters",
        )
    parameters: Parameters = {}
    text: list[str] = []
    end = 0
    for piece in _PIECE.finditer(query.text):
        text.append(query.text[end : piece.start()])
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
    return "".join([*text, query.text[end:]]), parameters
