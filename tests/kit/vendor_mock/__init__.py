"""A strict, stateful stand-in for a system, made from the API document of its vendor."""
