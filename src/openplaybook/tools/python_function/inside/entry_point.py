"""Calls a function of the code and writes what came of it."""

import asyncio
import inspect
import json
import linecache
import logging
import sys
import traceback
import typing
from collections.abc import Awaitable, Callable, Mapping
from typing import TypedDict, cast

from . import conversion
from .tool_context import CodeContext, NoNetwork, NoTools, ReplacedTool

FILE = "<tool>"
RESULT = "!result.json"
"""Sorts before every other file, so that it is given back whatever else is written."""


class CallRequest(TypedDict):
    """What to call, JSON."""

    code: str
    function: str
    arguments: dict[str, object]
    filled: list[str]
    """Parameters that take the context."""
    tool: dict[str, object] | None
    """What a fake stands for: its function takes the tool, the arguments and the context."""
    context: dict[str, object]


def run(namespace: dict[str, object]) -> None:
    """Do what `context` of the namespace asks for and write the outcome: `result` and `state`, which has the variables
    that were changed; or `error`."""
    request = cast("CallRequest", json.loads(cast("Mapping[str, str]", namespace["context"])["call"]))
    context = CodeContext(request["context"])
    before = {name: conversion.text_of(value) for name, value in context.state.items()}
    outcome: dict[str, object]
    try:
        _bind(namespace, context)
        result = _called(_defined(namespace, request), request, context)
        outcome = {"result": json.loads(conversion.text_of(result)), "state": conversion.changes(before, context.state)}
    except BaseException as error:  # noqa: BLE001 (code may raise anything; all of it is told)
        outcome = {"error": _description(error)}
    with open(RESULT, "w", encoding="utf-8") as written:
        written.write(json.dumps(outcome))


def _bind(namespace: dict[str, object], context: CodeContext) -> None:
    namespace.update(
        {
            "context": context,
            "get_variable": context.get_variable,
            "set_variable": context.set_variable,
            "remove_variable": context.remove_variable,
            "logger": logging.getLogger("tool"),
            # What the documented signatures name without importing it.
            "ToolContext": CodeContext,
            "CallbackContext": CodeContext,
            "Tool": ReplacedTool,
            "Any": typing.Any,
            "Optional": typing.Optional,
        }
    )
    for name in ("tools", "async_tools"):
        namespace.setdefault(name, NoTools())
    namespace["ces_requests"] = sys.modules.setdefault("ces_requests", NoNetwork("ces_requests"))


def _defined(namespace: dict[str, object], request: CallRequest) -> Callable[..., object]:
    """The function, once the code that defines it has run."""
    code, name = request["code"], request["function"]
    linecache.cache[FILE] = (len(code), None, f"{code}\n".splitlines(keepends=True), FILE)
    exec(compile(code, FILE, "exec", dont_inherit=True), namespace)
    function = namespace.get(name)
    if not callable(function):
        raise NameError(f"the code has run and left no function {name!r}")
    return function


def _called(function: Callable[..., object], request: CallRequest, context: CodeContext) -> object:
    """What the function gives, awaited where it has to be."""
    if request["tool"] is not None:
        value = function(ReplacedTool(request["tool"]), request["arguments"], context)
    else:
        arguments = {
            **conversion.converted(function, request["arguments"]),
            **dict.fromkeys(request["filled"], context),
        }
        parameters = inspect.signature(function).parameters.values()
        first = [arguments.pop(each.name, each.default) for each in parameters if each.kind is each.POSITIONAL_ONLY]
        value = function(*first, **arguments)
    return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value


async def _awaited(value: Awaitable[object]) -> object:
    return await value


def _description(error: BaseException) -> dict[str, object]:
    """The exception, and where in the code it came from; `line` is 0 where that is not in the code."""
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return {"text": f"SyntaxError: {error.msg}", "line": error.lineno or 0, "source": (error.text or "").strip()}
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename == FILE]
    text = "".join(traceback.format_exception_only(error)).strip()
    if not frames:
        return {"text": text, "line": 0, "source": ""}
    return {"text": text, "line": frames[-1].lineno or 0, "source": frames[-1].line or ""}
