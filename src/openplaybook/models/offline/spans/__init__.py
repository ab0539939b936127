"""Typed recognisers: each finds one kind of value in an utterance, with where it stands."""
