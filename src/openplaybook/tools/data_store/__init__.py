"""Searching stores: data store tools of Dialogflow CX and CX Agent Studio, file search."""
