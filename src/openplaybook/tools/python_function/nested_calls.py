"""Code that is given as code and calls other tools: the names are those of CES Python tools.

In the code, `tools.NAME({…})` makes a call through the engine, which journals it. After a crash the code runs again
from its start; calls that were settled are answered from the journal.
"""

import asyncio
import keyword
import re
from collections.abc import Mapping, Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.sandbox.base import (
    CodeFile,
    Execution,
    ExecutionLimits,
    Executor,
    Request,
    SandboxFailed,
    ToolCallFailed,
)
from openplaybook.tools.base import Diverged, Failure, InDoubt, Outcome, ToolContext

_NOT_IN_NAMES = re.compile(r"\W", re.ASCII)
_STATUS = re.compile("[1-5][0-9]{2}|default")


async def run(
    executor: Executor,
    code: str,
    files: Sequence[CodeFile],
    limits: ExecutionLimits,
    context: ToolContext,
    *,
    tenant: str = "",
    tools: Sequence[str] | None = None,
    visible_context: Mapping[str, JsonValue] | None = None,
) -> Execution | InDoubt:
    """Run code that may call tools; `tools` are model-facing names of those, None: all that the context has.

    The code sees each under its name as a Python identifier, and `visible_context` as `context`. A call gives what the
    tool answered, of an OpenAPI operation the body; one that fails, or whose outcome is unknown, raises `ToolError` in
    the code. In doubt: the code went another way than before a crash, or the sandbox broke after calls were made.

    Raises `InvalidRequest`, `SandboxUnavailable`, and `SandboxFailed` where nothing was called.
    """
    known = identifiers(context.callable if tools is None else [name for name in tools if name in context.callable])
    calls = _Calls(context, known)
    request = Request(
        code=code,
        files=files,
        limits=limits,
        tenant=tenant,
        tools=tuple(known),
        context=dict(visible_context or {}),
    )
    try:
        return await executor.execute(request, calls.make if known else None)
    except asyncio.CancelledError:
        calls.abandon()
        raise
    except Diverged as error:
        return InDoubt(f"The code went another way than before the server stopped: {error}")
    except SandboxFailed as error:
        if not calls.made:
            raise
        return InDoubt(f"The sandbox broke after the code had called {', '.join(calls.made)}: {error}")
    finally:
        await calls.settled()


def identifiers(names: Sequence[str]) -> Mapping[str, str]:
    """Model-facing names by the Python identifiers that code knows them under, all different."""
    by_identifier: dict[str, str] = {}
    # Names that are identifiers as they stand keep themselves, whatever the order.
    for name in sorted(names, key=lambda each: (_identifier(each) != each, each)):
        spelled = _identifier(name)
        while spelled in by_identifier:
            spelled += "_"
        by_identifier[spelled] = name
    return by_identifier


def _identifier(name: str) -> str:
    plain = _NOT_IN_NAMES.sub("_", name)
    if plain[:1].isdigit() or not plain:
        plain = f"_{plain}"
    return f"{plain}_" if keyword.iskeyword(plain) else plain


class _Calls:
    """The calls that one execution makes."""

    def __init__(self, context: ToolContext, known: Mapping[str, str]) -> None:
        self._call = context.call
        self._known = known
        self._running: asyncio.Future[Outcome] | None = None
        self.made: list[str] = []

    async def make(self, name: str, arguments: JsonObject) -> JsonValue:
        """As `ToolCaller`."""
        if self._call is None or name not in self._known:
            raise ToolCallFailed(f"there is no tool {name}; there are: {', '.join(self._known) or 'none'}")
        self.made.append(name)
        self._running = asyncio.ensure_future(self._call(self._known[name], arguments))
        # Code whose time is over does not take its call with it: what came of that is to be on record.
        return _value(name, await asyncio.shield(self._running))

    def abandon(self) -> None:
        """Whoever waits for the code has gone: its call goes too."""
        if self._running is not None:
            self._running.cancel()

    async def settled(self) -> None:
        """Wait for a call that outlasted its code."""
        if self._running is None:
            return
        try:
            await asyncio.wait([self._running])
        except asyncio.CancelledError:
            self.abandon()
            raise


def _value(name: str, outcome: Outcome) -> JsonValue:
    """What a call gives the code that made it."""
    if isinstance(outcome, Failure):
        raise ToolCallFailed(f"{name}: {outcome.code}: {outcome.message}")
    if isinstance(outcome, InDoubt):
        raise ToolCallFailed(f"{name}: OUTCOME_UNKNOWN: {outcome.message}")
    only = next(iter(outcome.output.items())) if len(outcome.output) == 1 else ("", None)
    return only[1] if _STATUS.fullmatch(only[0]) else outcome.output
