"""Systems with an HTTP API, each described by one manifest; nothing here knows a system by name."""
