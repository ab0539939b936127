"""OpenAPI tools: each operation of a description is an action; a call is one HTTP exchange."""
