"""`openplaybook connectors` and `connections`."""
