"""(b) Code that the caller gives as code."""

import ast
import re
from collections.abc import Sequence

from openplaybook.tools.code_interpreter.without_model.base import OutOfReach, Plan, parsed

_FENCE = re.compile(r"[ \t]*```[ \t]*([\w+-]*)[^`]*")
_MAX_LOOKED_AT = 20_000
"""Characters that are parsed to see whether they are a program: the parser holds up whoever waits for the server, 1 ms
for each 1,000 of them."""
_PYTHON = frozenset({"python", "python3", "py", "tool_code"})


def read_code(query: str) -> Plan | None:
    """The plan that runs the one fenced block of Python in a query, or the query, where all of it is a program.

    None where there is no code. Raises `OutOfReach` where there are several blocks, or so much text that only a fence
    that names Python tells it for code.
    """
    blocks = fenced(query)
    if not blocks:
        return Plan(query.strip()) if _is_program(query) else None
    python = [text for language, text in blocks if language in _PYTHON]
    if len(blocks) == 1 and not blocks[0][0] and _is_code(blocks[0][1]):
        python = [blocks[0][1]]
    if len(python) > 1:
        raise OutOfReach("it holds several blocks of Python; send one")
    return Plan(python[0].strip("\n")) if python and python[0].strip() else None


def fenced(text: str) -> Sequence[tuple[str, str]]:
    """The fenced blocks of a text: language in lower case, and what stands in them. A fence may close at the end of a
    line; one that is not closed is none."""
    blocks: list[tuple[str, str]] = []
    language: str | None = None
    lines: list[str] = []
    for line in text.splitlines():
        if language is None:
            opens = _FENCE.fullmatch(line)
            if opens is not None:
                language, lines = opens[1].lower(), []
        elif line.rstrip().endswith("```"):
            last = line.rstrip().removesuffix("```")
            blocks.append((language, "\n".join([*lines, last] if last.strip() else lines)))
            language = None
        else:
            lines.append(line)
    return blocks


def _is_program(text: str) -> bool:
    """Whether a text is code beyond doubt: lines of Python that import, print or assign."""
    return len(text.strip().splitlines()) > 1 and _is_code(text)


def _is_code(text: str) -> bool:
    if len(text) > _MAX_LOOKED_AT:
        raise OutOfReach(f"more than {_MAX_LOOKED_AT:,} characters are taken for code only in a ```python fence")
    module = parsed(text)
    return module is not None and any(map(_acts, ast.walk(module)))


def _acts(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assign() | ast.AnnAssign(value=ast.expr()) | ast.AugAssign():
            return True
        case ast.Call(func=ast.Name(id="print")):
            return True
        case _:
            return False
