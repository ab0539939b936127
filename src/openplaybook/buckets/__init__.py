"""Buckets of objects, as Cloud Storage has them: Google's own, and folders that stand for them."""
