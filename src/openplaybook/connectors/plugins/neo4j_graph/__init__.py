"""Neo4j: labels as entity types, nodes as entities, Cypher as the language of queries."""
