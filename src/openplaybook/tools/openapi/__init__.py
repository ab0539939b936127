"""OpenAPI tools.

description          from a text to its operations, whatever version of OpenAPI it speaks
schemas              as the model sees them, as values are judged, and what is filled in
operation            one operation, compiled (by `operation_compiler`): what may be given, how it becomes a request
requests             how parameters and bodies are written
operation_security   who we are to an operation
service_connection   sends, with credentials, and reads the answer
answers              what the model and the trace are told of it
oddities             what is odd about a description that can be used all the same
openapi_tool         all of it, as a tool; `tool_builder` makes it from its resource, `tool_settings` say how it behaves
"""
