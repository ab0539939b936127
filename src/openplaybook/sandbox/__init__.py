"""Runs Python that nobody trusts. Usable as a library of its own; `base` is the port, `local` the fork server."""
