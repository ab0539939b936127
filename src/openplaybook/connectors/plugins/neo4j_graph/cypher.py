"""Cypher: names, conditions of properties of `n`, and what is let through of queries of others."""

import re
from collections.abc import Mapping

from neo4j import SummaryCounters

from openplaybook.connectors.base import SqlQuery
from openplaybook.connectors.errors import InvalidValue, WriteRefused
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


def checked_count(counters: SummaryCounters, cap: int) -> int:
    """How much was changed of the kind of which it was most. Raises `WriteRefused` for more than `cap`, and for changes
    of what is no data: then the transaction is undone.

    Neo4j does not count the nodes whose properties were set, so each property counts.
    """
    schema = counters.indexes_added + counters.indexes_removed
    schema += counters.constraints_added + counters.constraints_removed
    if schema or counters.contains_system_updates:
        raise WriteRefused("a query may not change indexes, constraints or the system itself; nothing was changed")
    counts: Mapping[str, int] = {
        "nodes": counters.nodes_created + counters.nodes_deleted,
        "relationships": counters.relationships_created + counters.relationships_deleted,
        "properties": counters.properties_set,
        "labels": counters.labels_added + counters.labels_removed,
    }
    for kind, count in counts.items():
        if count > cap:
            raise WriteRefused(
                f"the query changes {count} {kind}, and a write may change at most {cap}; nothing was changed"
            )
    return max(counts.values())
