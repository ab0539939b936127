"""Vectors of the passages of stores, kept beside the index, and what they add to searches by words."""
