"""Python functions as tools (CX Agent Studio's `PythonFunction`): read here, run in the sandbox only."""
