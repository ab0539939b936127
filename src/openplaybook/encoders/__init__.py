"""Encoders: texts to vectors that lie near each other where the texts mean nearly the same."""
