"""Agents here and agents elsewhere: compared, pulled, pushed."""
