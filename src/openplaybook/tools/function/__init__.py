"""Function tools: always run by the client."""
