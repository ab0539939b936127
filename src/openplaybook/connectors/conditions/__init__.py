"""Which entities are meant: the one grammar of conditions for all systems, read into a tree and evaluated."""
