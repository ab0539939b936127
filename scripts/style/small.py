"""Modules that are small and have one importer, for a reason."""

from collections.abc import Mapping

KEPT: Mapping[str, str] = {
    "openplaybook.sandbox.remote.vendors": "the vendors of machines, which most servers never import",
}
"""Module and reason."""
