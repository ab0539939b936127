"""Dialogflow CX agents as JSON packages."""
