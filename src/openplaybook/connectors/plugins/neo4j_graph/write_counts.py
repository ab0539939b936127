"""What a query has changed, as Neo4j counts it before the transaction is committed."""

from collections.abc import Mapping

from neo4j import SummaryCounters

from openplaybook.connectors.errors import WriteRefused


def check_counts(counters: SummaryCounters, cap: int) -> None:
    """Raises `WriteRefused` for more changes of one kind than `cap`, and for what is no data: then the transaction is
    undone.

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
