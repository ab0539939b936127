"""`df-code-interpreter-tool`: a task in words becomes code, the code runs in the sandbox, and out comes what it gave.

`kind.py` is the tool; `code_generation.py` has the model write code and mend it; `without_model` answers what needs
none; `workspace_files.py` brings files in, `interpreter_output.py` brings them out.
"""
