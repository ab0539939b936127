"""The language of conditions and of references in texts, as Dialogflow CX documents it for routes and handlers.

`parser` reads a condition, `evaluation` judges it, `text_templates` fills in texts, `functions` are the system
functions. Everything here is pure: what an expression refers to stands in an `Environment`.
"""
