"""What stands around a Python tool's code beyond the wall: gives it its names, calls its function, writes what came.

Copied into the sandbox as it is, so it imports the standard library and itself only. Names are those of CX Agent
Studio's Python runtime: `context`, `get_variable`, `set_variable`, `remove_variable`, `tools`, `async_tools`.
"""
