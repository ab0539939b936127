"""Documents cut into the passages that are searched and shown."""
