"""Names of files that cross the wall, in either direction."""

LONGEST = 255
DEEPEST = 8
"""Folders beneath the workspace."""


def is_safe(name: str) -> bool:
    """Whether a name stays in the workspace, whoever reads it: relative, without `..`, and made of characters that
    show themselves (no control characters, none that turn the direction of text, no halves of surrogate pairs)."""
    if not 0 < len(name) <= LONGEST or not name.isprintable() or "\\" in name:
        return False
    parts = name.split("/")
    return len(parts) <= DEEPEST + 1 and all(part not in ("", ".", "..") for part in parts)
