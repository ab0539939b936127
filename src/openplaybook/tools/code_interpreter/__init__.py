"""`df-code-interpreter-tool`: a task in words becomes code, the code runs in the sandbox, and out comes what it gave.

`tool.py` is the tool; `generating.py` has the model write code and mend it; `without_model` answers what needs none;
`inputs.py` and `outputs.py` bring files in and out; `library.py` runs code that calls other tools.
"""
