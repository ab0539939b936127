"""Talking to an agent from a terminal or a script."""
