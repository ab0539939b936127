"""Secrets by the name of their version, and the back ends that keep them."""
