"""OpenAPI tools.

description    from a text to its operations, whatever version of OpenAPI it speaks
schemas        as the model sees them, as values are judged, and what is filled in
operation      one operation, compiled (by `compiling`): what may be given, how it becomes a request
requests       how parameters and bodies are written
security       who we are to an operation
connection     sends, with credentials, and reads the answer
answers        what the model and the trace are told of it
tool           all of it, as a tool; `building` makes it from its resource, `settings` say how it behaves
generating     descriptions from samples
"""
