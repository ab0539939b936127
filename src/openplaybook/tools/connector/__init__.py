"""Connector tools: entities and actions of a connection, for playbooks of Dialogflow CX and apps of CX Agent Studio."""
