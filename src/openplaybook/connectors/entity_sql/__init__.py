"""SQL over the entities of a system that has no SQL: what the system can do is pushed down, the rest done here."""
