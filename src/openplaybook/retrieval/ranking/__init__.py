"""Boosts, which move documents up and down among what was found."""
