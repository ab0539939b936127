"""Conditions in the languages of systems: what can be said there, and what is left to be tried here."""
