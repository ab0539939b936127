"""The store port and its implementations."""
