"""Dialogflow CX, in the shapes of v3beta1."""
