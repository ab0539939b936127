"""Couchbase: collections of one scope, by its query service."""
