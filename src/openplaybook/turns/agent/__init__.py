"""Agents: from stored resources to the snapshot that a turn sees."""
