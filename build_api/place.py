"""Where the descriptor set stands."""

from pathlib import Path

OUTPUT = Path("src/openplaybook/wire/_generated/api.binpb")
"""From the root of the project."""
