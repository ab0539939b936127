"""Modules that are small and have one importer, for a reason."""

from collections.abc import Mapping

KEPT: Mapping[str, str] = {}
"""Module and reason."""
