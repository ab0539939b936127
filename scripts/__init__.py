"""Developer scripts, run from the root of the repository."""
