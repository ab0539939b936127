"""Integration Connectors: connections and the connectors there are (v1), what connections do (v2)."""
