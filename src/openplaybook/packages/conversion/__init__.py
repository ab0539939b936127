"""Agents of Dialogflow CX made into apps of CX Agent Studio."""
