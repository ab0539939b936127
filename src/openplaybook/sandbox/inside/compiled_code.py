"""Code as it is compiled and run: all its statements, and the value, as it is shown, of a last bare expression."""

import ast
import inspect
import linecache
from collections.abc import Awaitable
from dataclasses import dataclass
from itertools import islice
from types import CodeType
from typing import cast

FILE = "<code>"
"""The file name of code, in tracebacks; `<code 2>`, … for later code of a kept session."""

_WITH_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_DRAWN = "matplotlib."
_LOOKED_AT = 4


@dataclass(frozen=True, slots=True)
class CompiledCode:
    """Compiled code."""

    statements: CodeType
    value: CodeType | None
    """The last expression, where its value is wanted."""

    def run(self, namespace: dict[str, object]) -> object:
        """Run it to its end: the value of the last expression, None without one. Raises what it raises.

        A program that awaits at its top level is run by an event loop, from start to end.
        """
        if _awaits(self.statements) or (self.value is not None and _awaits(self.value)):
            import asyncio  # Warm in a zygote; elsewhere, few programs need it.

            return asyncio.run(self._awaited(namespace))
        eval(self.statements, namespace)
        return None if self.value is None else eval(self.value, namespace)

    async def _awaited(self, namespace: dict[str, object]) -> object:
        value: object = None
        for part in (self.statements, self.value):
            value = None if part is None else eval(part, namespace)
            if part is not None and _awaits(part):
                value = await cast("Awaitable[object]", value)
        return value


def compiled(code: str) -> CompiledCode:
    """Compile code and let tracebacks know its lines. Raises what `compile` does: SyntaxError, ValueError, …"""
    file = _named(code)
    tree = compile(code, file, "exec", ast.PyCF_ONLY_AST | _WITH_AWAIT, dont_inherit=True)
    last = tree.body[-1] if tree.body else None
    value = None
    if isinstance(last, ast.Expr) and not _is_muted(code, last):
        del tree.body[-1]
        value = compile(ast.Expression(last.value), file, "eval", _WITH_AWAIT, dont_inherit=True)
    return CompiledCode(compile(tree, file, "exec", _WITH_AWAIT, dont_inherit=True), value)


def forget() -> None:
    """The next code is the first one."""
    linecache.cache.pop(FILE, None)


def _named(code: str) -> str:
    number = 1
    while (file := FILE if number == 1 else f"<code {number}>") in linecache.cache:
        number += 1
    # Without a time of change, nobody looks for a file of that name. Places in a line are told by lines that end.
    linecache.cache[file] = (len(code), None, f"{code}\n".splitlines(keepends=True), file)
    return file


def _is_muted(code: str, last: ast.Expr) -> bool:
    """Whether a semicolon follows: in notebooks it says that the value is not wanted."""
    if last.end_lineno is None or last.end_col_offset is None:
        return False
    rest = code.encode("utf-8", "surrogatepass").splitlines()[last.end_lineno - 1][last.end_col_offset :]
    return rest.lstrip().startswith(b";")


def _awaits(code: CodeType) -> bool:
    return bool(code.co_flags & inspect.CO_COROUTINE)


def value_text(value: object) -> str:
    """The value of a last expression as it is shown: its `repr`; empty for None and for what drawing calls give back,
    since the picture is shown in its place.

    Raises what `repr` does.
    """
    return "" if value is None or _is_drawn(value) else repr(value)


def _is_drawn(value: object, depth: int = 3) -> bool:
    """Whether it is of matplotlib, or a collection of such: `plot` gives a list, `hist` a tuple, `boxplot` a dict."""
    if type(value).__module__.startswith(_DRAWN):
        return True
    is_array = type(value).__module__ == "numpy" and str(getattr(value, "dtype", "")) == "object"
    if depth == 0 or not (is_array or isinstance(value, list | tuple | dict)):
        return False
    several = cast("dict[object, object]", value).values() if isinstance(value, dict) else cast("list[object]", value)
    return any(_is_drawn(each, depth - 1) for each in islice(several, _LOOKED_AT))
