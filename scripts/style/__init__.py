"""Measures the tree against the project's style limits: `python -m scripts.style`."""
