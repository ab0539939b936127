"""What can be computed without a language model: arithmetic, equations, lists, and code that is given as code.

No text of a caller is ever evaluated here. Each reader knows a small grammar, takes a query only where it fits whole,
and writes code of its own from what it read; that code runs in the sandbox.
"""
