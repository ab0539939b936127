"""The language of conditions and of references in texts, as Dialogflow CX documents it for routes and handlers.

`parsing` reads a condition, `evaluating` judges it, `templates` fills in texts, `functions` are the system functions.
Everything here is pure: what an expression refers to stands in an `Environment`.
"""
