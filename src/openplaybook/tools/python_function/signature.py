"""What a Python function takes, read from its code: nothing of it is run outside the sandbox."""

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.python_function.annotations import Annotations, nullable
from openplaybook.tools.python_function.docstrings import described_parameters, says_read_only
from openplaybook.tools.python_function.literals import NotJson, constant, words
from openplaybook.tools.python_function.members import last_name

MAX_CHARS = 200_000
"""Of code; `apart` reads what is long in a process of its own."""

CONTEXT_NAMES = frozenset({"context", "tool_context", "callback_context"})
"""Parameters that the runtime fills, where their annotation says nothing else."""
_CONTEXT_TYPES = frozenset({"ToolContext", "CallbackContext"})
_OPEN_TYPES = frozenset({"", "Any", "object"})

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Signature:
    """A function as the model calls it."""

    name: str
    description: str
    """Its docstring; empty without one."""
    input_schema: JsonObject
    """JSON Schema of its arguments by name; what the runtime fills is not in it."""
    output_schema: JsonObject | None
    """JSON Schema of the output object; None where its annotation says nothing."""
    filled: Sequence[str]
    """Parameters that take the context."""
    is_read_only: bool = False
    """Whether its docstring says so, in a line of its own: `readOnlyHint: true`."""


def parse(code: str, path: str) -> ast.Module:
    """The syntax tree of a tool's code, which stands at the JSON path `path`. Raises `InvalidTool`."""
    refuse_long(code, path)
    with warnings.catch_warnings():
        # What the parser has to say of a caller's code is not the server's to print.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code)
        except SyntaxError as error:
            raise InvalidTool([Problem(path, f"is not Python: {error.msg}", error.lineno)]) from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise InvalidTool([Problem(path, f"is not Python: {str(error) or 'it is nested too deeply'}")]) from error


def refuse_long(code: str, path: str) -> None:
    """Raises `InvalidTool` for code, at a JSON path, of more than `MAX_CHARS` characters."""
    if len(code) > MAX_CHARS:
        raise InvalidTool([Problem(path, f"has {len(code):,} characters; allowed are {MAX_CHARS:,}")])


def functions(module: ast.Module) -> dict[str, Function]:
    """The module's own functions by name, in its order; of two with one name the later, which replaces the other."""
    return {each.name: each for each in module.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def read_signature(code: str, name: str, path: str) -> Signature:
    """The signature of the function `name`, of the first one without a name. Raises `InvalidTool`; `path` is the JSON
    path of the `PythonFunction`."""
    module = parse(code, f"{path}.pythonCode")
    known = functions(module)
    if not known:
        raise InvalidTool([Problem(f"{path}.pythonCode", "defines no function")])
    if name and name not in known:
        names = ", ".join(known)
        raise InvalidTool([Problem(f"{path}.name", f"the code has no function {name!r}; it has: {names}")])
    function = known[name or next(iter(known))]
    return _signature(function, Annotations(module))


def _signature(function: Function, annotations: Annotations) -> Signature:
    docstring = words(ast.get_docstring(function) or "")
    descriptions = described_parameters(docstring)
    properties: JsonObject = {}
    required: list[JsonValue] = []
    filled: list[str] = []
    for parameter, default in _parameters(function.args):
        name = parameter.arg
        if _takes_context(parameter):
            filled.append(name)
            continue
        description: JsonObject = {"description": descriptions[name]} if descriptions.get(name) else {}
        properties[name] = {**annotations.schema(parameter.annotation), **description, **_default(default)}
        if default is None:
            required.append(name)
        elif isinstance(default, ast.Constant) and default.value is None:
            properties[name] = {**nullable(annotations.schema(parameter.annotation)), **description}
    schema: JsonObject = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return Signature(
        function.name, docstring, schema, _output(function, annotations), filled, says_read_only(docstring)
    )


def _parameters(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Parameters that have a name, with their defaults; `*args` and `**kwargs` have none."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    yield from zip(positional, [*missing, *arguments.defaults], strict=True)
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


def _takes_context(parameter: ast.arg) -> bool:
    kind = last_name(parameter.annotation)
    if kind in _CONTEXT_TYPES:
        return True
    is_open = kind in _OPEN_TYPES and not isinstance(parameter.annotation, ast.Subscript | ast.BinOp)
    return parameter.arg in CONTEXT_NAMES and is_open


def _default(node: ast.expr | None) -> JsonObject:
    try:
        return {"default": constant(node)} if node is not None else {}
    except NotJson:
        return {}


def _output(function: Function, annotations: Annotations) -> JsonObject | None:
    """A function's object is the output; anything else stands under `result`."""
    schema = annotations.schema(function.returns)
    if not schema or schema.get("type") == "object":
        return schema or None
    return {"type": "object", "properties": {"result": schema}}
