"""Documents of strangers, JSON and YAML, read within bounds of time, memory and depth, and written.

json_text, yaml_text   a text to plain values; `parser_process` reads large and foreign ones in child processes
line_search            where in a text a value stands
yaml_output            values as YAML
"""
