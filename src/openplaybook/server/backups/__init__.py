"""A server's data in one file, and back."""
