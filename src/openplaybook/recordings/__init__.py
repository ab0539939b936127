"""Recorded conversations: written to a file, read back, replayed against the agent of today."""
